import { dayMs } from '../../../kernel/durations.ts';
import type { SourceChange, Step, StepInput } from '../port.ts';

/** Days that every sync reads again, so that edits, deletions and answers in them are seen. */
const rereadDays = 7;

/** Where a sync is. */
export interface Place {
  /** Start of the days that are read, as a `ts`; null for all. */
  readonly oldest: string | null;
  /** Position of the channel in the scope, in order of ids. */
  readonly channel: number;
  /** All from this `ts` on has been read; null at the beginning of a channel. */
  readonly before: string | null;
  /** Threads that are to be read before the channel goes on. */
  readonly threads: readonly string[];
  /** Whether the threads are the last that is to be read of the channel. */
  readonly ended: boolean;
  /** Messages of the day or thread that is next which were listed before Slack asked for patience, packed. */
  readonly part: string | null;
}

/** A `ts` before every message of a day. */
export const beforeDay = (day: string): string => `${Date.parse(day) / 1000 - 1}.999999`;

const atChannel = (oldest: string | null, channel: number): Place => ({
  oldest,
  channel,
  before: null,
  threads: [],
  ended: false,
  part: null,
});

/** The beginning of the next channel. */
export const nextChannel = ({ oldest, channel }: Place): Place => atChannel(oldest, channel + 1);

/** Where a step begins. */
export const placeOf = ({ state, now }: StepInput): Place => {
  if (state === null) return atChannel(null, 0);
  // Kept by an earlier version, it lacks what was listed.
  if (state['place'] !== undefined) return { part: null, ...(state['place'] as unknown as Omit<Place, 'part'>) };
  const firstDay = new Date(now.getTime() - rereadDays * dayMs).toISOString().slice(0, 10);
  return atChannel(beforeDay(firstDay), 0);
};

/** A step after which the sync goes on elsewhere. */
export const goOn = (place: Place, changes: readonly SourceChange[]): Step => ({
  changes,
  state: { place: { ...place } },
  done: false,
  removesUnseen: false,
});

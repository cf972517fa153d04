import { dayMs } from '../../../kernel/durations.ts';
import type { SourceChange, Step, StepInput } from '../port.ts';

/** Days that every sync reads again, so that it sees edits, deletions and replies. */
const rereadDays = 7;

/** Position of a sync, stored in its state. */
export interface Place {
  /** Start of the days to read, as a `ts`; null for all. */
  readonly oldest: string | null;
  /** Index of the channel in the scope, sorted by id. */
  readonly channel: number;
  /** Messages from this `ts` on have been read; null at the beginning of a channel. */
  readonly before: string | null;
  /** Threads to read before the channel continues. */
  readonly threads: readonly string[];
  /** Whether the threads are the last part of the channel. */
  readonly ended: boolean;
  /** Compressed messages of the next day or thread that were listed before a rate limit. */
  readonly part: string | null;
}

/** Returns a `ts` before every message of a day. */
export const beforeDay = (day: string): string => `${Date.parse(day) / 1000 - 1}.999999`;

const atChannel = (oldest: string | null, channel: number): Place => ({
  oldest,
  channel,
  before: null,
  threads: [],
  ended: false,
  part: null,
});

/** Returns the position at the beginning of the next channel. */
export const nextChannel = ({ oldest, channel }: Place): Place => atChannel(oldest, channel + 1);

/** Returns the position at which a step starts. */
export const placeOf = ({ state, now }: StepInput): Place => {
  if (state === null) return atChannel(null, 0);
  if (state['place'] !== undefined) return state['place'] as unknown as Place;
  const firstDay = new Date(now.getTime() - rereadDays * dayMs).toISOString().slice(0, 10);
  return atChannel(beforeDay(firstDay), 0);
};

/** Returns a step after which the sync continues at a position. */
export const goOn = (place: Place, changes: readonly SourceChange[]): Step => ({
  changes,
  state: { place: { ...place } },
  done: false,
  removesUnseen: false,
});

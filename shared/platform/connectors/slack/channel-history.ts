import type { WebClient } from '@slack/web-api';
import type { StepInput } from '../port.ts';
import { listMessages, pageSize, type Part } from './list-messages.ts';
import type { Place } from './sync-state.ts';
import { dayOf, type SlackMessage } from './transcript.ts';

interface Batch {
  readonly messages: readonly SlackMessage[];
  /** Start of the oldest complete day, as a `ts`; null if the channel has no older message. */
  readonly before: string | null;
  /** Day with more messages than can be read; null if there is none. */
  readonly cut: string | null;
}

/**
 * Returns a `ts` after every message. Without `latest`, Slack does not define which end of a channel it lists first.
 */
const tomorrow = (now: Date): string => `${Math.ceil(now.getTime() / 1000) + 86_400}.000000`;

const startOf = (day: string): string => `${Date.parse(day) / 1000}.000000`;

const daysOf = (messages: readonly SlackMessage[]): readonly string[] =>
  [...new Set(messages.map(({ ts = '0' }) => dayOf(ts)))].toSorted();

/** Reads messages of whole days, newest first, from the last position of the channel. */
export const readDays = async (
  { client, input }: { readonly client: WebClient; readonly input: StepInput },
  channel: string,
  place: Place,
): Promise<Batch | Part> => {
  const listed = await listMessages(
    { part: place.part, now: input.now },
    (kept, cursor) =>
      client.conversations.history({
        channel,
        limit: pageSize,
        latest: kept.map(({ ts = '0' }) => ts).toSorted()[0] ?? place.before ?? tomorrow(input.now),
        ...(place.oldest === null ? {} : { oldest: place.oldest }),
        ...cursor,
      }),
    (messages) => daysOf(messages).length > 1,
  );
  if ('part' in listed) return listed;
  const { messages, end } = listed;
  const [oldest = '', second = oldest] = daysOf(messages);
  if (end === 'all') return { messages, before: null, cut: null };
  if (end === 'cut') return { messages, before: startOf(oldest), cut: oldest };
  // The oldest day may continue on the next page.
  const whole = messages.filter(({ ts = '0' }) => dayOf(ts) !== oldest);
  return { messages: whole, before: startOf(second), cut: null };
};

import type { WebClient } from '@slack/web-api';
import type { StepInput } from './port.ts';
import type { Place } from './slack-place.ts';
import { dayOf, type SlackMessage } from './slack-text.ts';

/** Messages that one request asks for. */
export const pageSize = 200;

interface Batch {
  readonly messages: readonly SlackMessage[];
  /** Start of the oldest day that is complete, as a `ts`; null where the channel has no older message to read. */
  readonly before: string | null;
}

/** Later than every message. Without a `latest`, Slack's words leave open which end of a channel it lists first. */
const tomorrow = (now: Date): string => `${Math.ceil(now.getTime() / 1000) + 86_400}.000000`;

/** Messages of whole days, the newest first, from where the channel was left. */
export const readDays = async (
  { client, input }: { readonly client: WebClient; readonly input: StepInput },
  channel: string,
  place: Place,
): Promise<Batch> => {
  const messages: SlackMessage[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.conversations.history({
      channel,
      limit: pageSize,
      latest: place.before ?? tomorrow(input.now),
      ...(place.oldest === null ? {} : { oldest: place.oldest }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    messages.push(...(page.messages ?? []));
    cursor = page.response_metadata?.next_cursor;
    if (cursor === undefined || cursor === '') return { messages, before: null };
    const days = new Set(messages.map(({ ts = '0' }) => dayOf(ts)));
    const oldest = [...days].toSorted()[0];
    // The oldest day may go on in the next page.
    if (oldest !== undefined && days.size > 1) {
      const whole = messages.filter(({ ts = '0' }) => dayOf(ts) !== oldest);
      const first = [...days].toSorted()[1] ?? oldest;
      return { messages: whole, before: `${Date.parse(first) / 1000}.000000` };
    }
  }
};

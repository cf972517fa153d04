import { pack, unpack } from '../packed-state.ts';
import { slackFault } from './client.ts';
import { textOf } from './message-text.ts';
import type { SlackMessage } from './transcript.ts';

/** Messages that one request asks for. */
export const pageSize = 200;
/** As much as messages may take that wait for others of their day or thread. */
const maxPackedLength = 200 * 1024;

interface Page {
  readonly messages?: readonly SlackMessage[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** What was listed: all there is, as much as is wanted, or as much as can be kept until Slack takes another request. */
export interface Listed {
  readonly messages: readonly SlackMessage[];
  readonly end: 'all' | 'enough' | 'cut';
}

/** Messages that have to wait, packed. */
export interface Part {
  readonly part: string;
}

/** What is read of a message. */
const bare = (message: SlackMessage) => {
  const { type, subtype, ts, thread_ts, reply_count, user, username } = message;
  return { type, subtype, ts, thread_ts, reply_count, user, username, text: textOf(message) };
};

/**
 * Lists messages page by page, from where it was left: a page may be all that Slack gives in a minute. `ask` has the
 * messages that were kept, after which the list goes on.
 */
export const listMessages = async (
  { part, now }: { readonly part: string | null; readonly now: Date },
  ask: (kept: readonly SlackMessage[], cursor: { readonly cursor?: string }) => Promise<Page>,
  isEnough: (messages: readonly SlackMessage[]) => boolean,
): Promise<Listed | Part> => {
  const kept = part === null ? [] : (unpack(part) as readonly SlackMessage[]);
  // Slack may say the message that began a thread with each page of it.
  const listed = new Set(kept.map(({ ts }) => ts));
  const messages = [...kept];
  let cursor: { readonly cursor?: string } = {};
  for (;;) {
    try {
      const page = await ask(kept, cursor);
      const others = (page.messages ?? []).filter(({ ts }) => !listed.has(ts));
      for (const { ts } of others) listed.add(ts);
      messages.push(...others);
      const next = page.response_metadata?.next_cursor ?? '';
      if (next === '') return { messages, end: 'all' };
      if (isEnough(messages)) return { messages, end: 'enough' };
      cursor = { cursor: next };
    } catch (error) {
      if (messages.length === kept.length || slackFault(error, now).retryAfterSeconds === null) throw error;
      const packed = pack(messages.map(bare), maxPackedLength);
      return packed === null ? { messages, end: 'cut' } : { part: packed };
    }
  }
};

import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { pack, unpack } from '../packed-state.ts';
import { slackFault } from './client.ts';
import { textOf } from './message-text.ts';
import type { SlackMessage } from './transcript.ts';

/** Messages for each request. */
export const pageSize = 200;
/** Maximum compressed length of messages that wait for the rest of their day or thread. */
const maxPackedLength = 200 * 1024;

interface Page {
  readonly messages?: readonly SlackMessage[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

/**
 * Listed messages. `all`: complete; `enough`: as many as required; `cut`: more than can be stored until the next
 * request.
 */
export interface Listed {
  readonly messages: readonly SlackMessage[];
  readonly end: 'all' | 'enough' | 'cut';
}

/** Messages that wait, compressed. */
export interface Part {
  readonly part: string;
}

/** Returns the fields of a file that are read. */
const bareFile = ({ id, name, mimetype, mode, size, url_private, permalink }: JsonObject) => {
  return { id, name, mimetype, mode, size, url_private, permalink };
};

/** Returns the fields of a message that are read. */
const bare = (message: SlackMessage) => {
  const { type, subtype, ts, thread_ts, reply_count, user, username, files } = message;
  const fields = { type, subtype, ts, thread_ts, reply_count, user, username, text: textOf(message) };
  return files === undefined ? fields : { ...fields, files: files.filter(isObject).map(bareFile) };
};

/**
 * Lists messages page by page from the last position; Slack may allow only one page a minute. `ask` gets the stored
 * messages,
 * after which the list continues.
 */
export const listMessages = async (
  { part, now }: { readonly part: string | null; readonly now: Date },
  ask: (kept: readonly SlackMessage[], cursor: { readonly cursor?: string }) => Promise<Page>,
  isEnough: (messages: readonly SlackMessage[]) => boolean,
): Promise<Listed | Part> => {
  const kept = part === null ? [] : (unpack(part) as readonly SlackMessage[]);
  // Slack may repeat the first message of a thread on each of its pages.
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

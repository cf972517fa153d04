import { type SlackParts, textOf } from './message-text.ts';

/** Fields of a message of Slack's API that are read. */
export interface SlackMessage extends SlackParts {
  readonly type?: string;
  /** Seconds since 1970 with six decimals; also the id of the message in its channel. */
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly user?: string;
  readonly username?: string;
  readonly files?: readonly unknown[];
}

/** Subtypes of messages that people or tools wrote. Others report joins, topics and the like. */
const written: ReadonlySet<string> = new Set(['', 'bot_message', 'me_message', 'file_share', 'thread_broadcast']);

export const isWritten = (message: SlackMessage): boolean => {
  const { type = 'message', subtype = '', ts } = message;
  return type === 'message' && written.has(subtype) && ts !== undefined && textOf(message) !== '';
};

/** Whether the message has replies in a thread. */
export const beginsThread = ({ ts, thread_ts: thread, reply_count: replies = 0 }: SlackMessage): boolean =>
  ts !== undefined && thread === ts && replies > 0;

/** Whether the message is a reply in a thread. */
export const isReply = ({ ts, thread_ts: thread }: SlackMessage): boolean => thread !== undefined && thread !== ts;

export const dayOf = (ts: string): string => new Date(Number(ts) * 1000).toISOString().slice(0, 10);

/** Returns the users in a message, its author first. */
export const usersOf = (message: SlackMessage): readonly string[] => [
  ...(message.user === undefined ? [] : [message.user]),
  ...Array.from(textOf(message).matchAll(/<@([A-Z0-9]+)/g), ([, id = '']) => id),
];

type Names = ReadonlyMap<string, string>;

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** Converts Slack's markup to plain text. Source: "Formatting text for app surfaces". */
const plainText = (text: string, names: Names): string =>
  text
    .replaceAll(/<@([A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`)
    .replaceAll(/<#([A-Z0-9]+)(?:\|([^<>]*))?>/g, (_, id: string, label?: string) => `#${label ?? id}`)
    .replaceAll(/<!(?:subteam\^[A-Z0-9]+|[a-z]+)(?:\^[^|<>^]*)*(?:\|([^<>]*))?>/g, (_, label?: string) => label ?? '')
    .replaceAll(/<((?:https?|mailto):[^|<>]+)\|([^<>]*)>/g, (_, url: string, label: string) => `${label} (${url})`)
    .replaceAll(/<((?:https?|mailto):[^|<>]+)>/g, '$1')
    .replaceAll(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);

/** Returns messages as a transcript, oldest first. */
export const transcriptOf = (messages: readonly SlackMessage[], names: Names): string =>
  messages
    .toSorted((a, b) => Number(a.ts) - Number(b.ts))
    .map((message) => {
      const { ts = '0', user, username } = message;
      const author = user === undefined ? (username ?? 'somebody') : (names.get(user) ?? user);
      const time = new Date(Number(ts) * 1000).toISOString().slice(0, 16).replace('T', ' ');
      return `${author} (${time}): ${plainText(textOf(message), names)}`;
    })
    .join('\n\n');

import { isObject } from './json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A structured logger; one JSON object a line. Never hand it secrets, tokens or presigned addresses. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const ownIds = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value).filter(([name]) => name.endsWith('_id') || name === 'ordinal') : [];

/**
 * Whom a line is about: the ids of a message, and of the change that it may carry. Never more of it, since messages carry
 * rows as well, below which others may have named fields as they like.
 */
export const idsOf = (message: unknown): Fields => {
  const parts = isObject(message) ? Object.values(message) : [];
  return Object.fromEntries([...parts.flatMap(ownIds), ...ownIds(message)]);
};

/** The line of a task that waits for a model, and the metric that is made from its minutes. */
export const modelWait = {
  message: 'a task waits for its model',
  minutes: 'waited_minutes',
  metric: 'ModelWaitMinutes',
} as const;

/** Drops whatever it is given. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

import { isObject } from './json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Structured logger: one JSON object for each line. Never log secrets, tokens or presigned URLs. */
export interface Logger {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

const ownIds = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value).filter(([name]) => name.endsWith('_id') || name === 'ordinal') : [];

/**
 * Returns the ids of a message and of the change that it may carry, for log lines.
 * Other fields are left out, since messages also carry rows with field names that users choose.
 */
export const idsOf = (message: unknown): Fields => {
  const parts = isObject(message) ? Object.values(message) : [];
  return Object.fromEntries([...parts.flatMap(ownIds), ...ownIds(message)]);
};

/** Log line of a task that waits for a model, and the metric of its waiting minutes. */
export const modelWait = {
  message: 'a task waits for its model',
  minutes: 'waited_minutes',
  metric: 'ModelWaitMinutes',
} as const;

/** Log line of failed index maintenance, and the metric of its consecutive failures. */
export const maintenanceFailed = {
  message: 'index.maintenance.failed',
  failures: 'failures',
  metric: 'IndexMaintenanceFailures',
} as const;

/** Logger that drops all lines. */
export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

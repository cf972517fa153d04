import type { Item } from '../db/contracts.ts';
import { textOf } from '../db/read-item.ts';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { isObject } from '../kernel/json.ts';
import { queryLogPrefix } from '../kernel/names.ts';

/** Index with a log of searches. */
export interface LoggedIndex {
  readonly organizationId: string;
  readonly id: string;
}

/** Logged search. */
export interface LogEntry {
  readonly id: string;
  /** Question; null: the search had only a vector. */
  readonly query: string | null;
  readonly mode: 'dense' | 'sparse' | 'hybrid';
  readonly topK: number;
  /** Filter without its values; null: none. */
  readonly filter: unknown;
  /** Ids and scores of the first hits. */
  readonly hits: readonly (readonly [id: string, score: number])[];
  /** Number of hits. */
  readonly found: number;
  readonly tookMs: number;
  /** Id of the API key, OAuth client, grant or user. */
  readonly key: string;
}

export const feedbackEvents = ['click', 'good', 'bad'] as const;
export type FeedbackEvent = (typeof feedbackEvents)[number];

export const logPartition = ({ organizationId, id }: LoggedIndex): string => `${queryLogPrefix}${organizationId}#${id}`;

/** Prefixes of the sort keys of batches of entries, and of feedback. */
export const [batchPrefix, feedbackPrefix] = ['LOG#', 'FEEDBACK#'] as const;

/** Length of the ULID in an id. */
const ulidLength = 26;

const searchPrefix = 'srch_';

/** Returns the id of a logged search. It contains that of its index, so that feedback needs no look-up. */
export const newSearchId = ({ id }: LoggedIndex, at: Date): string =>
  searchPrefix + newId('req', at).slice(-ulidLength) + id.slice(-ulidLength);

/** Returns the index of a logged search. */
export const indexOfSearch = (searchId: string): string => `idx_${searchId.slice(-ulidLength)}`;

/** Returns the time of a logged search. */
export const timeOfSearch = (searchId: string): Date =>
  timeOf(`req_${searchId.slice(searchPrefix.length, searchPrefix.length + ulidLength)}`);

/** Sort key of a batch, which sorts by the time of its first entry. */
export const batchKey = (firstId: string): string => batchPrefix + firstId;

/** Characters of an id after its prefix that are its time. */
const timeLength = 10;

/** Returns a sort key below those of all batches from a time on. A batch has entries of some seconds. */
export const batchesFrom = (at: Date): string => {
  const time = newId('req', laterBy(at, -minuteMs)).slice(-ulidLength).slice(0, timeLength);
  return batchPrefix + searchPrefix + time;
};

// Cast: `logWriter` has written it.
export const entriesOf = (item: Item): readonly LogEntry[] => JSON.parse(textOf(item, 'entries') ?? '[]') as LogEntry[];

/** Returns a filter whose values are replaced by their types, so that no value of a tenant is logged. */
export const shapeOf = (filter: unknown): unknown => {
  // Values of a list have few types.
  if (Array.isArray(filter))
    return [...new Map(filter.map((each) => [JSON.stringify(shapeOf(each)), shapeOf(each)])).values()];
  if (isObject(filter)) return Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, shapeOf(value)]));
  return filter === null ? 'null' : typeof filter;
};

/** Feedback on a hit of a search. */
export interface Feedback {
  readonly searchId: string;
  readonly row: string;
  readonly event: FeedbackEvent;
}

export const feedbackKey = ({ searchId, row, event }: Feedback): string =>
  `${feedbackPrefix}${searchId}#${event}#${row}`;

export const feedbackAt = (sk: string): Feedback => {
  const [, searchId = '', event = '', ...row] = sk.split('#');
  // Cast: `feedbackKey` has written it. Ids of rows may contain `#`.
  return { searchId, event: event as FeedbackEvent, row: row.join('#') };
};

import type { EventStatus, EventType, FileJobSource, FileJobStatus } from '#client';
import { type FilterTest, readFilterTests } from './filter-tests.ts';
import { jobStatuses } from './job-statuses.ts';
import { eventStatuses, eventTypes } from './event-types.ts';
import type { ListOrder } from './paged-list.tsx';

type Given = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => {
  // The router parses a text such as 42.
  const read = typeof value === 'number' ? String(value) : value;
  return typeof read === 'string' && read !== '' ? read : undefined;
};

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;

const orderOf = (given: Given): ListOrder | undefined => {
  const by = text(given['sort']);
  return by === undefined ? undefined : { by, direction: given['direction'] === 'desc' ? 'desc' : 'asc' };
};

/** Parameters of an address for an order. */
interface OrderParams {
  readonly sort?: string;
  readonly direction?: 'desc';
}

/** Returns the parameters of an order; those of the usual one are absent. */
export const orderParams = (order: ListOrder | null | undefined): OrderParams =>
  order == null ? {} : { sort: order.by, ...(order.direction === 'desc' ? { direction: 'desc' as const } : {}) };

const present = <Params extends object>(params: {
  readonly [Name in keyof Params]: Params[Name] | undefined;
}): Params => Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Params;

export const fileSources: readonly FileJobSource[] = ['upload', 'import', 'crawl', 'connector'];

/** Files that a page shows, in its address. */
export interface FilesParams extends OrderParams {
  readonly q?: string;
  readonly status?: readonly FileJobStatus[];
  readonly source?: FileJobSource;
  /** Columns, if they are not the usual ones. */
  readonly columns?: readonly string[];
}

export const readFilesParams = (given: Given): FilesParams => {
  const statuses = texts(given['status']);
  return {
    ...present<FilesParams>({
      q: text(given['q']),
      status: statuses === undefined ? undefined : jobStatuses.filter((status) => statuses.includes(status)),
      source: fileSources.find((source) => source === given['source']),
      columns: texts(given['columns']),
    }),
    ...orderParams(orderOf(given)),
  };
};

/** Rows that a page shows, in its address. */
export interface RowsParams extends OrderParams {
  readonly filter?: readonly FilterTest[];
  /** Metadata keys that have a column. */
  readonly columns?: readonly string[];
}

export const readRowsParams = (given: Given): RowsParams => {
  const filter = readFilterTests(given['filter']);
  return {
    ...present<RowsParams>({ filter: filter.length === 0 ? undefined : filter, columns: texts(given['columns']) }),
    ...orderParams(orderOf(given)),
  };
};

/** Events that a page shows, in its address. */
export interface EventsParams {
  readonly type?: EventType;
  readonly status?: EventStatus;
  /** Page, from 1. */
  readonly page?: number;
}

export const readEventsParams = (given: Given): EventsParams =>
  present<EventsParams>({
    type: eventTypes.find((type) => type === given['type']),
    status: eventStatuses.find((status) => status === given['status']),
    page: typeof given['page'] === 'number' && given['page'] > 1 ? Math.floor(given['page']) : undefined,
  });

/** Months that usage is shown of, in the address. */
export interface UsageParams {
  /** Such as `2026-11`; absent for the current one. */
  readonly month?: string;
}

export const readUsageParams = (given: Given): UsageParams => {
  const month = text(given['month']);
  return month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {};
};

/** Evaluation or questions that a page shows, in its address. */
export interface RelevanceParams {
  readonly evaluation?: string;
  readonly order?: 'losses' | 'gains' | 'set';
  /** Questions of the log in place of an evaluation. */
  readonly log?: 'frequent' | 'unanswered';
}

const orders = ['losses', 'gains', 'set'] as const;
const kinds = ['frequent', 'unanswered'] as const;

export const readRelevanceParams = (given: Given): RelevanceParams =>
  present<RelevanceParams>({
    evaluation: text(given['evaluation']),
    order: orders.find((order) => order === given['order']),
    log: kinds.find((kind) => kind === given['log']),
  });

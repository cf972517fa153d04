import { monthOf } from './items.ts';

/** Stored amounts of an index. */
export interface Holding {
  readonly vectors: number;
  readonly denseBytes: number;
  readonly sparseBytes: number;
  /** Bytes of the original files that jobs of the index keep. */
  readonly originalBytes: number;
}

/** Rows up to which an index may grow until a time without reading what the other indexes of its organization hold. */
export interface Room {
  readonly rows: number;
  readonly until: string;
}

export const nothingHeld: Holding = { vectors: 0, denseBytes: 0, sparseBytes: 0, originalBytes: 0 };

export const sumOfHoldings = (holdings: Iterable<Holding>): Holding => {
  const sum = { ...nothingHeld };
  for (const { vectors, denseBytes, sparseBytes, originalBytes } of holdings) {
    sum.vectors += vectors;
    sum.denseBytes += denseBytes;
    sum.sparseBytes += sparseBytes;
    sum.originalBytes += originalBytes;
  }
  return sum;
};

/** Usage of an index since its creation. Every number only grows. */
export interface UsageTotals {
  readonly vectors_written: number;
  readonly vectors_deleted: number;
  readonly pages: number;
  readonly ocr_credits: number;
  readonly audio_credits: number;
  readonly audio_seconds: number;
  readonly crawl_pages: number;
  readonly embedding_tokens: number;
  readonly serverless_invocations: number;
}

/** Usage with that of searches. */
export interface UsageWithSearches extends UsageTotals {
  readonly rerank_units: number;
}

/** Usage counters of an index. They are part of its record. */
export interface UsageCounters {
  readonly totals: UsageTotals;
  /** Month of the last change, `YYYY-MM`. `base` has the totals before the first change of that month. */
  readonly month: string;
  readonly base: UsageTotals;
  /** Stored amounts before the first change of the month. */
  readonly start: Holding;
  /** Receipt ids of the log that were counted last, so that a repeat is not counted twice. */
  readonly counted: readonly string[];
  /** Ids of jobs, crawls and late tokens that were counted last, and whose own items may not be marked as counted yet. */
  readonly countedItems: readonly string[];
  /** Bytes of the original files that ended jobs keep now. */
  readonly originalBytes: number;
  /** Number of changes. A write that is based on an earlier one is refused. */
  readonly revision: number;
}

export const noUsage: UsageTotals = {
  vectors_written: 0,
  vectors_deleted: 0,
  pages: 0,
  ocr_credits: 0,
  audio_credits: 0,
  audio_seconds: 0,
  crawl_pages: 0,
  embedding_tokens: 0,
  serverless_invocations: 0,
};

/** Counters of an index without usage. */
export const newUsageCounters: UsageCounters = {
  totals: noUsage,
  month: '',
  base: noUsage,
  start: nothingHeld,
  counted: [],
  countedItems: [],
  originalBytes: 0,
  revision: 0,
};

const usageKeys = Object.keys(noUsage) as (keyof UsageTotals)[];

/** Combines each figure of two totals. */
export const combineUsage = (
  one: UsageTotals,
  other: Partial<UsageTotals>,
  combine: (a: number, b: number) => number,
): UsageTotals => {
  // An organization may have thousands of indexes and days, so no lists of entries are made.
  const combined: { -readonly [Key in keyof UsageTotals]: number } = { ...noUsage };
  for (const key of usageKeys) combined[key] = combine(one[key], other[key] ?? 0);
  return combined;
};

/** Counters and stored amounts of an index before a change. */
interface Before {
  readonly usage: UsageCounters;
  readonly held: Holding;
}

/** Maximum remembered receipts, and ids of items: more than one batch of the writer has, and more than run at a time. */
const maxCounted = 32;

/** Usage, and the bytes of originals that it adds or, if negative, removes. */
interface Counted {
  readonly used?: Partial<UsageTotals>;
  readonly originalBytes?: number;
  /** Id of the item whose usage it is; null for messages of the log. */
  readonly itemId?: string | null;
}

/** Adds usage to the counters of an index. */
export const addUsage = (
  { usage, held }: Before,
  { used = {}, originalBytes = 0, itemId = null }: Counted,
  at: string,
): UsageCounters => {
  // The month never goes back, because the clocks of two runs may be in different months.
  const month = monthOf(at) > usage.month ? monthOf(at) : usage.month;
  return {
    ...usage,
    totals: combineUsage(usage.totals, used, (a, b) => a + b),
    month,
    originalBytes: usage.originalBytes + originalBytes,
    countedItems: itemId === null ? usage.countedItems : [...usage.countedItems, itemId].slice(-maxCounted),
    revision: usage.revision + 1,
    ...(usage.month === month ? { base: usage.base, start: usage.start } : { base: usage.totals, start: held }),
  };
};

interface CountedMessage {
  readonly receiptId: string;
  readonly used: Partial<UsageTotals>;
}

/** Counts the usage of each message of a batch once, even if the batch is repeated in part. */
export const countMessages = (before: Before, messages: readonly CountedMessage[], at: string): UsageCounters => {
  const { usage } = before;
  const fresh = messages.filter(({ receiptId }) => !usage.counted.includes(receiptId));
  const used = fresh.reduce((sum, message) => combineUsage(sum, message.used, (a, b) => a + b), noUsage);
  const counted = [...usage.counted, ...fresh.map(({ receiptId }) => receiptId)].slice(-maxCounted);
  return { ...addUsage(before, { used }, at), counted };
};

import { monthOf } from './items.ts';

/** What an index holds. */
export interface Holding {
  readonly vectors: number;
  readonly denseBytes: number;
  readonly sparseBytes: number;
  /** Original files that jobs of the index keep. */
  readonly originalBytes: number;
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

/** What an index has used since it was made; every number only grows. */
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

/** The account of an index. It lies in the index's own record, which its one writer alone changes. */
export interface Account {
  readonly totals: UsageTotals;
  /** The month that runs, `YYYY-MM`; `base` is what `totals` was before its first change. */
  readonly month: string;
  readonly base: UsageTotals;
  /** What the index held before its first change of the month. */
  readonly start: Holding;
  /** Receipt ids of messages and ids of jobs that were counted last: one that comes again is not counted again. */
  readonly counted: readonly string[];
  /** Original files that ended jobs keep now. */
  readonly originalBytes: number;
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

/** The account of an index that has used nothing. */
export const newAccount: Account = {
  totals: noUsage,
  month: '',
  base: noUsage,
  start: nothingHeld,
  counted: [],
  originalBytes: 0,
};

const usageKeys = Object.keys(noUsage) as (keyof UsageTotals)[];

/** Applies an operation to each figure of two accounts. */
export const combineUsage = (
  one: UsageTotals,
  other: Partial<UsageTotals>,
  combine: (a: number, b: number) => number,
): UsageTotals => {
  const entries = usageKeys.map((key) => [key, combine(one[key], other[key] ?? 0)] as const);
  return { ...noUsage, ...Object.fromEntries(entries) };
};

/** An account as it was before a change, and what its index held then. */
interface Before {
  readonly usage: Account;
  readonly held: Holding;
}

const add = (
  { usage, held }: Before,
  used: Partial<UsageTotals>,
  at: string,
): Omit<Account, 'counted' | 'originalBytes'> => {
  // Never back: clocks of two runs may stand in different months.
  const month = monthOf(at) > usage.month ? monthOf(at) : usage.month;
  return {
    totals: combineUsage(usage.totals, used, (a, b) => a + b),
    month,
    ...(usage.month === month ? { base: usage.base, start: usage.start } : { base: usage.totals, start: held }),
  };
};

/** Receipts and jobs that an account remembers: more than a writer is ever handed at once. */
const mostCounted = 32;

/** A message or a job with what it has used, and the bytes of originals that it adds or, below zero, takes away. */
interface CountedMessage {
  readonly receiptId: string;
  readonly used: Partial<UsageTotals>;
  readonly originalBytes?: number;
}

/** Counts what each message of a batch has used, each once, whether or not the batch comes again in part or in whole. */
export const countMessages = (before: Before, messages: readonly CountedMessage[], at: string): Account => {
  const { usage } = before;
  const fresh = messages.filter(({ receiptId }) => !usage.counted.includes(receiptId));
  const used = fresh.reduce((sum, message) => combineUsage(sum, message.used, (a, b) => a + b), noUsage);
  const counted = [...usage.counted, ...fresh.map(({ receiptId }) => receiptId)].slice(-mostCounted);
  const originalBytes = fresh.reduce((sum, message) => sum + (message.originalBytes ?? 0), usage.originalBytes);
  return { ...usage, ...add(before, used, at), counted, originalBytes };
};

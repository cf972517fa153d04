import type { Plan } from '../kernel/plans.ts';
import type { Account, Holding, UsageTotals } from './account.ts';

export type SearchMode = 'dense' | 'sparse' | 'hybrid';

/** The end of one day on which an index was changed. */
export interface DayEnd extends Holding {
  readonly totals: UsageTotals;
}

/** One index in one month. */
export interface IndexMonth {
  readonly indexId: string;
  /** What the index has used in the month, but for searches. */
  readonly used: UsageTotals;
  /** Totals before the month. */
  readonly base: UsageTotals;
  /** What the index held before its first change of the month. */
  readonly start: Holding;
  readonly searches: Readonly<Record<SearchMode, number>>;
  readonly searchTokens: number;
  /** By day of the month, two digits; only days with a change. */
  readonly dayEnds: ReadonlyMap<string, DayEnd>;
  /** By day of the month, two digits; only days with a search. */
  readonly daySearches: ReadonlyMap<string, number>;
}

/** A file job that is about to be stored. */
export interface StartedJob {
  readonly id: string;
  readonly indexId: string;
  readonly at: Date;
  /** Whether a job of the same organization is stored, so that no repeat of its request reserves it again. */
  readonly isStored: (job: { readonly id: string; readonly indexId: string }) => Promise<boolean>;
}

/** Takes back what was counted; a table that cannot be reached leaves it counted. */
export type TakeBack = () => Promise<void>;

export interface UsageReader {
  /** Every index that was changed or searched in a month, `YYYY-MM`, also those that are gone. */
  month(organizationId: string, month: string): Promise<readonly IndexMonth[]>;
  indexMonth(organizationId: string, month: string, indexId: string): Promise<IndexMonth | null>;
  /** What each index that was changed in a month held before its first change of it. */
  heldBefore(organizationId: string, month: string): Promise<ReadonlyMap<string, Holding>>;
  /** File jobs that were started in a month. */
  fileJobs(organizationId: string, month: string): Promise<number>;
  /** Those of one index; jobs that a version before this count started are left out. */
  indexFileJobs(organizationId: string, month: string, indexId: string): Promise<number>;
  /** What all indexes hold, and what each of them does. */
  stored(organizationId: string): Promise<Holding & { readonly byIndex: ReadonlyMap<string, Holding> }>;
}

export interface UsageWriter extends UsageReader {
  /**
   * Sets what an index holds and has used, in the month of its account and on the day of it that is nearest to `at`; a
   * repeat changes nothing. Only the writer of the index calls it, and that of its parent while a branch is made.
   */
  saveIndex(
    index: { readonly organizationId: string; readonly id: string },
    holding: Holding,
    account: Account,
    at: string,
  ): Promise<void>;
  /** Takes the holding of an index that is gone off the books; what it used stays. */
  releaseIndex(organizationId: string, indexId: string): Promise<void>;
  /**
   * Counts what one request searched.
   * @param searches searches that it made; default 1.
   * @returns Takes the count back, where nobody gets an answer after all.
   */
  countSearch(
    organizationId: string,
    indexId: string,
    mode: SearchMode,
    tokens: number,
    searches?: number,
  ): Promise<TakeBack>;
  /** Takes one file job from the month's allowance, once for each job. Throws 402. */
  reserveFileJob(organizationId: string, plan: Plan, job: StartedJob): Promise<void>;
}

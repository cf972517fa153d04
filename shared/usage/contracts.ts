import type { Plan } from '../kernel/plans.ts';
import type { LatencyHistogram } from './latency-histogram.ts';
import type { UsageCounters, Holding, Room, UsageTotals } from './usage-counters.ts';

export type SearchMode = 'dense' | 'sparse' | 'hybrid';

/** State at the end of a day on which an index was changed. */
export interface DayEnd extends Holding {
  readonly totals: UsageTotals;
}

/** Searches of an index on one day. */
export interface DaySearches {
  readonly searches: number;
  readonly tokens: number;
  readonly rerankUnits: number;
  /** Latencies of most of the searches: a process loses at most one per index. */
  readonly latencies: Readonly<Record<SearchMode, LatencyHistogram>>;
}

/** Usage of one index in one month. */
export interface IndexMonth {
  readonly indexId: string;
  /** Usage in the month, without searches. */
  readonly used: UsageTotals;
  /** Totals before the month. */
  readonly base: UsageTotals;
  /** Stored amounts before the first change of the month. */
  readonly start: Holding;
  readonly searches: Readonly<Record<SearchMode, number>>;
  readonly searchTokens: number;
  readonly rerankUnits: number;
  /** By day of the month, two digits; only days with a change. */
  readonly dayEnds: ReadonlyMap<string, DayEnd>;
  /** By day of the month, two digits; only days with a search. */
  readonly daySearches: ReadonlyMap<string, DaySearches>;
}

/** Changes of the bytes of an organization's files without an index, in one month with such a change. */
export interface StoredFilesMonth {
  readonly month: string;
  /** Sum of the changes by day of the month, two digits. */
  readonly days: ReadonlyMap<string, number>;
}

/** File job that is about to be stored. */
export interface StartedJob {
  readonly id: string;
  readonly indexId: string;
  readonly at: Date;
  /** Whether a job of the organization is stored. A repeat of the request of a stored job reserves nothing. */
  readonly isStored: (job: { readonly id: string; readonly indexId: string }) => Promise<boolean>;
}

/** Undoes a count. If the table is unavailable, the count stays. */
export type UndoCount = () => Promise<void>;

export interface UsageReader {
  /** Returns every index that was changed or searched in a month, `YYYY-MM`, deleted indexes included. */
  month(organizationId: string, month: string): Promise<readonly IndexMonth[]>;
  indexMonth(organizationId: string, month: string, indexId: string): Promise<IndexMonth | null>;
  /** Returns the stored amounts of each index before its first change in a month. Unchanged indexes have no entry. */
  heldBefore(organizationId: string, month: string): Promise<ReadonlyMap<string, Holding>>;
  /** Returns the file jobs that were started in a month. */
  fileJobs(organizationId: string, month: string): Promise<number>;
  /** Returns the file jobs of one index. Jobs of versions before this count are missing. */
  indexFileJobs(organizationId: string, month: string, indexId: string): Promise<number>;
  /** Returns the file jobs of each index that were started in a month, by day of the month. */
  dayFileJobs(organizationId: string, month: string): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** Returns the stored amounts of all indexes together and of each. */
  stored(
    organizationId: string,
  ): Promise<Holding & { readonly byIndex: ReadonlyMap<string, Holding & { readonly room: Room | null }> }>;
  /** Returns the changes of the bytes of files without an index. */
  storedFiles(organizationId: string): Promise<readonly StoredFilesMonth[]>;
}

export interface UsageWriter extends UsageReader {
  /**
   * Saves the stored amounts and usage of an index, for the month of its counters and the day of it that is nearest to `at`.
   * A repeat changes nothing, and neither do counters that are older than the saved ones.
   */
  saveIndex(
    index: { readonly organizationId: string; readonly id: string },
    holding: Holding,
    account: UsageCounters,
    at: string,
    room?: Room | null,
  ): Promise<void>;
  /** Removes the stored amounts of a deleted index from the ledger. Its usage stays. */
  releaseIndex(organizationId: string, indexId: string): Promise<void>;
  /** Records the latency of a search, in memory. The next count of a search of the index stores it. */
  recordLatency(organizationId: string, indexId: string, mode: SearchMode, ms: number): void;
  /**
   * Counts the searches of one request, and stores the recorded latencies of the index, in one write.
   * @param searches Number of searches; default 1.
   * @param rerankUnits Units of rerankers; default 0.
   * @returns Function that undoes the count, for a request that fails after all.
   */
  countSearch(
    organizationId: string,
    indexId: string,
    mode: SearchMode,
    tokens: number,
    searches?: number,
    rerankUnits?: number,
  ): Promise<UndoCount>;
  /** Reserves one file job of the monthly quota, once for each job. Throws 402. */
  reserveFileJob(organizationId: string, plan: Plan, job: StartedJob): Promise<void>;
}

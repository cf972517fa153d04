import type { Filter } from '../filter.ts';
import type { ChangeResult, FoundRow, IndexRef, Row, TableState, VersionedRow } from '../port.ts';

export type { VersionedRow } from '../port.ts';

/** Converts a row that was read with its vector. */
export const toVersioned = ({ version, vector, ...row }: FoundRow): VersionedRow => {
  if (vector === null || version === undefined) throw new Error(`row ${row.id} was read without its vector or version`);
  return { ...row, vector, version };
};

/** Changes that a journal keeps. A writer never receives more at once, so that every repeated change is recognized. */
export const maxJournalEntries = 32;

/** Rows that a change concerns without naming them. */
export type RowMatcher = { readonly filter: Filter } | { readonly jobId: string };

/** Versions of visible rows by id. Ids without a row are absent. */
export type Versions = ReadonlyMap<string, string>;

/** Effect of changes on an index: the final state of each id that they touch. */
export interface Commit {
  /** Rows to write, one for each id. */
  readonly rows: readonly VersionedRow[];
  /** Ids of visible rows to remove, none of them in `rows`. `all`: the index becomes empty. */
  readonly removed: readonly string[] | 'all';
  /** Jobs whose rows from before the commit are all removed. Their visible rows are in `removed`, unless overwritten. */
  readonly removedJobs: readonly string[];
  /** Results of the changes by key, in order. */
  readonly journal: readonly (readonly [key: string, result: ChangeResult])[];
}

/** Content of a branch that is promoted. */
export interface BranchContent extends Pick<IndexContent, 'matching' | 'read'> {
  /** Returns the versions of rows that the branch has written since the branch point. Null: it has removed the row. */
  changes(): Promise<ReadonlyMap<string, string | null>>;
}

/**
 * Content of an index as of its newest version, on which changes are decided. An engine answers what is stored, and
 * writes the effect of changes. It knows nothing of their kinds.
 */
export interface IndexContent {
  /** Settings by which filters match. */
  readonly ref: IndexRef;
  /** Whether a write is one version. If not, each change is written by itself, and may be incomplete after a failure. */
  readonly isAtomic: boolean;
  /**
   * Results of the last changes by key, at least 32 if writes are atomic. An entry is `unfinished` if its write may be
   * incomplete and must be repeated.
   */
  readonly journal: ReadonlyMap<string, ChangeResult>;
  /** Returns whether no other writer has written a newer version. A commit that writes nothing would not notice it. */
  isNewest(): Promise<boolean>;
  /** Returns the number of visible rows. */
  rows(): Promise<number>;
  /** Returns the state of the index, after a write that of the new version. */
  state(): Promise<TableState>;
  /** Returns why the engine cannot store a row; null if it can. */
  problemOf(row: Row): string | null;
  lookUp(ids: readonly string[]): Promise<Versions>;
  matching(matcher: RowMatcher): Promise<Versions>;
  /** Reads visible rows in no order, in batches of limited memory. */
  read(ids: readonly string[]): AsyncIterable<readonly VersionedRow[]>;
  /** Opens a branch of this index. Throws `Unsupported` if the engine has no branches. */
  openBranch(branch: IndexRef): Promise<BranchContent>;
  /**
   * Writes a commit and its journal. May be repeated after a failure. If the journal has the key of the commit already,
   * this completes an `unfinished` write, whose result is not counted again.
   * @returns False: another writer has written the next version, so that nothing was written.
   */
  write(commit: Commit): Promise<boolean>;
}

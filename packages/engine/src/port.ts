import type { Json, JsonObject } from '../../../shared/kernel/json.ts';
import type { Filter } from './filter.ts';
import type { EngineName } from './engines.ts';
import type { Analyzer, TextLanguage } from './text-language.ts';

/** Distance metrics of an index. */
export type DistanceMetric = 'cosine' | 'euclidean';

/** One stored chunk. Its dense and its sparse side are one row, so they can never disagree. */
export interface Row {
  readonly id: string;
  /** Length = `dimensions` of the index; finite; not all zero under cosine (validated before the engine). */
  readonly vector: Float32Array;
  /** The text that BM25 searches, as it was written. Null if the row is dense only. */
  readonly text: string | null;
  readonly metadata: JsonObject;
  /** The file job that wrote the row; null for a direct upsert. */
  readonly jobId: string | null;
  readonly filename: string | null;
  /** 1-based, inclusive; null where the source has no pages. */
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
  /** Place of its text in its file, packed by the caller. No filter compares it. Absent: unknown. */
  readonly passage?: string;
  /** Time from which the row is absent, in milliseconds since 1970. Absent: it does not expire. */
  readonly expiresAt?: number;
}

/** A row with the key of the change that wrote it. */
export interface VersionedRow extends Row {
  readonly version: string;
}

/** One table to read, as of one committed version. */
export interface Layer {
  readonly table: string;
  readonly version: number;
}

/**
 * Tables and settings that are needed to read or write one index. `layers[0]` is the index's own table. The others are
 * its ancestors, nearest first, at the versions on which the branch is based. Only that of its parent is read.
 */
export interface IndexRef {
  /** Default `lance`. */
  readonly engine?: EngineName;
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly nonFilterableKeys: readonly string[];
  /** Language of the stemmer of the text index, fixed when the table is created. Default `english`. */
  readonly textLanguage?: TextLanguage;
  /** Version of the analysis of texts, fixed likewise. Default `v2`. */
  readonly analyzer?: Analyzer | undefined;
  readonly layers: readonly [Layer, ...Layer[]];
  /** Manifest of the version of `layers[0]`. Empty or undefined: it is long, or not known. */
  readonly manifest?: string | undefined;
  /** Time in milliseconds since 1970 from which rows may have expired. Undefined: no row expires. */
  readonly expiresFrom?: number | undefined;
  /** Time by which rows count as expired in a commit. Undefined: no row does. The engine sets it. */
  readonly liveAt?: number | undefined;
  /** Whether no newer version is read if that of `layers[0]` was removed. Then a read throws `VersionGone`. */
  readonly isPinned?: boolean | undefined;
}

/** Patch that is merged into the metadata of one row by RFC 7396: null removes a key. */
export interface MetadataPatch {
  readonly id: string;
  readonly metadata: JsonObject;
}

/** Versions that rows must have for a change to apply, by id. Null: the row must not exist. */
export type Expected = ReadonlyMap<string, string | null>;

/**
 * Treatment of rows that the parent has written since the branch point. `keep` preserves those that the branch did not
 * touch. `discard` makes the parent contain exactly the rows of the branch.
 */
export type ParentChanges = 'keep' | 'discard';

/** A row that is erased. */
export type ErasedRow = Pick<Row, 'id' | 'jobId'>;

/** One change of an index. Changes of one commit apply in order. */
export type Change =
  /**
   * Writes all rows, or none if a row's version differs from the one in `expected`. Stored rows that do not match `within`
   * count as absent, here and in the changes below.
   */
  | { readonly kind: 'upsert'; readonly rows: readonly Row[]; readonly expected?: Expected; readonly within?: Filter }
  /**
   * Skips ids without a row. Applies no patch if a row's version differs from `expected`, if its JSON would exceed
   * `maxBytes`, or if it would no longer match `within`.
   */
  | {
      readonly kind: 'patch';
      readonly patches: readonly MetadataPatch[];
      readonly maxBytes: number;
      readonly expected?: Expected;
      readonly within?: Filter;
    }
  | { readonly kind: 'delete'; readonly ids: readonly string[]; readonly within?: Filter }
  /** A filter that every row matches empties the index, which takes no longer for many rows. */
  | { readonly kind: 'deleteWhere'; readonly filter: Filter }
  /** Merges one patch into the metadata of all rows that match. Limits as in a patch and in a promotion. */
  | {
      readonly kind: 'patchWhere';
      readonly filter: Filter;
      readonly metadata: JsonObject;
      readonly maxRowBytes: number;
      readonly maxBytes: number;
      readonly within?: Filter;
    }
  | { readonly kind: 'deleteJob'; readonly jobId: string }
  /**
   * Removes rows for good: those with some ids, of a job, and those that match. Expired ones are among them.
   * @param report Called before they are removed, so that they can be looked for later. A repeat calls it again.
   */
  | {
      readonly kind: 'erase';
      readonly ids: readonly string[];
      readonly jobId: string | null;
      readonly filter: Filter | null;
      readonly report: (rows: readonly ErasedRow[]) => Promise<void>;
    }
  /** Writes rows of another index, which keep their versions, and removes the rows of `removed`. */
  | { readonly kind: 'copy'; readonly rows: readonly VersionedRow[]; readonly removed: readonly string[] }
  /** Replaces all rows of `oldJobId` by `rows` in one version: no reader ever sees half of it. */
  | {
      readonly kind: 'replaceJob';
      readonly oldJobId: string;
      readonly rows: readonly Row[];
      /** Limit as in a promotion. */
      readonly maxBytes: number;
    }
  /** Replaces the content of the index that the branch was created from by the content of the branch. */
  | {
      readonly kind: 'promote';
      readonly branch: IndexRef;
      readonly parentChanges: ParentChanges;
      /** Returns rows of the branch with vectors of the model of its parent. Absent: they have the same. */
      readonly embed?: (rows: readonly VersionedRow[]) => Promise<readonly VersionedRow[]>;
      /** A promotion that weighs more (commit-weight.ts) is refused. */
      readonly maxBytes: number;
    };

/** Result of one change. */
export interface ChangeResult {
  /** Distinct ids that the change wrote. */
  readonly written: number;
  /** Visible rows that the change removed. */
  readonly deleted: number;
  /** Earliest expiry of the rows that it wrote, in milliseconds since 1970. Absent: none of them expires. */
  readonly expiresFrom?: number;
  /** Rows whose version was not the expected one, with their version. If there are any, nothing was changed. */
  readonly conflicts?: readonly { readonly id: string; readonly version: string | null }[];
  /** Ids of a patch that have no row. */
  readonly missing?: readonly string[];
  /** Ids whose metadata a patch would have made too large. If there are any, nothing was changed. */
  readonly tooLarge?: readonly string[];
  /** Number of rows that a patch would have made match `within` no longer. If there are any, nothing was changed. */
  readonly outside?: number;
  /** Rows that the change would have had to write or remove, if they weigh too much. Then nothing was changed. */
  readonly tooMany?: number;
  /** The change has begun, but may be incomplete: it must be repeated whole. Only of a change without rows. */
  readonly unfinished?: true;
  /** Reason for which the engine cannot store rows of the change. Then nothing was changed. */
  readonly unsupported?: string;
  /** Rows of a restored version that stay away, because their jobs are gone. */
  readonly leftOut?: number;
  /** Rows that the change would have added, if the index may not grow by so many. Then nothing was changed. */
  readonly noRoom?: number;
}

/**
 * Work beside the log that an index waits for. `overdue`: so much that writes should wait for it too. `paused`: a fold that
 * is worth its cost once writes pause.
 */
export type MaintenanceNeed = 'none' | 'paused' | 'due' | 'overdue';

/** The state of an index after a commit. */
export interface TableState {
  /** Version of `layers[0]`. */
  readonly version: number;
  /** Version of the last commit. Maintenance has written those after it. */
  readonly commitVersion: number;
  readonly rows: number;
  /** Bytes of the vectors: rows × dimensions × 4. */
  readonly denseBytes: number;
  /** UTF-8 bytes of the texts. */
  readonly sparseBytes: number;
  /** Rows that the next maintenance adds to the vector index. 0 if there is none, because comparing all is as fast. */
  readonly unindexedRows: number;
  readonly maintenance: MaintenanceNeed;
  /** Manifest of the version, without its journal. Empty if it is long. */
  readonly manifest: string;
}

export interface CommitResult {
  readonly state: TableState;
  /** One per change, in order. */
  readonly results: readonly ChangeResult[];
}

/** What maintenance keeps and removes. */
export interface Retention {
  /** Seconds for which a version is kept after it was replaced. */
  readonly keepSeconds: number;
  /** Days for which some of the versions before are kept: those at the end of five minutes, later of an hour. Default: 0. */
  readonly keepDays?: number;
  /** Versions that are read: that of the record, and those of branches and exports. */
  readonly keepVersions: readonly number[];
  /** Whether removed and replaced rows are removed from the files too. Default: only as far as that saves time. */
  readonly purge?: boolean;
  /** Whether writes have paused, so that a fold of fewer rows is worth its cost. */
  readonly paused?: boolean;
  /** Version before which none is kept, besides those of the last minutes. Default: 0. */
  readonly fromVersion?: number;
  /** Whether a branch gets objects of its own in place of those of its parent. */
  readonly detached?: boolean;
}

/** Rows that were erased. Nothing of them may be left. */
export interface Erased {
  readonly ids: ReadonlySet<string>;
  /** When they were erased. */
  readonly at: Date;
  /** Version before which none should be left. */
  readonly fromVersion: number;
}

/** Objects and tables that may have erased rows. */
export interface Leftovers {
  /** Newest version. */
  readonly version: number;
  /** Objects and tables of the newest version with such rows, or with ones of its parent. */
  readonly live: readonly string[];
  /** Objects and tables of before that no version needs. */
  readonly older: readonly string[];
}

/** Version of an index that is kept. */
export interface KeptVersion {
  readonly version: number;
  /** Time from which it was the newest. */
  readonly writtenAt: Date;
}

/** Version that an index restores. */
export interface Restoration {
  /** Version with the content. */
  readonly version: number;
  /** Unique for all time. A repeat with the same key changes nothing, and returns the result of the first. */
  readonly key: string;
  /** Returns which of some jobs have been deleted or replaced since. Their rows stay away. */
  readonly goneOf: (jobIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Rows that the index may have. If the version has more, nothing changes. */
  readonly maxRows: number;
}

/** Writer of the engine. Every call may be repeated after a crash, or run twice at once, with the same visible rows. */
export interface EngineWriter {
  /** Creates an index: empty, or a branch with the rows of its parent. If it exists, only returns its state. */
  create(ref: IndexRef): Promise<TableState>;
  /**
   * Applies the changes in one version, or in none if nothing changes.
   * @param keys One for each change, unique for all time. The rows that a change writes have its key as their version.
   *   A change whose key is among those of the last commits is not applied again, but its result is returned again.
   * @param maxRows Rows that the index may have. A change that would add rows beyond that changes nothing. Default: no
   *   limit.
   */
  commit(ref: IndexRef, changes: readonly Change[], keys?: readonly string[], maxRows?: number): Promise<CommitResult>;
  /**
   * Makes a former version the content again, as one new version, without writing its rows. Returns null if it is not kept.
   * Throws `Unsupported` if the engine has no versions. `written`: rows that the index has again, `deleted`: rows that are gone.
   */
  restore(ref: IndexRef, restoration: Restoration): Promise<CommitResult | null>;
  /** Does the work that `maintenance` of a state announces. Commits go on meanwhile. */
  maintain(ref: IndexRef, retention: Retention): Promise<TableState>;
  /** Removes versions that are not kept, with the files that no other version needs. */
  collect(ref: IndexRef, retention: Retention): Promise<void>;
  /** Looks into the stored objects of an index for rows that were erased. */
  leftovers(ref: IndexRef, erased: Erased): Promise<Leftovers>;
  /** Removes the table and all its files. Does nothing if it does not exist. */
  drop(table: string): Promise<void>;
}

/** Method that joins the two sides of a hybrid search. */
export interface Fusion {
  /** `rrf`: weighted reciprocal ranks; `weighted`: convex sum of normalized scores. */
  readonly method: 'rrf' | 'weighted';
  /** Rank constant of `rrf`. */
  readonly k: number;
  /** Share of the dense side, 0 to 1. The sparse side has the rest. */
  readonly denseWeight: number;
}

/** A vector, or a function that produces it. A hybrid search calls the function while its sparse side runs. */
export type QueryVector = Float32Array | (() => Promise<Float32Array>);

export type SearchQuery = {
  readonly topK: number;
  /**
   * Rows of each side that a hybrid search fuses. All of them are returned, even if they are more than `topK`. Default: 100,
   * and no more than `topK` are returned.
   */
  readonly depth?: number;
  readonly filter?: Filter;
  /** Compare with every row, without the vector index. */
  readonly exact?: boolean;
  /** Return vectors with the hits. */
  readonly includeVector?: boolean;
  /** Default true. If false, every row has `null`. */
  readonly includeText?: boolean;
  /** Default true. If false, every row has no metadata. */
  readonly includeMetadata?: boolean;
} & (
  | { readonly mode: 'dense'; readonly vector: QueryVector }
  | { readonly mode: 'sparse'; readonly text: string }
  | { readonly mode: 'hybrid'; readonly vector: QueryVector; readonly text: string; readonly fusion: Fusion }
);

/** A row without its vector, unless the vector was requested. */
export type FoundRow = Omit<Row, 'vector'> & {
  readonly vector: Float32Array | null;
  /** Key of the change that wrote the row. Absent in the hits of a search. */
  readonly version?: string;
};

export interface Hit {
  readonly row: FoundRow;
  /** Higher is better: cosine similarity, negative squared euclidean distance, BM25, or the fused score. */
  readonly score: number;
  /** 1-based rank on each side that found the row. */
  readonly ranks: { readonly dense: number | null; readonly sparse: number | null };
  /** Each side's own score. */
  readonly scores: { readonly dense: number | null; readonly sparse: number | null };
  /** Contribution of each side to `score`, which is their sum. Null if a side did not find the row. */
  readonly shares: { readonly dense: number | null; readonly sparse: number | null };
  /** Position in `layers` of the index whose files contain the row: a large branch has copies of its ancestors' rows. */
  readonly layer: number;
}

export interface ListPage {
  readonly rows: readonly FoundRow[];
  /** Last id of the page if more may follow. Pass it as `after`. */
  readonly next: string | null;
}

/** Change of a branch to one id since the branch point. */
export interface Difference {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

export interface DifferencePage {
  readonly differences: readonly Difference[];
  /** Last id of the page if more may follow. Pass it as `after`. */
  readonly next: string | null;
}

/** Values of a key whose rows are counted, at most `limit` of them. */
export interface Facet {
  readonly key: string;
  readonly limit: number;
}

/** Counts of the values of a key, most frequent first, and equal counts in the order of their JSON. */
export interface FacetCounts {
  readonly key: string;
  readonly values: readonly { readonly value: Json; readonly count: number }[];
  /** Distinct values. Null: there are more than 100,000, so none are returned. */
  readonly distinct: number | null;
}

/** Summary of the metadata of some rows. */
export interface MetadataSummary<Result> {
  readonly add: (metadata: JsonObject, id: string) => void;
  readonly result: () => Result;
}

/**
 * Reader of the engine. Many may run at once. An index is read at the version of the ref, or at a newer one if that was
 * removed.
 */
export interface EngineReader {
  search(ref: IndexRef, query: SearchQuery): Promise<readonly Hit[]>;
  /**
   * Returns the ids of the chunks of files by their jobs, in the order of the file: those that begin with the id of the job
   * and a colon. Some may have no row.
   */
  chunkIds(ref: IndexRef, jobIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns rows in the order of `ids`. Ids without a row are left out. */
  fetch(ref: IndexRef, ids: readonly string[], includeVector: boolean): Promise<readonly FoundRow[]>;
  /** Returns rows in order of id, with their vectors if requested. */
  list(
    ref: IndexRef,
    page: {
      readonly after: string | null;
      readonly limit: number;
      readonly filter?: Filter;
      readonly includeVector?: boolean;
    },
  ): Promise<ListPage>;
  /**
   * Returns the ids that a branch has written or removed, compared with its parent at the branch point, in order of id.
   */
  diff(ref: IndexRef, page: { readonly after: string | null; readonly limit: number }): Promise<DifferencePage>;
  /**
   * Returns visible rows with their vectors, picked evenly over the index. The same seed returns the same rows while
   * the index is unchanged.
   */
  sample(ref: IndexRef, count: number, seed: number): Promise<readonly FoundRow[]>;
  /** Returns the kept versions, oldest first. Throws `Unsupported` if the engine has none. @param keepDays As of a retention. */
  versions(ref: IndexRef, keepDays: number): Promise<readonly KeptVersion[]>;
  /** Returns the number of rows of each of some versions. Null: it is not kept. */
  rowsAt(ref: IndexRef, versions: readonly number[]): Promise<readonly (number | null)[]>;
  /** Returns the number of visible rows, of all or of those that match. */
  count(ref: IndexRef, filter?: Filter): Promise<number>;
  /**
   * Returns a number that changes when files are replaced or deleted. Pages of a list belong to one state of all files if
   * it is the same before the first and after the last. Always 0 in an engine whose pages are of the version of the ref.
   */
  viewOf(ref: IndexRef): Promise<number>;
  /**
   * Adds the metadata and ids of visible rows to a summary, of all or of those that match, in no order and in batches.
   * @param begin Returns an empty summary. Called again if the read starts again.
   */
  summarize<Result>(ref: IndexRef, filter: Filter | undefined, begin: () => MetadataSummary<Result>): Promise<Result>;
  /** Counts the values of keys over all visible rows that match. */
  facets(ref: IndexRef, filter: Filter | undefined, facets: readonly Facet[]): Promise<readonly FacetCounts[]>;
}

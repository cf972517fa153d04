import type { JsonObject } from '../../kernel/json.ts';
import type { Filter } from './filter.ts';
import type { TextLanguage } from './text-language.ts';

/** Distance metrics of an index. */
export type DistanceMetric = 'cosine' | 'euclidean';

/** One stored chunk: its dense and its sparse side are one row, so they can never disagree. */
export interface Row {
  readonly id: string;
  /** Length = `dimensions` of the index; finite; not all zero under cosine (validated before the engine). */
  readonly vector: Float32Array;
  /** The text that BM25 searches, as it was written; null when the row is dense only. */
  readonly text: string | null;
  readonly metadata: JsonObject;
  /** The file job that wrote the row; null for a direct upsert. */
  readonly jobId: string | null;
  readonly filename: string | null;
  /** 1-based, inclusive; null where the source has no pages. */
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
}

/** One table to read, as of one committed version. */
export interface Layer {
  readonly table: string;
  readonly version: number;
}

/** Versions of a table, the first and the last of some between which no row has changed. */
export interface Unchanged {
  readonly from: number;
  readonly to: number;
}

/**
 * What is needed to read or write one index. `layers[0]` is the index's own table; the others are its ancestors, nearest
 * first, frozen at the version on which the branch stands. Rows and tombstones of a nearer layer mask those behind it.
 */
export interface IndexRef {
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly nonFilterableKeys: readonly string[];
  /** The language whose words the text index stems; fixed when the table is made. Default `english`. */
  readonly textLanguage?: TextLanguage;
  readonly layers: readonly [Layer, ...Layer[]];
  /** Versions of `layers[0]` that the last maintenance noted: readers may stand on any of them where its own is the last. */
  readonly unchanged?: Unchanged | undefined;
}

/** What is merged into the metadata of one row, as RFC 7396 says: null takes a key away. */
export interface MetadataPatch {
  readonly id: string;
  readonly metadata: JsonObject;
}

/** The versions that rows have to have for a change to apply, by id; null: there is no such row. */
export type Expected = ReadonlyMap<string, string | null>;

/**
 * What becomes of rows that the parent has written since the branch point: `keep` leaves those that the branch did not
 * touch; `discard` makes the parent hold exactly what the branch holds.
 */
export type ParentChanges = 'keep' | 'discard';

/** One change of an index. Changes of one commit apply in order. */
export type Change =
  /** All rows or, where one of them is `expected` otherwise, none. */
  | { readonly kind: 'upsert'; readonly rows: readonly Row[]; readonly expected?: Expected }
  /** Leaves out ids without a row; applies none where a row is `expected` otherwise or would exceed `mostBytes` as JSON. */
  | {
      readonly kind: 'patch';
      readonly patches: readonly MetadataPatch[];
      readonly mostBytes: number;
      readonly expected?: Expected;
    }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
  | { readonly kind: 'deleteWhere'; readonly filter: Filter }
  | { readonly kind: 'deleteJob'; readonly jobId: string }
  /** All rows of `oldJobId` give way to `rows` in one version: no reader ever sees half of it. */
  | {
      readonly kind: 'replaceJob';
      readonly oldJobId: string;
      readonly rows: readonly Row[];
      /** As in a promotion. */
      readonly mostBytes: number;
    }
  /** What the branch has come to takes its place in the index that it was made from. */
  | {
      readonly kind: 'promote';
      readonly branch: IndexRef;
      readonly parentChanges: ParentChanges;
      /** What weighs more (commit-weight.ts) is refused. */
      readonly mostBytes: number;
    };

/** What one change did. */
export interface ChangeResult {
  /** Distinct ids that the change wrote. */
  readonly written: number;
  /** Visible rows that the change removed. */
  readonly deleted: number;
  /** Rows whose version was not the expected one, with the version that they have: then nothing was changed. */
  readonly conflicts?: readonly { readonly id: string; readonly version: string | null }[];
  /** Ids of a patch that have no row. */
  readonly missing?: readonly string[];
  /** Ids whose metadata a patch would have made too large: then nothing was changed. */
  readonly tooLarge?: readonly string[];
  /** Rows that the change would have had to write or to remove, where they weigh too much: then nothing was changed. */
  readonly tooMany?: number;
  /** Rows that the change would have added, where the index may not grow by so many: then nothing was changed. */
  readonly noRoom?: number;
}

/** The state of an index after a commit. */
export interface TableState {
  /** Version of `layers[0]` that holds the commit. */
  readonly version: number;
  /** Rows that a reader sees through all layers. */
  readonly rows: number;
  /** Bytes of the visible vectors: rows × dimensions × 4. */
  readonly denseBytes: number;
  /** UTF-8 bytes of the visible texts. */
  readonly sparseBytes: number;
  /** Rows of `layers[0]` that no vector or text index covers yet. */
  readonly unindexedRows: number;
  /** Fragments of `layers[0]` that maintenance can join. */
  readonly fragments: number;
}

export interface CommitResult {
  readonly state: TableState;
  /** One per change, in order. */
  readonly results: readonly ChangeResult[];
}

/**
 * `needless`: comparing all vectors is as fast. `missing`: there is none, and should be. `whole`: as it was built, or too
 * large to be built anew for a few parts. `grown`: parts were added to it, each of which slows searches a little. `worn`:
 * too many were.
 */
export type VectorIndexState = 'needless' | 'missing' | 'whole' | 'grown' | 'worn';

export interface Maintained {
  readonly state: TableState;
  readonly vectorIndex: VectorIndexState;
}

/**
 * The writing side. Exactly one writer works on a table at any time (the log sees to that).
 * Every call may be repeated after a crash and then ends in the same visible rows.
 */
export interface EngineWriter {
  /** Creates an empty table with its indexes; does nothing but report where it exists. */
  create(ref: IndexRef): Promise<TableState>;
  /**
   * Creates the empty table of a branch; does nothing but report where it exists. Reads nothing of the ancestors, so it
   * takes the same time whatever they hold.
   * @param parent what the ancestors hold together.
   */
  branch(ref: IndexRef, parent: Pick<TableState, 'rows' | 'denseBytes' | 'sparseBytes'>): Promise<TableState>;
  /**
   * Applies the changes in one version, or in none where nothing changes.
   * @param keys one for each change, unique for all time: the rows that it writes have it as their version, and a change
   * whose key is among those of the last commits is not applied again, but its result is told again.
   * @param mostRows rows that the index may have; a change that adds rows beyond that changes nothing. Default: any.
   */
  commit(ref: IndexRef, changes: readonly Change[], keys?: readonly string[], mostRows?: number): Promise<CommitResult>;
  /**
   * Copies the next rows of the ancestors into `layers[0]`, in order of id. What a reader sees stays the same. Once `next`
   * is null, the index may be read without its ancestors.
   * @param mostRows copied at once; default: what memory allows.
   */
  inherit(
    ref: IndexRef,
    after: string | null,
    mostRows?: number,
  ): Promise<{ readonly state: TableState; readonly next: string | null }>;
  /**
   * Compacts, refreshes the indexes and removes versions older than `keepSeconds` and not in `keepVersions`. Not while
   * `buildVectorIndex` runs, which it would make fail.
   * @param builtRows Rows over which the vector index was built; null where nobody knows.
   */
  maintain(
    ref: IndexRef,
    retention: { readonly keepSeconds: number; readonly keepVersions: readonly number[] },
    builtRows: number | null,
  ): Promise<Maintained>;
  /**
   * Builds the vector index of `layers[0]` anew: seconds to minutes. The one call that may run beside the writer of the
   * table, whose commits during it stand, and are found, but are not in the index yet. Tells how many rows it was built over.
   */
  buildVectorIndex(ref: IndexRef): Promise<number>;
  /** Removes the table and all its files; does nothing where it is gone. */
  drop(table: string): Promise<void>;
}

/** How the two sides of a hybrid search are joined. */
export interface Fusion {
  /** `rrf`: weighted reciprocal ranks; `weighted`: convex sum of min-max normalized scores. */
  readonly method: 'rrf' | 'weighted';
  /** Rank constant of `rrf`. */
  readonly k: number;
  /** 0 to 1: share of the dense side; the sparse side has the rest. */
  readonly denseWeight: number;
}

/** A vector, or how to come by it; a hybrid search takes that step while its sparse side runs. */
export type QueryVector = Float32Array | (() => Promise<Float32Array>);

export type SearchQuery = {
  readonly topK: number;
  readonly filter?: Filter;
  /** Compare with every row instead of asking the vector index. */
  readonly exact?: boolean;
  /** Return vectors with the hits. */
  readonly includeVector?: boolean;
  /** Default true; without it every row says `null`. */
  readonly includeText?: boolean;
  /** Default true; without it every row has none. */
  readonly includeMetadata?: boolean;
} & (
  | { readonly mode: 'dense'; readonly vector: QueryVector }
  | { readonly mode: 'sparse'; readonly text: string }
  | { readonly mode: 'hybrid'; readonly vector: QueryVector; readonly text: string; readonly fusion: Fusion }
);

/** A row without its vector, unless the vector was asked for. */
export type FoundRow = Omit<Row, 'vector'> & {
  readonly vector: Float32Array | null;
  /** The key of the change that wrote the row; absent in the hits of a search. */
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
  /** What each side gave to `score`, which is their sum; null where a side did not find the row. */
  readonly shares: { readonly dense: number | null; readonly sparse: number | null };
  /** Position in `layers` of the table that holds the row. */
  readonly layer: number;
}

export interface ListPage {
  readonly rows: readonly FoundRow[];
  /** Last id of the page when more may follow; pass as `after`. */
  readonly next: string | null;
}

/** What a branch did to one id since the branch point. */
export interface Difference {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

export interface DifferencePage {
  readonly differences: readonly Difference[];
  /** Last id of the page when more may follow; pass as `after`. */
  readonly next: string | null;
}

/** The reading side: many readers at once, each with its tables kept open; reads at exactly the versions of the ref or newer for `layers[0]`. */
export interface EngineReader {
  search(ref: IndexRef, query: SearchQuery): Promise<readonly Hit[]>;
  /** Rows in the order of `ids`; ids that are not there are left out. */
  fetch(ref: IndexRef, ids: readonly string[], includeVector: boolean): Promise<readonly FoundRow[]>;
  /** Rows in order of id, with their vectors where these are asked for. */
  list(
    ref: IndexRef,
    page: {
      readonly after: string | null;
      readonly limit: number;
      readonly filter?: Filter;
      readonly includeVector?: boolean;
    },
  ): Promise<ListPage>;
  /** The ids that a branch has written or removed, against its parent as of the branch point, in order of id. */
  diff(ref: IndexRef, page: { readonly after: string | null; readonly limit: number }): Promise<DifferencePage>;
  /** Visible rows with their vectors, picked evenly over the index; the same ones for a seed while the index is unchanged. */
  sample(ref: IndexRef, count: number, seed: number): Promise<readonly FoundRow[]>;
  /** Number of visible rows, all or those that match. */
  count(ref: IndexRef, filter?: Filter): Promise<number>;
}

import type { JsonObject } from '../../kernel/json.ts';
import type { Filter } from './filter.ts';

/** Distance metrics of an index. */
export type DistanceMetric = 'cosine' | 'euclidean';

/** One stored chunk: its dense and its sparse side are one row, so they can never disagree. */
export interface Row {
  readonly id: string;
  /** Length = `dimensions` of the index; finite; not all zero under cosine (validated before the engine). */
  readonly vector: Float32Array;
  /** The text that BM25 searches; null when the row is dense only. */
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

/**
 * What is needed to read or write one index. `layers[0]` is the index's own table; the others are its ancestors, nearest
 * first, frozen at the version on which the branch stands. Rows and tombstones of a nearer layer mask those behind it.
 */
export interface IndexRef {
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  readonly nonFilterableKeys: readonly string[];
  readonly layers: readonly [Layer, ...Layer[]];
}

/** One change of an index. Changes of one commit apply in order. */
export type Change =
  | { readonly kind: 'upsert'; readonly rows: readonly Row[] }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
  | { readonly kind: 'deleteWhere'; readonly filter: Filter }
  | { readonly kind: 'deleteJob'; readonly jobId: string }
  /** All rows of `oldJobId` give way to `rows` in one version: no reader ever sees half of it. */
  | { readonly kind: 'replaceJob'; readonly oldJobId: string; readonly rows: readonly Row[] };

/** What one change did. */
export interface ChangeResult {
  /** Distinct ids that the change wrote. */
  readonly written: number;
  /** Visible rows that the change removed. */
  readonly deleted: number;
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
 * The writing side. Exactly one writer works on a table at any time (the log sees to that).
 * Every call may be repeated after a crash and then ends in the same visible rows.
 */
export interface EngineWriter {
  /** Creates an empty table with its indexes; does nothing but report where it exists. */
  create(ref: IndexRef): Promise<TableState>;
  /** Applies the changes in as few versions as their order allows. */
  commit(ref: IndexRef, changes: readonly Change[]): Promise<CommitResult>;
  /** Compacts, refreshes the indexes and removes versions older than `keepSeconds` and not in `keepVersions`. */
  maintain(
    ref: IndexRef,
    retention: { readonly keepSeconds: number; readonly keepVersions: readonly number[] },
  ): Promise<TableState>;
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
} & (
  | { readonly mode: 'dense'; readonly vector: QueryVector }
  | { readonly mode: 'sparse'; readonly text: string }
  | { readonly mode: 'hybrid'; readonly vector: QueryVector; readonly text: string; readonly fusion: Fusion }
);

/** A row without its vector, unless the vector was asked for. */
export type FoundRow = Omit<Row, 'vector'> & { readonly vector: Float32Array | null };

export interface Hit {
  readonly row: FoundRow;
  /** Higher is better: cosine similarity, negative squared euclidean distance, BM25, or the fused score. */
  readonly score: number;
  /** 1-based rank on each side that found the row. */
  readonly ranks: { readonly dense: number | null; readonly sparse: number | null };
  /** Each side's own score. */
  readonly scores: { readonly dense: number | null; readonly sparse: number | null };
}

export interface ListPage {
  readonly rows: readonly FoundRow[];
  /** Last id of the page when more may follow; pass as `after`. */
  readonly next: string | null;
}

/** The reading side: many readers at once, each with its tables kept open; reads at exactly the versions of the ref or newer for `layers[0]`. */
export interface EngineReader {
  search(ref: IndexRef, query: SearchQuery): Promise<readonly Hit[]>;
  /** Rows in the order of `ids`; ids that are not there are left out. */
  fetch(ref: IndexRef, ids: readonly string[], includeVector: boolean): Promise<readonly FoundRow[]>;
  /** Rows in order of id. */
  list(
    ref: IndexRef,
    page: { readonly after: string | null; readonly limit: number; readonly filter?: Filter },
  ): Promise<ListPage>;
  /** Number of visible rows, all or those that match. */
  count(ref: IndexRef, filter?: Filter): Promise<number>;
}

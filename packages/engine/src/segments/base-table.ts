import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { TextStatistics } from '../bm25.ts';
import type { FacetColumn } from '../facet-column.ts';
import type { Filter } from '../filter.ts';
import type { Candidate } from '../fuse-hits.ts';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { FoundRow, IndexRef, SearchQuery } from '../port.ts';

/** A table under the segments of an index, at one version. */
export interface TableBase {
  /** Index that writes it. A branch reads the table of its parent until it has one of its own. */
  readonly owner: string;
  readonly table: string;
  readonly version: number;
  /** Whether its files may still contain rows that were removed from it. */
  readonly hasRemovedRows: boolean;
  /** Key and bytes of the object with the set of its rows. */
  readonly rowSet: string;
  readonly rowSetBytes: number;
  readonly rows: number;
  /** Texts with terms, and all their terms. */
  readonly texts: number;
  readonly terms: number;
  /** Parts of its vector index; 0 if it has none. */
  readonly vectorParts: number;
}

/** Numbers up to which comparing all vectors is as fast as an index. */
const flatBelowNumbers = 1_000_000;
/** Rows that the training of a vector index needs. */
const trainableRows = 256;

/** Parts up to which a vector index is extended. */
const maxParts = 8;
/**
 * Larger indexes may have one part for each multiple of this, so that the share of time spent on building stays the same.
 */
const numbersPerPart = 100_000_000;

/**
 * Whether a vector index of some parts, over some numbers, is to be built again. Each part slows every search by about 2 ms
 * at 1,536 dimensions, mostly for rotating the query. Once writes pause, one part is better than several.
 */
export const isWorn = (parts: number, numbers: number, isPaused: boolean): boolean =>
  parts > Math.max(isPaused ? 1 : maxParts, numbers / numbersPerPart);

/**
 * Whether the vector index of a table is to be built: it is missing, or was extended too often. The need of a fold and the fold
 * itself both go by this. Otherwise an index could be folded again and again.
 */
export const needsVectorIndex = (
  { rows, vectorParts }: Pick<TableBase, 'rows' | 'vectorParts'>,
  { dimensions }: IndexRef,
  isPaused: boolean,
): boolean => {
  const numbers = rows * paddedDimensions(dimensions);
  if (rows < trainableRows || numbers <= flatBelowNumbers) return false;
  return vectorParts === 0 || isWorn(vectorParts, numbers, isPaused);
};

/** A row of a table that a search found. */
export interface TableHit extends Candidate {
  /** Address of the row in the table. */
  readonly rowId: bigint;
  /** The text in searchable form, if it was read with the row. */
  readonly searched: string | null;
  /** Null if the search has not read it. */
  readonly row: FoundRow | null;
}

/** Tests whether segments above the table have a row or a removal of an id. */
export type IsMasked = (id: string) => boolean;

/** Rows of a table that a read returns. */
export interface TablePage {
  readonly after: string | null;
  readonly limit: number;
  readonly filter?: Filter;
}

/** A table under segments. Rows that these mask are left out. */
export interface BaseTable {
  /** Returns the `limit` nearest rows, best first, and others. */
  readonly nearest: (query: SearchQuery, vector: Float32Array, limit: number) => Promise<readonly TableHit[]>;
  /** Returns the frequencies of the terms of a text. */
  readonly statistics: (text: string) => Promise<TextStatistics>;
  /** Returns the `limit` best rows by BM25 over all parts, best first, and others. @param beside Statistics of the segments. */
  readonly bestTexts: (
    query: SearchQuery,
    text: string,
    beside: TextStatistics,
    limit: number,
  ) => Promise<readonly TableHit[]>;
  /** Reads the rows of hits, in no order. */
  readonly rowsOf: (query: SearchQuery, hits: readonly TableHit[]) => Promise<readonly FoundRow[]>;
  readonly fetch: (ids: readonly string[], includeVector: boolean) => Promise<readonly FoundRow[]>;
  /** Returns the ids that begin with a prefix, in no order. */
  readonly idsWith: (prefix: string) => Promise<readonly string[]>;
  /** Returns ids of rows, in order. */
  readonly listIds: (page: TablePage) => Promise<readonly string[]>;
  /** Returns the number of rows that match. */
  readonly count: (filter: Filter) => Promise<number>;
  /** Returns the ids and versions of rows that match. */
  readonly matching: (
    matcher: { readonly filter: Filter } | { readonly jobId: string },
  ) => Promise<readonly { readonly id: string; readonly version: string }[]>;
  /** Visits the metadata and ids of rows that match, in no order. */
  readonly visit: (filter: Filter | undefined, add: (metadata: JsonObject, id: string) => void) => Promise<void>;
  /** Returns the numbers of rows that match, for columns of facets. */
  readonly numbersOf: (filter: Filter | undefined) => Promise<Uint32Array>;
  /** Returns the values of a key by the numbers of all rows. Null: they are more than are counted. */
  readonly facetColumn: (key: string) => Promise<FacetColumn | null>;
  /** Returns up to `count` rows with their vectors, each equally likely. */
  readonly sample: (count: number, seed: number) => Promise<readonly FoundRow[]>;
}

/** Opens tables that a manifest names. */
export type OpenBaseTable = (base: TableBase, ref: IndexRef, isMasked: IsMasked) => Promise<BaseTable>;

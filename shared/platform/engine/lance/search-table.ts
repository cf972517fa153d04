import type { FullTextQuery, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { DistanceMetric, FoundRow } from '../port.ts';
import type { Candidate } from '../fuse-hits.ts';
import { columnOf, decodeRows, mapRows } from './decode-rows.ts';
import { paddedDimensions, rowColumns } from './table-schema.ts';

/** Matching rows up to which a filtered search compares them all: exact, and faster than the vector index. */
const exactBelowMatches = 2_000;

/** What the sides of one search have in common. */
export interface Scope {
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  /** SQL that rows have to satisfy before any ranking. */
  readonly where: string | undefined;
  readonly exact: boolean;
}

/** How the vector index of one table is asked. */
export interface Probing {
  readonly probes: number;
}

// Partitions to visit: measured for a recall of about .99, growing with the table, and again as a filter thins it out.
const probesFor = (rows: number, selectivity: number): number =>
  Math.ceil(20 * Math.max(1, rows / 100_000) ** 0.57 * Math.min(4, selectivity ** -0.25));

/** Decides once per search and table how the vector index is asked; null compares all rows. */
export const planProbing = async (table: Table, scope: Scope): Promise<Probing | null> => {
  if (scope.exact || (await table.indexStats('vector_idx')) === undefined) return null;
  const rows = await table.countRows();
  const matches = scope.where === undefined ? rows : await table.countRows(scope.where);
  if (matches <= exactBelowMatches) return null;
  return { probes: probesFor(rows, matches / Math.max(rows, 1)) };
};

const probe = (query: VectorQuery, probing: Probing | null, limit: number): VectorQuery => {
  if (probing === null) return query.bypassVectorIndex();
  // No upper bound: partitions beyond the probes are visited only where these did not hold `limit` rows.
  return query.maximumNprobes(0).minimumNprobes(probing.probes).refineFactor(limit <= 50 ? 3 : 2);
};

/** A candidate with the place of its row in the table that found it. */
export interface Found extends Candidate {
  readonly rowId: bigint;
}

// Candidates carry no row: most of them never become a hit, and texts are what makes an answer slow.
const foundIn = (answer: ArrowTable, score: (position: number) => number): readonly Found[] => {
  const [id, rowId] = [columnOf<string>(answer, 'id'), columnOf<bigint>(answer, '_rowid')];
  return mapRows(answer, (position) => ({ id: id(position), rowId: rowId(position), score: score(position) }));
};

/** The `limit` nearest rows of one table, scored by cosine similarity or negative squared euclidean distance. */
export const nearestRows = async (
  table: Table,
  scope: Scope,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly Found[]> => {
  const padded = new Float32Array(paddedDimensions(scope.dimensions));
  padded.set(vector);
  const base = table.query().nearestTo(padded).distanceType(scope.metric === 'cosine' ? 'cosine' : 'l2');
  const query = probe(base, probing, limit).limit(limit).select(['id', '_distance']).withRowId();
  const answer = await (scope.where === undefined ? query : query.where(scope.where)).toArrow();
  const distance = columnOf<number>(answer, '_distance');
  const origin = scope.metric === 'cosine' ? 1 : 0;
  return foundIn(answer, (position) => origin - distance(position));
};

/** The `limit` rows of one table that score best for a text query by BM25. */
export const bestTexts = async (
  table: Table,
  scope: Scope,
  text: FullTextQuery,
  limit: number,
): Promise<readonly Found[]> => {
  const query = table.query().fullTextSearch(text).limit(limit).select(['id', '_score']).withRowId();
  const answer = await (scope.where === undefined ? query : query.where(scope.where)).toArrow();
  return foundIn(answer, columnOf<number>(answer, '_score'));
};

/** The rows at these places of one table, in no order. */
export const rowsAt = async (table: Table, rowIds: readonly bigint[], dimensions: number, includeVector: boolean): Promise<readonly FoundRow[]> => {
  if (rowIds.length === 0) return [];
  const columns = [...rowColumns, ...(includeVector ? ['vector'] : [])];
  return decodeRows(await table.takeRowIds(rowIds).select(columns).toArrow(), dimensions, includeVector);
};

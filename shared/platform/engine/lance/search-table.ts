import type { FullTextQuery, Table, VectorQuery } from '@lancedb/lancedb';
import type { DistanceMetric } from '../port.ts';
import type { Candidate } from '../fuse-hits.ts';
import { columnOf, decodeRows } from './decode-rows.ts';
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
  readonly includeVector: boolean;
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
  return query.maximumNprobes(0).minimumNprobes(probing.probes).refineFactor(limit <= 200 ? 3 : 2);
};

/** The `limit` nearest rows of one table, scored by cosine similarity or negative squared euclidean distance. */
export const nearestRows = async (
  table: Table,
  scope: Scope,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly Candidate[]> => {
  const padded = new Float32Array(paddedDimensions(scope.dimensions));
  padded.set(vector);
  const base = table.query().nearestTo(padded).distanceType(scope.metric === 'cosine' ? 'cosine' : 'l2');
  const query = probe(base, probing, limit).limit(limit);
  const narrowed = scope.where === undefined ? query : query.where(scope.where);
  const columns = [...rowColumns, ...(scope.includeVector ? ['vector'] : []), '_distance'];
  const answer = await narrowed.select(columns).toArrow();
  const distances = columnOf<number>(answer, '_distance');
  const origin = scope.metric === 'cosine' ? 1 : 0;
  return decodeRows(answer, scope.dimensions, scope.includeVector).map((row, position) => ({
    row,
    score: origin - distances(position),
  }));
};

/** The `limit` rows of one table that score best for a text query by BM25. */
export const bestTexts = async (
  table: Table,
  scope: Scope,
  text: FullTextQuery,
  limit: number,
): Promise<readonly Candidate[]> => {
  const query = table.query().fullTextSearch(text).limit(limit);
  const narrowed = scope.where === undefined ? query : query.where(scope.where);
  const columns = [...rowColumns, ...(scope.includeVector ? ['vector'] : []), '_score'];
  const answer = await narrowed.select(columns).toArrow();
  const scores = columnOf<number>(answer, '_score');
  return decodeRows(answer, scope.dimensions, scope.includeVector).map((row, position) => ({
    row,
    score: scores(position),
  }));
};

import type { FullTextQuery, Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { oncePer } from '../../../kernel/made-once.ts';
import type { DistanceMetric, FoundRow } from '../port.ts';
import type { Candidate } from '../fuse-hits.ts';
import type { TextLanguage } from '../text-language.ts';
import { allOf, anyOf } from './compile-filter.ts';
import { indexNames } from './create-table.ts';
import { columnOf, decodeRows, idsOf, mapRows } from './decode-rows.ts';
import { paddedDimensions } from './table-schema.ts';

/**
 * Matching rows up to which a filtered search visits every partition and refines generously, which finds all that a full
 * comparison finds. That one would read the vectors of the whole table, unless an index answers the whole filter.
 */
const fewMatches = 2_000;
const everyPartition = 1_000_000;
/** Candidates up to which their rows come along at once; beyond, most would be read for nothing. */
const rowsInlineUpTo = 32;

/** One table to search, and how. */
export interface Target {
  readonly table: Table;
  /** SQL that rows have to satisfy before any ranking, and a number that matches do not exceed. */
  readonly where: string | undefined;
  readonly most: number;
  readonly dimensions: number;
  readonly textLanguage: TextLanguage;
  readonly metric: DistanceMetric;
  /** Compare with every row instead of asking the vector index. */
  readonly exact: boolean;
  /** Columns of a row that are wanted, `id` among them. */
  readonly columns: readonly string[];
}

/** A candidate with the place of its row in the table that found it, or the row itself. */
export interface Found extends Candidate {
  readonly rowId: bigint;
  readonly row: FoundRow | null;
  /** The text as it is searched, where it came along with the row. */
  readonly searched: string | null;
}

/** How the vector index of one table is asked. */
export interface Probing {
  /** Partitions to visit. */
  readonly probes: number;
  /** Whether a filter leaves so few rows that all of them can be looked at closely. */
  readonly few: boolean;
}

// Partitions to visit: measured for a recall of about .99, growing with the table, and again as a filter thins it out.
const probesFor = (rows: number, selectivity: number): number =>
  Math.ceil(20 * Math.max(1, rows / 100_000) ** 0.57 * Math.min(4, selectivity ** -0.25));

/** What a vector index is asked about. */
interface Shape {
  readonly rows: number;
  readonly indexed: boolean;
}

/** Those that are read stand on one version for good. */
const shapeOf = oncePer(async (table: Table): Promise<Shape> => {
  const [rows, stats] = await Promise.all([table.countRows(), table.indexStats(indexNames.vector)]);
  return { rows, indexed: stats !== undefined };
});

/** Decides once per search and table how the vector index is asked; null compares all rows. */
export const planProbing = async ({ table, where, most, exact }: Target): Promise<Probing | null> => {
  if (exact) return null;
  const { rows, indexed } = await shapeOf(table);
  if (!indexed) return null;
  if (where === undefined) return { probes: probesFor(rows, 1), few: false };
  const matches = most <= fewMatches ? most : await table.countRows(where);
  if (matches <= fewMatches) return { probes: everyPartition, few: true };
  return { probes: probesFor(rows, matches / rows), few: false };
};

// The index compares rounded vectors; this many times the limit are then compared as they are. Rounding blurs short
// vectors most: of 100 numbers, three times finds .998 and twice .996 of the nearest rows, of 384 and more both find all.
const refinement = ({ few }: Probing, dimensions: number, limit: number): number => {
  if (few) return Math.max(3, Math.min(10, Math.ceil(fewMatches / limit)));
  return dimensions < 256 && limit <= 50 ? 3 : 2;
};

const probe = (query: VectorQuery, probing: Probing | null, dimensions: number, limit: number): VectorQuery =>
  probing === null
    ? query.bypassVectorIndex()
    : query.nprobes(probing.probes).refineFactor(refinement(probing, dimensions, limit));

const run = async (
  target: Target,
  query: Query | VectorQuery,
  limit: number,
  scoreColumn: '_distance' | '_score',
  scoreOf: (value: number) => number,
): Promise<readonly Found[]> => {
  const inline = limit <= rowsInlineUpTo;
  const columns = [...(inline ? target.columns : ['id']), scoreColumn];
  const limited = query.limit(limit).select(columns).withRowId();
  const answer: ArrowTable = await (target.where === undefined ? limited : limited.where(target.where)).toArrow();
  const rows = inline ? decodeRows(answer, target) : [];
  const [id, rowId] = [columnOf<string>(answer, 'id'), columnOf<bigint>(answer, '_rowid')];
  const score = columnOf<number>(answer, scoreColumn);
  const texts = scoreColumn === '_score' && inline && answer.getChild('text') !== null;
  const searched = texts ? columnOf<string | null>(answer, 'text') : () => null;
  return mapRows(answer, (position) => ({
    id: id(position),
    rowId: rowId(position),
    row: rows[position] ?? null,
    searched: searched(position),
    score: scoreOf(score(position)),
  }));
};

// Rounding takes the cosine of parallel vectors a little beyond 1.
const cosineOf = (distance: number): number => Math.max(-1, Math.min(1, 1 - distance));

/** The `limit` nearest rows of one table, scored by cosine similarity or negative squared euclidean distance. */
export const nearestRows = async (
  target: Target,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly Found[]> => {
  const padded = new Float32Array(paddedDimensions(target.dimensions));
  padded.set(vector);
  const cosine = target.metric === 'cosine';
  const search = (asked: Probing | null): Promise<readonly Found[]> => {
    const query = target.table
      .query()
      .nearestTo(padded)
      .distanceType(cosine ? 'cosine' : 'l2');
    return run(target, probe(query, asked, target.dimensions, limit), limit, '_distance', (far) =>
      cosine ? cosineOf(far) : 0 - far,
    );
  };
  const found = await search(probing);
  // The nearest partitions may hold fewer rows than are wanted, or than a filter lets through.
  const nearestAlone = probing !== null && probing.probes < everyPartition;
  return nearestAlone && found.length < limit ? search({ ...probing, probes: everyPartition }) : found;
};

/** The `limit` rows of one table, or of those that its index has seen, that score best for a text query by BM25. */
export const bestTexts = (
  target: Target,
  text: FullTextQuery,
  limit: number,
  indexedOnly: boolean,
): Promise<readonly Found[]> => {
  const query = target.table.query().fullTextSearch(text);
  return run(target, indexedOnly ? query.fastSearch() : query, limit, '_score', (score) => score);
};

/** Those of a few rows of one table that satisfy its filter. */
export const idsAmong = async ({ table, where }: Target, rows: readonly Candidate[]): Promise<readonly string[]> => {
  const among = anyOf(
    'id',
    rows.map(({ id }) => id),
  );
  return idsOf(
    await table
      .query()
      .where(allOf(where, among) ?? among)
      .select(['id'])
      .toArrow(),
  );
};

/** The texts at these places of one table as they are searched, by the id of their row. */
export const textsAt = async ({ table }: Target, rowIds: readonly bigint[]): Promise<ReadonlyMap<string, string>> => {
  if (rowIds.length === 0) return new Map();
  const answer: ArrowTable = await table
    .takeRowIds([...rowIds])
    .select(['id', 'text'])
    .toArrow();
  const [id, text] = [columnOf<string>(answer, 'id'), columnOf<string | null>(answer, 'text')];
  return new Map(mapRows(answer, (position) => [id(position), text(position) ?? '']));
};

/** The rows at these places of one table, in no order. */
export const rowsAt = async (target: Target, rowIds: readonly bigint[]): Promise<readonly FoundRow[]> => {
  if (rowIds.length === 0) return [];
  const query = target.table.takeRowIds(rowIds).select([...target.columns]);
  return decodeRows(await query.toArrow(), target);
};

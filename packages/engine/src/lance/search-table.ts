import type { FullTextQuery, Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { DistanceMetric, FoundRow } from '../port.ts';
import type { Candidate } from '../fuse-hits.ts';
import { allOf, anyOf } from './compile-filter.ts';
import { columnOf, decodeRows, idsOf, mapRows, type RowShape } from './decode-rows.ts';
import type { CachedRows } from './row-cache.ts';
import type { Condition } from './narrow-filter.ts';
import { live } from './read-layers.ts';

/** Candidates up to which their rows are read with them. Of more candidates, most rows would not be used. */
const rowsInlineUpTo = 32;

/** Cached rows of one table at one version. */
export interface VectorCacheRows {
  /**
   * Returns the `limit` nearest rows, as the engine would. Null if the engine has to search.
   * @param columns Columns of a row that are needed. Rows are returned if all of them are cached.
   */
  readonly nearest: (vector: Float32Array, limit: number, columns: readonly string[]) => readonly Found[] | null;
}

/** All cached rows of one table at one version. */
export interface VectorCacheTable extends VectorCacheRows {
  /**
   * Returns those that satisfy a filter. Null if the engine has to search.
   * @param table Handle at that version.
   */
  readonly matching: (condition: Condition, table: Table) => Promise<VectorCacheRows | null>;
}

/** One table to search, with the settings of the search. */
export interface Target {
  readonly table: Table;
  /** Matching rows in the vector cache, if they can be searched in place of the engine. */
  readonly cachedVectors: VectorCacheRows | null;
  /** SQL that rows have to satisfy before any ranking, and an upper bound of the matches. */
  readonly where: string | undefined;
  readonly maxMatches: number;
  readonly shape: RowShape;
  readonly metric: DistanceMetric;
  /** Compare with every row, without the vector index. */
  readonly exact: boolean;
  /** Columns of a row that are needed, including `id`. */
  readonly columns: readonly string[];
  /** Row cache of the table, with these columns. Null if there is none. */
  readonly cachedRows: CachedRows | null;
}

/** A candidate with the address of its row in the table, or the row itself. */
export interface Found extends Candidate {
  readonly rowId: bigint;
  /** Whether the address of the row may have changed, though its content has not. */
  readonly isMoved: boolean;
  readonly row: FoundRow | null;
  /** The text in searchable form, if it was read with the row. */
  readonly searched: string | null;
}

/** Runs a query on one table. */
export const run = async (
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
  const rows = inline ? decodeRows(answer, target.shape) : [];
  const [id, rowId] = [columnOf<string>(answer, 'id'), columnOf<bigint>(answer, '_rowid')];
  const score = columnOf<number>(answer, scoreColumn);
  const texts = scoreColumn === '_score' && inline && answer.getChild('text') !== null;
  const searched = texts ? columnOf<string | null>(answer, 'text') : () => null;
  return mapRows(answer, (position) => ({
    id: id(position),
    rowId: rowId(position),
    isMoved: false,
    row: rows[position] ?? null,
    searched: searched(position),
    score: scoreOf(score(position)),
  }));
};

/** Returns the `limit` rows with the best BM25 scores for a text query, of one table or of its indexed rows. */
export const bestTexts = (
  target: Target,
  text: FullTextQuery,
  limit: number,
  indexedOnly: boolean,
): Promise<readonly Found[]> => {
  const query = target.table.query().fullTextSearch(text);
  return run(target, indexedOnly ? query.fastSearch() : query, limit, '_score', (score) => score);
};

/** Returns SQL for those of these rows that satisfy a condition, independent of their address. */
const whereAmong = (rows: readonly Candidate[], where: string | undefined): string => {
  const among = anyOf(
    'id',
    rows.map(({ id }) => id),
  );
  return allOf(where, among) ?? among;
};

/** Returns those of a few rows of one table that satisfy its filter. */
export const idsAmong = async ({ table, where }: Target, rows: readonly Candidate[]): Promise<readonly string[]> =>
  idsOf(await table.query().where(whereAmong(rows, where)).select(['id']).toArrow());

/** Returns the texts at these addresses of one table in searchable form, by row id. */
export const textsAt = async ({ table }: Target, rowIds: readonly bigint[]): Promise<ReadonlyMap<string, string>> => {
  if (rowIds.length === 0) return new Map();
  const answer: ArrowTable = await table
    .takeRowIds([...rowIds])
    .select(['id', 'text'])
    .toArrow();
  const [id, text] = [columnOf<string>(answer, 'id'), columnOf<string | null>(answer, 'text')];
  return new Map(mapRows(answer, (position) => [id(position), text(position) ?? '']));
};

/** Reads the rows that were found in one table, in no order. A row that has moved has the same content. */
export const rowsOf = async (target: Target, found: readonly Found[]): Promise<readonly FoundRow[]> => {
  const { table, columns, cachedRows: known } = target;
  const rows = new Map(found.map(({ id, rowId }) => [id, known?.get(rowId)]));
  const missing = found.filter(({ id }) => rows.get(id) === undefined);
  const [moved, there] = [missing.filter(({ isMoved }) => isMoved), missing.filter(({ isMoved }) => !isMoved)];
  const answers: readonly ArrowTable[] = await Promise.all(
    [
      ...(there.length === 0 ? [] : [table.takeRowIds(there.map(({ rowId }) => rowId))]),
      ...(moved.length === 0 ? [] : [table.query().where(whereAmong(moved, live))]),
    ].map((query) =>
      query
        .select([...columns])
        .withRowId()
        .toArrow(),
    ),
  );
  for (const answer of answers) {
    const rowId = columnOf<bigint>(answer, '_rowid');
    for (const [at, row] of decodeRows(answer, target.shape).entries()) {
      rows.set(row.id, row);
      known?.set(rowId(at), row);
    }
  }
  return [...rows.values()].flatMap((row) => row ?? []);
};

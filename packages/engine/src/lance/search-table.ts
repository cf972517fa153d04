import type { FullTextQuery, Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { DistanceMetric, FoundRow, IndexRef, SearchQuery } from '../port.ts';
import type { TableHit } from '../segments/base-table.ts';
import { columnOf, decodeRows, mapRows } from './decode-rows.ts';
import { type Narrowed, narrowFilter } from './narrow-filter.ts';
import { rowColumnsOf, textColumns } from './table-schema.ts';

/** Candidates up to which their rows are read with them. Of more candidates, most rows would not be used. */
const rowsInlineUpTo = 48;

/** A table to search, with the settings of the search. Rows have to satisfy its condition before any ranking. */
export interface Target extends Narrowed {
  readonly table: Table;
  readonly dimensions: number;
  readonly metric: DistanceMetric;
  /** Compare with every row, without the vector index. */
  readonly exact: boolean;
  /** Columns of a row that are needed, including `id`. */
  readonly columns: readonly string[];
}

/** Returns the columns of a row that a search returns. */
const columnsFor = (
  rowColumns: readonly string[],
  { includeText = true, includeMetadata = true, includeVector = false }: SearchQuery,
): readonly string[] => {
  const unwanted = new Set<string>([...(includeText ? [] : textColumns), ...(includeMetadata ? [] : ['meta'])]);
  const wanted = rowColumns.filter((name) => !unwanted.has(name));
  return includeVector ? [...wanted, 'vector'] : wanted;
};

export const targetOf = async (
  table: Table,
  { dimensions, metric }: IndexRef,
  query: SearchQuery,
): Promise<Target> => ({
  ...(await narrowFilter(table, query.filter)),
  table,
  dimensions,
  metric,
  exact: query.exact ?? false,
  columns: columnsFor(await rowColumnsOf(table), query),
});

/** Runs a query on a table. */
export const run = async (
  target: Target,
  query: Query | VectorQuery,
  limit: number,
  scoreColumn: '_distance' | '_score',
  scoreOf: (value: number) => number,
): Promise<readonly TableHit[]> => {
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

/** Returns the `limit` rows with the best BM25 scores for a text query. */
export const bestTexts = (target: Target, text: FullTextQuery, limit: number): Promise<readonly TableHit[]> =>
  run(target, target.table.query().fullTextSearch(text), limit, '_score', (score) => score);

/** Returns the texts at some addresses of a table in searchable form, by row id. */
export const textsAt = async ({ table }: Target, rowIds: readonly bigint[]): Promise<ReadonlyMap<string, string>> => {
  if (rowIds.length === 0) return new Map();
  const answer: ArrowTable = await table
    .takeRowIds([...rowIds])
    .select(['id', 'text'])
    .toArrow();
  const [id, text] = [columnOf<string>(answer, 'id'), columnOf<string | null>(answer, 'text')];
  return new Map(mapRows(answer, (position) => [id(position), text(position) ?? '']));
};

/** Reads the rows at some addresses of a table, in no order. */
export const rowsAt = async (
  { table, columns, ...shape }: Target,
  rowIds: readonly bigint[],
): Promise<readonly FoundRow[]> =>
  decodeRows(
    await table
      .takeRowIds([...rowIds])
      .select([...columns])
      .toArrow(),
    shape,
  );

import type { FullTextQuery, Query, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import type { DistanceMetric, FoundRow } from '../port.ts';
import type { Candidate } from '../fuse-hits.ts';
import type { TextLanguage } from '../text-language.ts';
import { allOf, anyOf } from './compile-filter.ts';
import { columnOf, decodeRows, idsOf, mapRows } from './decode-rows.ts';
import type { KnownRows } from './found-rows.ts';
import type { Condition } from './narrow-filter.ts';
import { live } from './read-layers.ts';

/** Candidates up to which their rows come along at once; beyond, most would be read for nothing. */
const rowsInlineUpTo = 32;

/** Rows of one table in memory, as of one version. */
export interface ResidentRows {
  /**
   * The `limit` nearest rows, as the engine would give them; null where it has to be asked.
   * @param columns Columns of a row that are wanted: rows come along where memory has them all.
   */
  readonly nearest: (vector: Float32Array, limit: number, columns: readonly string[]) => readonly Found[] | null;
}

/** All rows of one table in memory, as of one version. */
export interface ResidentTable extends ResidentRows {
  /**
   * Those that satisfy a filter; null where the engine has to be asked.
   * @param table Stands on that version.
   */
  readonly matching: (condition: Condition, table: Table) => Promise<ResidentRows | null>;
}

/** One table to search, and how. */
export interface Target {
  readonly table: Table;
  /** Those of its rows that match, where they are in memory and may answer in place of the engine. */
  readonly resident: ResidentRows | null;
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
  /** Its rows that were found lately, with these columns; null where none are remembered. */
  readonly known: KnownRows | null;
}

/** A candidate with the place of its row in the table that found it, or the row itself. */
export interface Found extends Candidate {
  readonly rowId: bigint;
  /** Whether the row may stand elsewhere by now, though it is the same. */
  readonly isMoved: boolean;
  readonly row: FoundRow | null;
  /** The text as it is searched, where it came along with the row. */
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
  const rows = inline ? decodeRows(answer, target) : [];
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

/** SQL for those of these rows that satisfy a condition, wherever they stand. */
const whereAmong = (rows: readonly Candidate[], where: string | undefined): string => {
  const among = anyOf(
    'id',
    rows.map(({ id }) => id),
  );
  return allOf(where, among) ?? among;
};

/** Those of a few rows of one table that satisfy its filter. */
export const idsAmong = async ({ table, where }: Target, rows: readonly Candidate[]): Promise<readonly string[]> =>
  idsOf(await table.query().where(whereAmong(rows, where)).select(['id']).toArrow());

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

/** The rows that were found in one table, in no order. What was at a place is the same where its row is by now. */
export const rowsOf = async (target: Target, found: readonly Found[]): Promise<readonly FoundRow[]> => {
  const { table, columns, known } = target;
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
    for (const [at, row] of decodeRows(answer, target).entries()) {
      rows.set(row.id, row);
      known?.set(rowId(at), row);
    }
  }
  return [...rows.values()].flatMap((row) => row ?? []);
};

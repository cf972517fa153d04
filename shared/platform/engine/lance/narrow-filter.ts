import type { Table } from '@lancedb/lancedb';
import type { Filter } from '../filter.ts';
import { compileFilter, compileGroups } from './compile-filter.ts';

/** Rows up to which reading the filter columns of all of them costs less than asking an index first. */
const scanBelowRows = 5_000;
/** Share of the rows up to which picking them one by one is faster than reading all. */
const pickBelowShare = 0.2;

/** A filter on one table. */
export interface Narrowed {
  readonly where: string;
  /** No more rows than this match. */
  readonly most: number;
}

/** SQL for a filter on one table, which leans on the index of token groups where that leaves few enough rows to look at. */
export const narrow = async (table: Table, filter: Filter): Promise<Narrowed> => {
  const exact = compileFilter(filter);
  const rows = await table.countRows();
  if (rows < scanBelowRows) return { where: exact, most: rows };
  const groups = compileGroups(filter);
  const most = await table.countRows(groups);
  return { where: most < rows * pickBelowShare ? `(${groups}) AND (${exact})` : exact, most };
};

/** The SQL alone. */
export const narrowFilter = async (table: Table, filter: Filter): Promise<string> =>
  (await narrow(table, filter)).where;

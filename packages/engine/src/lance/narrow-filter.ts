import type { Table } from '@lancedb/lancedb';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import type { Filter } from '../filter.ts';
import { compileFilter, compileGroups } from './compile-filter.ts';

/** Rows up to which reading the filter columns of all of them costs less than an index lookup first. */
const scanBelowRows = 5_000;
/** Share of the rows up to which picking them one by one is faster than reading all. */
const pickBelowShare = 0.2;

/** A filter compiled for one table. */
export interface Narrowed {
  readonly where: string;
  /** Upper bound of the rows that match. */
  readonly maxMatches: number;
}

/** Compiles a filter for one table. Uses the index of token groups if that leaves few enough rows to read. */
const narrow = async (table: Table, filter: Filter): Promise<Narrowed> => {
  const exact = compileFilter(filter);
  const rows = await table.countRows();
  if (rows < scanBelowRows) return { where: exact, maxMatches: rows };
  const groups = compileGroups(filter);
  const most = await table.countRows(groups);
  return { where: most < rows * pickBelowShare ? `(${groups}) AND (${exact})` : exact, maxMatches: most };
};

/** A filter of one search on one table. */
export interface Condition {
  readonly filter: Filter;
  /** Compiled at the first call. */
  readonly narrowed: () => Promise<Narrowed>;
}

export const conditionOn = (table: Table, filter: Filter): Condition => ({
  filter,
  narrowed: lazy(() => narrow(table, filter)),
});

/** Returns only the SQL of a filter. */
export const narrowFilter = async (table: Table, filter: Filter): Promise<string> =>
  (await narrow(table, filter)).where;

import type { Table } from '@lancedb/lancedb';
import type { Filter } from '../filter.ts';
import { compileFilter, compileGroups } from './compile-filter.ts';

/** Rows up to which reading the filter columns of all of them costs less than an index lookup first. */
const scanBelowRows = 5_000;
/** Share of the rows up to which picking them one by one is faster than reading all. */
const pickBelowShare = 0.2;

/** Condition on the rows of a table. */
export interface Narrowed {
  /** SQL. Undefined: all rows. */
  readonly where: string | undefined;
  /** Upper bound of the rows that match. */
  readonly maxMatches: number;
}

/** Compiles a filter for one table. Uses the index of token groups if that leaves few enough rows to read. */
export const narrowFilter = async (table: Table, filter: Filter | undefined): Promise<Narrowed> => {
  if (filter === undefined) return { where: undefined, maxMatches: Number.POSITIVE_INFINITY };
  const exact = compileFilter(filter);
  const rows = await table.countRows();
  if (rows < scanBelowRows) return { where: exact, maxMatches: rows };
  const groups = compileGroups(filter);
  const maxMatches = await table.countRows(groups);
  return { where: maxMatches < rows * pickBelowShare ? `(${groups}) AND (${exact})` : exact, maxMatches };
};

import type { Table } from '@lancedb/lancedb';
import type { Filter } from '../filter.ts';
import { compileFilter, compileGroups } from './compile-filter.ts';

/** Rows up to which reading the filter columns of all of them costs less than asking an index first. */
const scanBelowRows = 5_000;
/** Share of the rows up to which picking them one by one is faster than reading all. */
const pickBelowShare = 0.2;

/** SQL for a filter on one table, which leans on the index of token groups where that leaves few enough rows to look at. */
export const narrowFilter = async (table: Table, filter: Filter): Promise<string> => {
  const exact = compileFilter(filter);
  const rows = await table.countRows();
  if (rows < scanBelowRows) return exact;
  const groups = compileGroups(filter);
  return (await table.countRows(groups)) < rows * pickBelowShare ? `(${groups}) AND (${exact})` : exact;
};

import type { Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import type { IndexRef, TableState } from '../port.ts';
import { indexNames } from './create-table.ts';
import { type Journal, readJournal } from './journal.ts';
import { measureAncestors, measureTable, type Totals } from './measure-tables.ts';
import type { View } from './read-layers.ts';

/** Tables whose summaries are remembered. Those of other tables are read again. */
const rememberedTables = 1_000;

/** Returns the remaining maintenance work of a table. */
const backlogOf = async (
  table: Table,
  { totals, masks }: TableSummary,
): Promise<Pick<TableState, 'unindexedRows' | 'tombstones' | 'fragments'>> => {
  const [{ numRows, fragmentStats }, text, vector] = await Promise.all([
    table.stats(),
    table.indexStats(indexNames.text),
    table.indexStats(indexNames.vector),
  ]);
  // Compaction never joins fragments of different index segments.
  const apart = Math.max(1, vector?.numIndices ?? 1) - 1;
  const unindexed = Math.max(text?.numUnindexedRows ?? 0, vector?.numUnindexedRows ?? 0);
  return {
    // Every commit rewrites the journal, which is not a row of the index.
    unindexedRows: Math.max(0, unindexed - 1),
    tombstones: masks ? 0 : Math.max(0, numRows - totals.rows - 1),
    fragments: Math.max(0, fragmentStats.numFragments - apart),
  };
};

/** Summary of a table at one version: what a writer knows of it besides its rows. */
export interface TableSummary {
  readonly totals: Totals;
  readonly journal: Journal;
  /**
   * Whether rows of it mask others, or did before it became independent: masked rows are needed to list the changes of
   * a branch.
   */
  readonly masks: boolean;
}

/** Summaries and states of the tables that one process writes. */
export interface TableStates {
  /** Returns the summary of a table at its newest version, remembered from the last commit or read. */
  readonly summaryOf: (ref: IndexRef, table: Table) => Promise<TableSummary>;
  /** Returns the visible rows of an index whose own table has these totals. */
  readonly rowsOf: (view: View, own: Totals) => Promise<number>;
  /** Returns the state of an index whose own table has this summary. */
  readonly stateOf: (ref: IndexRef, view: View, own: TableSummary) => Promise<TableState>;
  readonly forget: (name: string) => void;
}

interface Remembered {
  readonly version: number;
  readonly layers: number;
  readonly summary: TableSummary;
}

const readSummary = async (table: Table, last: boolean): Promise<TableSummary> => {
  const [totals, journal] = await Promise.all([measureTable(table, last), readJournal(table)]);
  return { totals, journal, masks: !last || totals.masking > 0 };
};

/** Keeps the summary of each table by the version at which it was taken. */
export const tableStates = (): TableStates => {
  const ancestorTotals = measureAncestors();
  const remembered = new LRUCache<string, Remembered>({ max: rememberedTables });
  return {
    summaryOf: async ({ layers }, table) => {
      const known = remembered.get(layers[0].table);
      const fits = known?.layers === layers.length && known.version === (await table.version());
      return fits ? known.summary : readSummary(table, layers.length === 1);
    },
    rowsOf: async ([, ...ancestors], own) => own.rows + (await ancestorTotals(ancestors)).rows,
    stateOf: async (ref, [table, ...ancestors], own) => {
      const { table: name } = ref.layers[0];
      if (table === undefined) throw new Error(`table ${name} is not open`);
      const [behind, version, backlog] = await Promise.all([
        ancestorTotals(ancestors),
        table.version(),
        backlogOf(table, own),
      ]);
      remembered.set(name, { version, layers: ref.layers.length, summary: own });
      const rows = own.totals.rows + behind.rows;
      const sparseBytes = own.totals.sparseBytes + behind.sparseBytes;
      return { version, rows, denseBytes: rows * ref.dimensions * 4, sparseBytes, ...backlog };
    },
    forget: (name) => {
      remembered.delete(name);
    },
  };
};

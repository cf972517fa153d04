import type { Table } from '@lancedb/lancedb';
import { systemClock, type Clock } from '../../../kernel/clock.ts';
import type { CommitResult, EngineWriter, IndexRef, TableState } from '../port.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { createTable, indexNames } from './create-table.ts';
import { encodeRows } from './encode-rows.ts';
import { foldChanges } from './fold-changes.ts';
import { maintainTable } from './maintain-table.ts';
import { measureAncestors, measureTable, type Totals } from './measure-tables.ts';
import { isMissingTable, openTables } from './open-tables.ts';
import type { View } from './read-layers.ts';

/** The sums of a table as of the version at which this process last saw it. */
interface Measured {
  readonly version: number;
  readonly totals: Totals;
}

/** Tables whose sums are remembered; others are measured again. */
const measuredTables = 1_000;

const unindexedRows = async (table: Table): Promise<number> => {
  const statistics = await Promise.all([table.indexStats(indexNames.text), table.indexStats(indexNames.vector)]);
  return Math.max(...statistics.map((index) => index?.numUnindexedRows ?? 0));
};

/**
 * The writing side of the engine on LanceDB. Nothing is loaded or connected before the first call. Every commit is one
 * version of the table, or none where nothing changes.
 */
export const openWriter = (location: EngineLocation, clock: Clock = systemClock): EngineWriter => {
  const connection = connectDatabase(location);
  const tables = openTables(connection, location.openTables ?? 256);
  const ancestorTotals = measureAncestors();
  const measured = new Map<string, Measured>();

  const ancestorsOf = (ref: IndexRef): Promise<View> =>
    Promise.all(ref.layers.slice(1).map((layer) => tables.exact(layer.table, layer.version)));

  const ownTotals = async (name: string, table: Table): Promise<Totals> => {
    const version = await table.version();
    const known = measured.get(name);
    return known?.version === version ? known.totals : measureTable(table);
  };

  const remember = (name: string, value: Measured): void => {
    measured.delete(name);
    measured.set(name, value);
    const [oldest] = measured.keys();
    if (oldest !== undefined && measured.size > measuredTables) measured.delete(oldest);
  };

  const stateOf = async (ref: IndexRef, table: Table, own: Totals, ancestors: View): Promise<TableState> => {
    const [behind, version, { fragmentStats }, unindexed] = await Promise.all([
      ancestorTotals(ancestors),
      table.version(),
      table.stats(),
      unindexedRows(table),
    ]);
    remember(ref.layers[0].table, { version, totals: own });
    const rows = own.rows + behind.rows;
    return {
      version,
      rows,
      denseBytes: rows * ref.dimensions * 4,
      sparseBytes: own.sparseBytes + behind.sparseBytes,
      unindexedRows: unindexed,
      fragments: fragmentStats.numFragments,
    };
  };

  const writable = async (ref: IndexRef): Promise<Table> => {
    const { table: name } = ref.layers[0];
    const table = await tables.writable(name);
    if (table === null) throw new Error(`table ${name} does not exist`);
    return table;
  };

  const create: EngineWriter['create'] = async (ref) => {
    const { table: name } = ref.layers[0];
    await createTable(await connection(), name, ref.dimensions);
    const table = await writable(ref);
    return stateOf(ref, table, await ownTotals(name, table), await ancestorsOf(ref));
  };

  const commit: EngineWriter['commit'] = async (ref, changes): Promise<CommitResult> => {
    const { table: name } = ref.layers[0];
    const table = await writable(ref);
    const ancestors = await ancestorsOf(ref);
    const version = await table.version();
    const [before, { stored, growth, results }] = await Promise.all([
      ownTotals(name, table),
      foldChanges([table, ...ancestors], changes, ref.nonFilterableKeys),
    ]);
    if (stored.length === 0) return { state: await stateOf(ref, table, before, ancestors), results };
    // The index on id would be slower here, and with it concurrent merges could leave an id twice.
    const merge = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
    const merged = await merge.execute(await encodeRows(stored, ref.dimensions, ref.nonFilterableKeys));
    const sum = { rows: before.rows + growth.rows, sparseBytes: before.sparseBytes + growth.sparseBytes };
    // Another version in between is the trace of a second writer, whose rows are in no sum of ours.
    const own = merged.version === version + 1 ? sum : await measureTable(table);
    return { state: await stateOf(ref, table, own, ancestors), results };
  };

  const maintain: EngineWriter['maintain'] = async (ref, retention) => {
    const { table: name } = ref.layers[0];
    const table = await writable(ref);
    const own = await ownTotals(name, table);
    await maintainTable(table, ref, retention, clock.now());
    return stateOf(ref, table, own, await ancestorsOf(ref));
  };

  const drop: EngineWriter['drop'] = async (name) => {
    tables.forget(name);
    measured.delete(name);
    try {
      await (await connection()).dropTable(name);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
    }
  };

  return { create, commit, maintain, drop };
};

import type { Connection, Table } from '@lancedb/lancedb';
import { systemClock, type Clock } from '../../../kernel/clock.ts';
import type { Change, CommitResult, EngineWriter, IndexRef } from '../port.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { createTable } from './create-table.ts';
import { encodeRows } from './encode-rows.ts';
import { foldChanges } from './fold-changes.ts';
import { maintainTable } from './maintain-table.ts';
import { measureTable } from './measure-tables.ts';
import { isMissingTable, type OpenTables, openTables } from './open-tables.ts';
import { type TableStates, tableStates } from './table-states.ts';

type WritableView = readonly [Table, ...Table[]];

const openView = async (tables: OpenTables, ref: IndexRef): Promise<WritableView> => {
  const [own, ...ancestors] = ref.layers;
  const [table, ...behind] = await Promise.all([
    tables.writable(own.table),
    ...ancestors.map((layer) => tables.exact(layer.table, layer.version)),
  ]);
  if (table === null) throw new Error(`table ${own.table} does not exist`);
  return [table, ...behind.flatMap((layer) => layer ?? [])];
};

const commitChanges = async (
  ref: IndexRef,
  view: WritableView,
  changes: readonly Change[],
  states: TableStates,
): Promise<CommitResult> => {
  const [table] = view;
  const version = await table.version();
  const [before, { stored, growth, results }] = await Promise.all([
    states.totalsOf(ref.layers[0].table, table),
    foldChanges(view, changes, ref.nonFilterableKeys),
  ]);
  if (stored.length === 0) return { state: await states.stateOf(ref, view, before), results };
  // The index on id would be slower here, and with it concurrent merges could leave an id twice.
  const merge = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
  const merged = await merge.execute(await encodeRows(stored, ref.dimensions, ref.nonFilterableKeys));
  const sum = { rows: before.rows + growth.rows, sparseBytes: before.sparseBytes + growth.sparseBytes };
  // Another version in between is the trace of a second writer, whose rows are in no sum of ours.
  const own = merged.version === version + 1 ? sum : await measureTable(table);
  return { state: await states.stateOf(ref, view, own), results };
};

const dropTable = async (connection: Connection, name: string): Promise<void> => {
  try {
    await connection.dropTable(name);
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  }
};

/**
 * The writing side of the engine on LanceDB. Nothing is loaded or connected before the first call. Every commit is one
 * version of the table, or none where nothing changes.
 */
export const openWriter = (location: EngineLocation, clock: Clock = systemClock): EngineWriter => {
  const connection = connectDatabase(location);
  const tables = openTables(connection, location.openTables ?? 256);
  const states = tableStates();
  return {
    create: async (ref) => {
      const { table: name } = ref.layers[0];
      await createTable(await connection(), name, ref.dimensions);
      const view = await openView(tables, ref);
      return states.stateOf(ref, view, await states.totalsOf(name, view[0]));
    },
    commit: async (ref, changes) => commitChanges(ref, await openView(tables, ref), changes, states),
    maintain: async (ref, retention) => {
      const view = await openView(tables, ref);
      const own = await states.totalsOf(ref.layers[0].table, view[0]);
      await maintainTable(view[0], ref, retention, clock.now());
      return states.stateOf(ref, view, own);
    },
    drop: async (name) => {
      tables.forget(name);
      states.forget(name);
      await dropTable(await connection(), name);
    },
  };
};

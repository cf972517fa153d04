import type { Connection } from '@lancedb/lancedb';
import { systemClock, type Clock } from '../../../../shared/kernel/clock.ts';
import { commitTo } from '../changes/commit-changes.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { EngineWriter, IndexRef, TableState } from '../port.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { createTable } from './create-table.ts';
import { openContent } from './index-content.ts';
import { batchRowsOf, nextCopies } from './materialize-branch.ts';
import { mergeRows, totalsAfter, type WritableView, type Writing } from './merge-rows.ts';
import { isMissingTable, type OpenTables, openTables } from './open-tables.ts';
import { reportingDamage } from './storage-error.ts';
import { compactTable } from './table-compaction.ts';
import { type TableStates, tableStates } from './table-states.ts';
import { buildVectorIndex, vectorIndexState } from './vector-index-build.ts';

const openView = async (tables: OpenTables, ref: IndexRef): Promise<WritableView> => {
  const [own, ...ancestors] = ref.layers;
  const [table, ...behind] = await Promise.all([
    tables.writable(own.table),
    ...ancestors.map((layer) => tables.exact(layer.table, layer.version)),
  ]);
  if (table === null) throw new DamagedIndex(`the table ${own.table} does not exist`);
  return [table, ...behind.flatMap((layer) => layer ?? [])];
};

const materializeRows = async (
  writing: Writing,
  states: TableStates,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly state: TableState; readonly next: string | null }> => {
  const { ref, view } = writing;
  const summary = await states.summaryOf(ref, view[0]);
  const { copies, next } = await nextCopies(view, ref, page);
  if (copies.length === 0) return { state: await states.stateOf(ref, view, summary), next };
  const merged = await mergeRows(writing, [copies]);
  const totals = await totalsAfter(writing, merged, summary.totals, () => ({ rows: 0, sparseBytes: 0 }));
  return { state: await states.stateOf(ref, view, { ...summary, totals }), next };
};

export const dropTable = async (connection: Connection, name: string): Promise<void> => {
  try {
    await connection.dropTable(name);
  } catch (error) {
    if (!isMissingTable(error)) throw error;
  }
};

/**
 * Writer of the engine on LanceDB. Nothing is loaded or connected before the first call. A commit is one version of the
 * table, none if nothing changes, and several if it deletes very many rows.
 */
export const openWriter = (location: EngineLocation, clock: Clock = systemClock): EngineWriter => {
  const connection = connectDatabase(location);
  const tables = openTables(connection, location.openTables ?? 256);
  const states = tableStates();
  const commit = commitTo(async (ref) => openContent(tables, states, { ref, view: await openView(tables, ref) }));
  return {
    create: async (ref) => {
      const { table: name } = ref.layers[0];
      await createTable(await connection(), name, ref);
      const view = await openView(tables, ref);
      return states.stateOf(ref, view, await states.summaryOf(ref, view[0]));
    },
    branch: async (ref, { rows, denseBytes, sparseBytes }) => {
      const table = await createTable(await connection(), ref.layers[0].table, ref);
      const version = await table.version();
      return { version, rows, denseBytes, sparseBytes, unindexedRows: 0, tombstones: 0, fragments: 0 };
    },
    commit: (...call) => reportingDamage(() => commit(...call)),
    materialize: async (ref, after, limit = batchRowsOf(ref.dimensions)) =>
      materializeRows({ ref, view: await openView(tables, ref) }, states, { after, limit }),
    maintain: async (ref, retention, builtRows) => {
      const view = await openView(tables, ref);
      const own = await states.summaryOf(ref, view[0]);
      await compactTable(view[0], retention, clock.now());
      const [state, vectorIndex] = await Promise.all([
        states.stateOf(ref, view, own),
        vectorIndexState(view[0], ref, builtRows),
      ]);
      return { state, vectorIndex };
    },
    buildVectorIndex: async (ref) => {
      const [table] = await openView(tables, ref);
      return buildVectorIndex(table, ref);
    },
    drop: async (name) => {
      tables.forget(name);
      states.forget(name);
      await dropTable(await connection(), name);
    },
  };
};

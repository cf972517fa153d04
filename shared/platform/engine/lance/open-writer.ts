import { randomUUID } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import { systemClock, type Clock } from '../../../kernel/clock.ts';
import { matchesAll } from '../filter.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { ChangeResult, CommitResult, EngineWriter, IndexRef, TableState } from '../port.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { nextCopies, batchRowsOf } from './materialize-branch.ts';
import { createTable } from './create-table.ts';
import { encodeRows, type StoredRow } from './encode-rows.ts';
import { coalesceChanges } from './coalesce-changes.ts';
import { growthOver } from './existing-rows.ts';
import { buildVectorIndex, vectorIndexState } from './vector-index-build.ts';
import { addToJournal, journalId, journalRow } from './journal.ts';
import { compactTable } from './table-compaction.ts';
import { measureTable, type Totals } from './measure-tables.ts';
import { isMissingTable, type OpenTables, openTables } from './open-tables.ts';
import type { KeyedChange } from './apply-change.ts';
import { chunked, type View } from './read-layers.ts';
import { reportingDamage } from './storage-error.ts';
import { type TableStates, type TableSummary, tableStates } from './table-states.ts';
import { completeColumns } from './written-texts.ts';

const nothing: ChangeResult = { written: 0, deleted: 0 };

type WritableView = readonly [Table, ...Table[]];

const openView = async (tables: OpenTables, ref: IndexRef): Promise<WritableView> => {
  const [own, ...ancestors] = ref.layers;
  const [table, ...behind] = await Promise.all([
    tables.writable(own.table),
    ...ancestors.map((layer) => tables.exact(layer.table, layer.version)),
  ]);
  if (table === null) throw new DamagedIndex(`the table ${own.table} does not exist`);
  return [table, ...behind.flatMap((layer) => layer ?? [])];
};

/** Opens the tables of an index for merging rows, after adding missing columns to the nearest layer. */
const openComplete = async (tables: OpenTables, ref: IndexRef): Promise<WritableView> => {
  const view = await openView(tables, ref);
  await completeColumns(view[0]);
  return view;
};

interface Writing {
  readonly ref: IndexRef;
  readonly view: WritableView;
  readonly states: TableStates;
}

/** Result of a merge into the nearest layer. */
interface Merged {
  /** Rows, tombstones and the journal that were replaced. */
  readonly replaced: number;
  /** Whether there was no other write in between. */
  readonly isAlone: boolean;
}

/** Merges batches of rows into the nearest layer, each as one version. */
const merge = async ({ ref, view: [table] }: Writing, portions: readonly (readonly StoredRow[])[]): Promise<Merged> => {
  let version = await table.version();
  let [replaced, isAlone] = [0, true];
  for (const stored of portions) {
    // The index on id would be slower here, and with it concurrent merges could leave an id twice.
    const insert = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
    const merged = await insert.execute(await encodeRows(stored, ref));
    isAlone &&= merged.version === version + 1;
    replaced += merged.numUpdatedRows;
    ({ version } = merged);
  }
  return { replaced, isAlone };
};

/** Returns the totals of the nearest layer after a merge that changes them by `growth`. */
const totalsAfter = async (
  { ref, view: [table] }: Writing,
  { isAlone }: Merged,
  before: Totals,
  growth: () => Promise<Totals> | Totals,
): Promise<Totals> => {
  // Another version in between shows a second writer, whose rows are not in these totals.
  if (!isAlone) return measureTable(table, ref.layers.length === 1);
  const { rows, sparseBytes } = await growth();
  return { rows: before.rows + rows, sparseBytes: before.sparseBytes + sparseBytes };
};

/** Changes that may be partly applied. */
const divisible: ReadonlySet<string> = new Set(['delete', 'deleteWhere', 'deleteJob']);

/**
 * Divides stored rows into batches, mostly a single one. A tombstone takes the space of a vector, so deletions of many
 * rows are split. Readers use the previous version until all batches are written. A repeated deletion deletes and
 * counts the remaining rows.
 */
const batchesOf = (
  { ref: { dimensions } }: Writing,
  changes: readonly KeyedChange[],
  stored: readonly StoredRow[],
): readonly (readonly StoredRow[])[] =>
  changes.every(({ change }) => divisible.has(change.kind)) ? chunked(stored, batchRowsOf(dimensions)) : [stored];

/** Whether one change empties a table whose rows mask nothing. */
const emptiesTable = ({ ref }: Writing, { masks }: TableSummary, changes: readonly KeyedChange[]): boolean => {
  const [only, ...others] = changes;
  if (masks || ref.layers.length > 1 || others.length > 0) return false;
  return only?.change.kind === 'deleteWhere' && matchesAll(only.change.filter);
};

/**
 * Removes all rows without tombstones, which would take the space of vectors. The journal follows in a version of its
 * own. A repeat after an interruption deletes and counts the remaining rows, as other deletions do.
 */
const emptyTable = async (
  writing: Writing,
  summary: TableSummary,
  key: string,
): Promise<{ readonly summary: TableSummary; readonly result: ChangeResult }> => {
  const { ref, view } = writing;
  const [table] = view;
  const result = { written: 0, deleted: summary.totals.rows };
  const version = await table.version();
  await table.delete(`id <> '${journalId}'`);
  const isAlone = (await table.version()) === version + 1;
  const journal = addToJournal(summary.journal, new Map([[key, result]]));
  const merged = await merge(writing, [[journalRow(journal)]]);
  const totals =
    isAlone && merged.isAlone ? { rows: 0, sparseBytes: 0 } : await measureTable(table, ref.layers.length === 1);
  return { summary: { ...summary, totals, journal }, result };
};

const commitChanges = async (
  writing: Writing,
  tables: OpenTables,
  changes: readonly KeyedChange[],
  maxRows: number,
): Promise<CommitResult> => {
  const { ref, view, states } = writing;
  const [summary, version] = await Promise.all([states.summaryOf(ref, view[0]), view[0].version()]);
  const fresh = changes.filter(({ key }) => !summary.journal.has(key));
  const [only] = fresh;
  if (only !== undefined && summary.totals.rows > 0 && emptiesTable(writing, summary, fresh)) {
    const emptied = await emptyTable(writing, summary, only.key);
    const results = changes.map(({ key }) => summary.journal.get(key) ?? emptied.result);
    return { state: await states.stateOf(ref, view, emptied.summary), results };
  }
  const exactly = ({ layers }: IndexRef): Promise<View> =>
    Promise.all(layers.map(({ table, version: at }) => tables.exact(table, at)));
  const maxGrowth = maxRows === Infinity ? Infinity : maxRows - (await states.rowsOf(view, summary.totals));
  const { stored, growth, isUnasked, results } = await coalesceChanges(
    { ref, view, masks: summary.masks, open: exactly },
    fresh,
    maxGrowth,
  );
  const told = new Map(fresh.map(({ key }, at) => [key, results[at] ?? nothing]));
  const all = changes.map(({ key }) => summary.journal.get(key) ?? told.get(key) ?? nothing);
  if (stored.length === 0) return { state: await states.stateOf(ref, view, summary), results: all };
  const journal = addToJournal(summary.journal, told);
  const merged = await merge(writing, batchesOf(writing, fresh, [...stored, journalRow(journal)]));
  // Each commit but the first replaces the journal.
  const hasReplaced = merged.replaced > (summary.journal.size === 0 ? 0 : 1);
  const totals = await totalsAfter(writing, merged, summary.totals, () =>
    isUnasked && hasReplaced
      ? tables.asOf(ref.layers[0].table, version, (before) => growthOver([before], stored))
      : growth,
  );
  return { state: await states.stateOf(ref, view, { ...summary, totals, journal }), results: all };
};

const materializeRows = async (
  writing: Writing,
  page: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly state: TableState; readonly next: string | null }> => {
  const { ref, view, states } = writing;
  const summary = await states.summaryOf(ref, view[0]);
  const { copies, next } = await nextCopies(view, ref, page);
  if (copies.length === 0) return { state: await states.stateOf(ref, view, summary), next };
  const merged = await merge(writing, [copies]);
  const totals = await totalsAfter(writing, merged, summary.totals, () => ({ rows: 0, sparseBytes: 0 }));
  return { state: await states.stateOf(ref, view, { ...summary, totals }), next };
};

const dropTable = async (connection: Connection, name: string): Promise<void> => {
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
    commit: async (ref, changes, keys, maxRows = Infinity) => {
      const keyed = changes.map((change, at) => ({ key: keys?.[at] ?? randomUUID(), change }));
      return reportingDamage(async () =>
        commitChanges({ ref, view: await openComplete(tables, ref), states }, tables, keyed, maxRows),
      );
    },
    materialize: async (ref, after, limit = batchRowsOf(ref.dimensions)) =>
      materializeRows({ ref, view: await openComplete(tables, ref), states }, { after, limit }),
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

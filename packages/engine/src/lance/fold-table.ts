import { randomUUID } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import type { RecordBatch, Schema } from 'apache-arrow';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import type { IndexRef } from '../port.ts';
import { needsVectorIndex, type TableBase } from '../segments/base-table.ts';
import type { FoldedTable, TableFolder } from '../segments/fold.ts';
import { idsPerQuery } from './base-table.ts';
import { anyOf } from './compile-filter.ts';
import { columnOf, idsOf } from './decode-rows.ts';
import { encodeRows } from './encode-rows.ts';
import type { OpenTables } from './open-tables.ts';
import { reportingDamage } from './storage-error.ts';
import { compactTable } from './table-compaction.ts';
import { createIndexes } from './table-indexes.ts';
import { tableSchema } from './table-schema.ts';
import { buildVectorIndex, vectorPartsOf } from './vector-index-build.ts';

/** Bytes of vectors that are copied at once. */
const copiedBytes = 64 * 1024 * 1024;

/** Seconds for which readers may use a version that was replaced. */
const keepSeconds = 60 * 60;

const rowsIn = async function* (table: Table): ReturnType<FoldedTable['rows']> {
  for await (const batch of table.query().select(['id', 'row_version'])) {
    const [id, version] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'row_version')];
    for (let at = 0; at < batch.numRows; at += 1) yield { id: id(at), version: version(at) };
  }
};

const dropTable = async (connection: Connection, name: string): Promise<void> => {
  try {
    await connection.dropTable(name);
  } catch (error) {
    const isMissing = error instanceof Error && /^Table '[^']*' was not found/.test(error.message);
    if (!isMissing) throw error;
  }
};

/** Names of the tables of an index begin with its id and the time of their creation. */
const prefixOf = (index: string): string => `${index}_at_`;
const nameFor = (index: string, now: Date): string =>
  `${prefixOf(index)}${now.getTime().toString(36)}_${randomUUID().slice(0, 8)}`;
const createdMs = (index: string, name: string): number => Number.parseInt(name.slice(prefixOf(index).length), 36);

/** Returns the names of the tables of an index. A list cannot begin at a name, and few indexes have a table. */
const namesOf = async (connection: Connection, index: string): Promise<readonly string[]> => {
  const found: string[] = [];
  let page: Awaited<ReturnType<Connection['listTables']>> | undefined;
  do {
    page = await connection.listTables(page?.pageToken === undefined ? {} : { pageToken: page.pageToken });
    found.push(...page.tables.filter((name) => name.startsWith(prefixOf(index))));
  } while (page.pageToken !== undefined);
  return found;
};

/** Opens a table for writing at the version that a manifest names. */
const openAt = async (connection: Connection, { table: name, version }: TableBase): Promise<Table> => {
  const table = await connection.openTable(name);
  if ((await table.version()) === version) return table;
  await table.checkout(version);
  await table.restore();
  return table;
};

/** Returns the parts of a batch without some rows. */
const partsWithout = (batch: RecordBatch, removed: ReadonlySet<string>): readonly RecordBatch[] => {
  const ids = idsOf(batch);
  const parts: RecordBatch[] = [];
  for (let start = 0, end = 0; start < ids.length; start = end + 1) {
    for (end = start; end < ids.length && !removed.has(ids[end] ?? '');) end += 1;
    if (end > start) parts.push(batch.slice(start, end));
  }
  return parts;
};

/** Copies the rows of a table as they are, except some. */
const copyRows = async (from: Table, to: Table, removed: ReadonlySet<string>, ref: IndexRef): Promise<void> => {
  const maxRows = Math.ceil(copiedBytes / (ref.dimensions * 4));
  let [parts, rows]: [RecordBatch[], number] = [[], 0];
  const addParts = async (): Promise<void> => {
    const [first] = parts;
    if (first !== undefined) await to.add({ schema: first.schema, batches: parts });
    [parts, rows] = [[], 0];
  };
  for await (const batch of from.query()) {
    parts.push(...partsWithout(batch, removed));
    rows += batch.numRows;
    if (rows >= maxRows) await addParts();
  }
  await addParts();
};

const columnNames = async (table: Table): Promise<ReadonlySet<string>> =>
  new Set((await table.schema()).fields.map(({ name }) => name));

/** Adds the columns that a table of an earlier release lacks. They are behind the others, as in the schema. */
const addMissingColumns = async (table: Table, { fields }: Schema): Promise<void> => {
  const present = await columnNames(table);
  const missing = fields.filter(({ name }) => !present.has(name));
  if (missing.length > 0) await table.addColumns(missing);
};

/** Database of the tables that are written. */
interface Folding {
  readonly connection: () => Promise<Connection>;
  readonly tables: OpenTables;
  readonly clock: Clock;
}

/** Opens the table of an index at the version of a manifest, or creates one, without the rows that a fold removes. */
const openTarget = async (
  { connection, tables, clock }: Folding,
  ref: IndexRef,
  base: TableBase | null,
  { removed, isNew }: { readonly removed: readonly string[]; readonly isNew: boolean },
): Promise<Table> => {
  const [database, schema] = await Promise.all([connection(), tableSchema(ref)]);
  if (base !== null && !isNew) {
    const table = await openAt(database, base);
    for (const ids of batchesOf(removed, idsPerQuery)) await table.delete(anyOf('id', ids));
    await addMissingColumns(table, schema);
    return table;
  }
  const name = nameFor(ref.layers[0].table, clock.now());
  if (base === null) return database.createEmptyTable(name, schema);
  const from = await tables.at(base.table, base.version);
  const table = await database.createEmptyTable(name, await from.schema());
  await copyRows(from, table, new Set(removed), ref);
  await addMissingColumns(table, schema);
  return table;
};

/** Folds rows into LanceDB tables. Throws `DamagedIndex` if a table that is read or continued is missing or damaged. */
export const tableFolder = (folding: Folding): TableFolder => {
  const { connection, tables, clock } = folding;
  const remove = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      tables.forget(name);
      await dropTable(await connection(), name);
    }
  };
  return {
    fold: (ref, base, { removed, rows }, { isRewritten, isPaused, keepVersions }) =>
      reportingDamage(async () => {
        const isNew = base?.owner !== ref.layers[0].table || isRewritten;
        const table = await openTarget(folding, ref, base, { removed, isNew });
        for await (const some of rows()) await table.add(await encodeRows(some, ref));
        const kept = base === null || isNew ? [] : [...keepVersions, base.version];
        await compactTable(table, { keepSeconds, keepVersions: kept }, clock.now());
        await createIndexes(table, ref);
        const built = { rows: await table.countRows(), vectorParts: await vectorPartsOf(table) };
        if (needsVectorIndex(built, ref, isPaused)) await buildVectorIndex(table, ref);
        const version = await table.version();
        const folded = await tables.at(table.name, version);
        const vectorParts = await vectorPartsOf(table);
        return { table: table.name, version, vectorParts, rows: () => rowsIn(folded) };
      }),
    list: async (index) =>
      (await namesOf(await connection(), index)).map((name) => ({ name, createdAt: new Date(createdMs(index, name)) })),
    collect: async (index, kept) => {
      const cutMs = clock.now().getTime() - keepSeconds * 1_000;
      const names = await namesOf(await connection(), index);
      await remove(names.filter((name) => !kept.has(name) && createdMs(index, name) < cutMs));
    },
    drop: async (index) => remove(await namesOf(await connection(), index)),
  };
};

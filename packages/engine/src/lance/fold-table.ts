import type { Connection, Table } from '@lancedb/lancedb';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { toVersioned, type VersionedRow } from '../changes/index-content.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { IndexRef } from '../port.ts';
import type { TableBase } from '../segments/base-table.ts';
import type { FoldedTable, TableFolder } from '../segments/fold.ts';
import { anyOf } from './compile-filter.ts';
import { createTable } from './create-table.ts';
import { columnOf, decodeRows } from './decode-rows.ts';
import { mergeRows } from './merge-rows.ts';
import type { OpenTables } from './open-tables.ts';
import { dropTable } from './open-writer.ts';
import { idsPerQuery } from './read-layers.ts';
import { compactTable } from './table-compaction.ts';
import { rowColumns } from './table-schema.ts';
import { buildVectorIndex, vectorIndexState } from './vector-index-build.ts';

/** Seconds for which readers may use a version that was replaced. */
const keepSeconds = 60 * 60;

const addRows = async (ref: IndexRef, table: Table, rows: readonly VersionedRow[]): Promise<void> => {
  if (rows.length === 0) return;
  const stored = rows.map((row) => ({
    id: row.id,
    row,
    version: row.version,
    masks: false,
    maskedBytes: 0,
    inherited: false,
  }));
  await mergeRows({ ref, view: [table] }, [stored]);
};

/** Copies rows of the table of another index. */
const copyRows = async (ref: IndexRef, from: Table, to: Table, isCopied: (id: string) => boolean): Promise<void> => {
  for await (const batch of from.query().select([...rowColumns, 'row_version', 'vector']))
    await addRows(
      ref,
      to,
      decodeRows(batch, ref)
        .filter(({ id }) => isCopied(id))
        .map(toVersioned),
    );
};

const rowsIn = async function* (table: Table): ReturnType<FoldedTable['rows']> {
  for await (const batch of table.query().select(['id', 'row_version'])) {
    const [id, version] = [columnOf<string>(batch, 'id'), columnOf<string>(batch, 'row_version')];
    for (let at = 0; at < batch.numRows; at += 1) yield { id: id(at), version: version(at) };
  }
};

/** Names of the tables of an index begin with its id, and end with the time of their creation. */
const prefixOf = (index: string): string => `${index}_at_`;
const nameFor = (index: string, now: Date): string => `${prefixOf(index)}${now.getTime().toString(36)}`;
const createdMs = (index: string, name: string): number => Number.parseInt(name.slice(prefixOf(index).length), 36);

/** Tables of one request to list their names. */
const namesAtOnce = 100;

/** Returns the names of the tables of an index. The token of a page is the last name before it. */
const namesOf = async (connection: Connection, index: string): Promise<readonly string[]> => {
  const prefix = prefixOf(index);
  const found: string[] = [];
  let pageToken: string | undefined = prefix;
  do {
    const page: Awaited<ReturnType<Connection['listTables']>> = await connection.listTables({
      pageToken,
      limit: namesAtOnce,
    });
    found.push(...page.tables.filter((name) => name.startsWith(prefix)));
    ({ pageToken } = page);
  } while (pageToken?.startsWith(prefix) === true);
  return found;
};

/** Database of the tables that are written. */
interface Folding {
  readonly connection: () => Promise<Connection>;
  readonly tables: OpenTables;
  readonly clock: Clock;
}

/** Opens the table of an index at the version of a manifest, or creates one. */
const openOwn = async (
  { connection, tables, clock }: Folding,
  ref: IndexRef,
  base: TableBase | null,
  isCopied: (id: string) => boolean,
): Promise<Table> => {
  const { table: index } = ref.layers[0];
  if (base?.owner === index) {
    const table = await tables.writable(base.table);
    if (table === null) throw new DamagedIndex(`the table ${base.table} does not exist`);
    if ((await table.version()) !== base.version) {
      await table.checkout(base.version);
      await table.restore();
    }
    return table;
  }
  const table = await createTable(await connection(), nameFor(index, clock.now()), ref);
  if (base !== null) await copyRows(ref, await tables.exact(base.table, base.version), table, isCopied);
  return table;
};

/** Folds rows into LanceDB tables. */
export const tableFolder = (folding: Folding): TableFolder => {
  const { connection, tables, clock } = folding;
  const remove = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      tables.forget(name);
      await dropTable(await connection(), name);
    }
  };
  return {
    fold: async (ref, base, { removed, rows }, { isCopied, keepVersions }) => {
      const table = await openOwn(folding, ref, base, isCopied);
      for (const ids of batchesOf(removed, idsPerQuery)) await table.delete(anyOf('id', ids));
      for await (const some of rows()) await addRows(ref, table, some);
      const kept = [...keepVersions, ...(base === null ? [] : [base.version])];
      await compactTable(table, { keepSeconds, keepVersions: kept }, clock.now());
      if (['missing', 'worn'].includes(await vectorIndexState(table, ref, null))) await buildVectorIndex(table, ref);
      const version = await table.version();
      const folded = await tables.exact(table.name, version);
      return { table: table.name, version, rows: () => rowsIn(folded) };
    },
    collect: async (index, kept) => {
      const cutMs = clock.now().getTime() - keepSeconds * 1_000;
      const names = await namesOf(await connection(), index);
      await remove(names.filter((name) => !kept.has(name) && createdMs(index, name) < cutMs));
    },
    drop: async (index) => remove(await namesOf(await connection(), index)),
  };
};

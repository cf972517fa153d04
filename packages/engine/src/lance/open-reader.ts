import type { Table } from '@lancedb/lancedb';
import type { EngineReader, IndexRef } from '../port.ts';
import { DamagedIndex } from '../damaged-index.ts';
import { unchangedSince } from '../unchanged-since.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { type OpenTables, openTables, type Wanted } from './open-tables.ts';
import type { RequestedTable } from './vector-cache/load-table.ts';
import { listDifferences } from './list-differences.ts';
import { countVisible, summarizeVisible, type View } from './read-layers.ts';
import { fetchRows, listRows } from './read-rows.ts';
import { sampleRows } from './sample-rows.ts';
import { reportingDamage } from './storage-error.ts';
import { type LayerCaches, searchView } from './search-view.ts';

/** Returns the own table of an index, as a query reads it. */
const ownTableOf =
  (tables: OpenTables, nameOf: (table: string) => string) =>
  (ref: IndexRef, table: Table): RequestedTable => {
    const { unchanged, layers } = ref;
    const [{ table: name }] = layers;
    const noted = unchanged && { ...unchanged, open: () => tables.exact(name, unchanged.to) };
    return { table, name: nameOf(name), pinned: false, shape: ref, unchanged: noted ?? null };
  };

/**
 * Reader of the engine on LanceDB. Nothing is loaded or connected before the first call. A table that does not exist and
 * has no committed version is read as an empty one. Throws `DamagedIndex` for any other missing table.
 */
export const openReader = (location: EngineLocation): EngineReader => {
  const tables = openTables(connectDatabase(location), location.openTables ?? 256);
  const nameOf = (table: string): string => `${location.uri}/${table}`;
  const ownOf = ownTableOf(tables, nameOf);

  const wantedOf = (ref: IndexRef): Wanted => {
    const prepare = async (table: Table): Promise<void> => location.vectorCache?.follow(ownOf(ref, table));
    return { version: ref.layers[0].version, since: unchangedSince(ref), prepare };
  };

  const readNow = async <Answer>(ref: IndexRef, work: (view: View) => Promise<Answer>): Promise<Answer> => {
    const [own, ...ancestors] = ref.layers;
    const opening = ancestors.map(({ table, version }) => tables.exact(table, version));
    const [table, rest] = await Promise.all([tables.atLeast(own.table, wantedOf(ref)), Promise.all(opening)]);
    if (table === null && own.version > 0) throw new DamagedIndex(`the table ${own.table} does not exist`);
    const view = table === null ? rest : [table, ...rest];
    try {
      return await work(view);
    } catch (error) {
      // Maintenance may have removed the files of the version of a long idle handle.
      const newest = table === null ? null : await tables.newest(own.table);
      if (newest === null || (await newest.version()) === (await table?.version())) throw error;
      return work([newest, ...rest]);
    }
  };

  const read = <Answer>(ref: IndexRef, work: (view: View) => Promise<Answer>): Promise<Answer> =>
    reportingDamage(() => readNow(ref, work));

  const memoryOf = (ref: IndexRef, view: View): LayerCaches => {
    // Only the index's own table may not exist yet. Reading the name of a handle would wait for its current query.
    const layers = ref.layers.slice(-view.length);
    return {
      vectorCache: async (table, depth) => {
        const layer = layers[depth];
        if (location.vectorCache === undefined || layer === undefined) return null;
        // Ancestors of a branch do not change; the own rows of an index do.
        if (layer === ref.layers[0]) return location.vectorCache.of(ownOf(ref, table));
        return location.vectorCache.of({ table, name: nameOf(layer.table), pinned: true, shape: ref, unchanged: null });
      },
      rowCache: (depth, columns) => {
        const layer = layers[depth];
        return layer === undefined ? null : (location.rowCache?.of(nameOf(layer.table), columns) ?? null);
      },
    };
  };

  return {
    search: (ref, query) => read(ref, (view) => searchView(view, ref, query, memoryOf(ref, view))),
    fetch: (ref, ids, includeVector) => read(ref, (view) => fetchRows(view, ids, ref, includeVector)),
    list: (ref, page) => read(ref, (view) => listRows(view, ref, page)),
    diff: (ref, page) => read(ref, (view) => listDifferences(view, page)),
    sample: (ref, count, seed) => read(ref, (view) => sampleRows(view, ref, count, seed)),
    count: (ref, filter) => read(ref, (view) => countVisible(view, filter)),
    viewOf: async () => 0,
    summarize: (ref, filter, begin) => read(ref, (view) => summarizeVisible(view, filter, begin())),
  };
};

import type { EngineReader, IndexRef } from '../port.ts';
import { connectDatabase, type EngineLocation } from './connect-database.ts';
import { openTables } from './open-tables.ts';
import { listDifferences } from './list-differences.ts';
import { countVisible, type View } from './read-layers.ts';
import { fetchRows, listRows } from './read-rows.ts';
import { sampleRows } from './sample-rows.ts';
import { type ResidentLayer, searchView } from './search-view.ts';

/**
 * The reading side of the engine on LanceDB. Nothing is loaded or connected before the first call. A table that does not
 * exist answers as an empty one; a missing ancestor of a branch is an error.
 */
export const openReader = (location: EngineLocation): EngineReader => {
  const tables = openTables(connectDatabase(location), location.openTables ?? 256);

  const read = async <Answer>(ref: IndexRef, work: (view: View) => Promise<Answer>): Promise<Answer> => {
    const [own, ...ancestors] = ref.layers;
    const opening = ancestors.map(({ table, version }) => tables.exact(table, version));
    const [table, ...behind] = await Promise.all([tables.atLeast(own.table, own.version), ...opening]);
    const rest = behind.flatMap((layer) => layer ?? []);
    const view = table === null ? rest : [table, ...rest];
    try {
      return await work(view);
    } catch (error) {
      // Maintenance may have removed the files of the version that a long idle handle stands on.
      const newest = table === null ? null : await tables.newest(own.table);
      if (newest === null || (await newest.version()) === (await table?.version())) throw error;
      return work([newest, ...rest]);
    }
  };

  // What a branch stands on does not change; its own rows do.
  const residentLayer =
    (ref: IndexRef): ResidentLayer =>
    async (table, depth) =>
      location.residents?.of({ table, uri: location.uri, pinned: depth > 0, shape: ref }) ?? null;

  return {
    search: (ref, query) => read(ref, (view) => searchView(view, ref, query, residentLayer(ref))),
    fetch: (ref, ids, includeVector) => read(ref, (view) => fetchRows(view, ids, ref, includeVector)),
    list: (ref, page) => read(ref, (view) => listRows(view, ref, page)),
    diff: (ref, page) => read(ref, (view) => listDifferences(view, page)),
    sample: (ref, count, seed) => read(ref, (view) => sampleRows(view, ref, count, seed)),
    count: (ref, filter) => read(ref, (view) => countVisible(view, filter)),
  };
};

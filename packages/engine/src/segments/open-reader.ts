import { DamagedIndex } from '../damaged-index.ts';
import type { EngineReader, IndexRef } from '../port.ts';
import { type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { differencesOf, fetchRows, listRows, matchingPlaces, sampleRows, summarizeRows } from './read-segments.ts';
import { searchSegments } from './search-segments.ts';

/** Opens the version of its parent that a branch is based on. Null: the index is no branch. */
export const openBase = async (versions: OpenVersions, ref: IndexRef): Promise<OpenVersion | null> => {
  const [, parent] = ref.layers;
  if (parent === undefined) return null;
  const base = await versions.find(parent.table, parent.version, widthOf(ref));
  if (base === null) throw new DamagedIndex(`version ${parent.version} of ${parent.table} does not exist`);
  return base;
};

/** Reader of indexes that consist of segments alone. */
export const openReader = (versions: OpenVersions): EngineReader => {
  /** Reads an index as of its ref, or at its newest version if a delayed reader names one that was collected. */
  const readAt = async <Answer>(ref: IndexRef, read: (opened: OpenVersion) => Promise<Answer>): Promise<Answer> => {
    try {
      return await read(await versions.open(ref));
    } catch (error) {
      const [{ table, version }, ...ancestors] = ref.layers;
      const newest = error instanceof DamagedIndex && version > 0 ? await versions.newest(table) : 0;
      if (newest <= version) throw error;
      return read(
        await versions.open({ ...ref, manifest: undefined, layers: [{ table, version: newest }, ...ancestors] }),
      );
    }
  };
  return {
    search: (ref, query) => readAt(ref, (opened) => searchSegments(opened, ref, query)),
    fetch: (ref, ids, includeVector) =>
      readAt(ref, (opened) => fetchRows(opened, ids, includeVector ? ref.dimensions : null)),
    list: (ref, page) => readAt(ref, (opened) => listRows(opened, ref, page)),
    diff: async (ref, page) => {
      const base = await openBase(versions, ref);
      if (base === null) return { differences: [], next: null };
      return readAt(ref, (opened) => differencesOf(base, opened, page));
    },
    sample: (ref, count, seed) => readAt(ref, (opened) => sampleRows(opened, ref, count, seed)),
    count: (ref, filter) =>
      readAt(ref, async (opened) =>
        filter === undefined ? opened.manifest.rows : (await matchingPlaces(opened, filter)).length,
      ),
    viewOf: async () => 0,
    summarize: (ref, filter, begin) => readAt(ref, (opened) => summarizeRows(opened, filter, begin())),
  };
};

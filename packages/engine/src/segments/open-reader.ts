import { type Clock, systemClock } from '../../../../shared/kernel/clock.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { DamagedIndex } from '../damaged-index.ts';
import type { EngineReader, IndexRef } from '../port.ts';
import { VersionGone } from '../version-gone.ts';
import type { BaseTable } from './base-table.ts';
import { listDifferences } from './branch-changes.ts';
import { countFacets } from './count-facets.ts';
import { keptOf, manifestsAtOnce, versionsIn } from './kept-versions.ts';
import { type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { chunkIdsOf, fetchRows, listRows, matchingPlaces, sampleRows, summarizeRows } from './read-segments.ts';
import { searchSegments } from './search-segments.ts';
import { versionPrefix } from './segment-format.ts';

/** Opens the version of its parent that a branch is based on. Null: the index is no branch. */
export const openBase = async (versions: OpenVersions, ref: IndexRef): Promise<OpenVersion | null> => {
  const [, parent] = ref.layers;
  if (parent === undefined) return null;
  const base = await versions.find(parent.table, parent.version, widthOf(ref));
  if (base === null) throw new DamagedIndex(`version ${parent.version} of ${parent.table} does not exist`);
  return base;
};

/** Lists the kept versions of indexes. */
const formerVersions = (versions: OpenVersions, clock: Clock): Pick<EngineReader, 'versions' | 'rowsAt'> => ({
  versions: async (ref, keepDays) => {
    const { table } = ref.layers[0];
    const found = versionsIn(await versions.store.list(versionPrefix(table)), table);
    return keptOf(found, keepDays, clock.now());
  },
  rowsAt: (ref, wanted) =>
    inParallel(wanted, manifestsAtOnce, async (version) => {
      const opened = await versions.find(ref.layers[0].table, version, widthOf(ref));
      return opened?.manifest.rows ?? null;
    }),
});

/** Reader of indexes that consist of segments, alone or over a table. */
export const openReader = (versions: OpenVersions, clock: Clock = systemClock): EngineReader => {
  /**
   * Reads an index as of its ref, or at its newest version if a delayed reader names one that was collected. Throws
   * `VersionGone` in place of that if the ref is pinned.
   */
  const readAt = async <Answer>(
    ref: IndexRef,
    read: (opened: OpenVersion, table: () => Promise<BaseTable | null>) => Promise<Answer>,
  ): Promise<Answer> => {
    const readOf = (opened: OpenVersion): Promise<Answer> => read(opened, () => versions.tableOf(opened, ref));
    try {
      return await readOf(await versions.open(ref));
    } catch (error) {
      const [{ table, version }, ...ancestors] = ref.layers;
      const newest = error instanceof DamagedIndex && version > 0 ? await versions.newest(table) : 0;
      if (ref.isPinned === true && newest !== version && newest > 0) throw new VersionGone(table, version, error);
      if (newest <= version) throw error;
      const layers = [{ table, version: newest }, ...ancestors] as const;
      return readOf(await versions.open({ ...ref, manifest: undefined, layers }));
    }
  };
  return {
    search: (ref, query) => readAt(ref, (opened, table) => searchSegments(opened, ref, query, table)),
    chunkIds: (ref, jobIds) => readAt(ref, async (opened, table) => chunkIdsOf(opened, await table(), jobIds)),
    fetch: (ref, ids, includeVector) =>
      readAt(ref, async (opened, table) =>
        fetchRows(opened, await table(), ids, includeVector ? ref.dimensions : null),
      ),
    list: (ref, page) => readAt(ref, async (opened, table) => listRows(opened, await table(), ref, page)),
    diff: async (ref, page) => {
      const base = await openBase(versions, ref);
      if (base === null) return { differences: [], next: null };
      return readAt(ref, (opened) => listDifferences(versions, { base, branch: opened, ref }, page));
    },
    sample: (ref, count, seed) =>
      readAt(ref, async (opened, table) => sampleRows(opened, await table(), ref, count, seed)),
    ...formerVersions(versions, clock),
    count: (ref, filter) =>
      readAt(ref, async (opened, table) => {
        if (filter === undefined) return opened.manifest.rows;
        const below = await table();
        return (await matchingPlaces(opened, filter)).length + ((await below?.count(filter)) ?? 0);
      }),
    viewOf: async () => 0,
    facets: (ref, filter, facets) =>
      readAt(ref, async (opened, table) => countFacets(opened, await table(), ref, filter, facets)),
    summarize: (ref, filter, begin) =>
      readAt(ref, async (opened, table) => summarizeRows(opened, await table(), filter, begin())),
  };
};

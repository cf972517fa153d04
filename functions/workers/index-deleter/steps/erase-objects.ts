import {
  firstReadable,
  type IndexRecord,
  readVersionsOf,
  releaseLayers,
  tablesOf,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import type { Deleting } from '../uses.ts';
import type { Erasing, Looks, Target } from './erasing.ts';

interface FoundObjects {
  readonly looks: Looks;
  readonly cleanFrom: Readonly<Record<string, number>>;
}

/** Makes a branch independent whose objects are its own, unless branches of its own read those of its parent. */
const detach = async ({ deps, run }: Deleting, branch: IndexRecord): Promise<void> => {
  if ([...branch.dependents].some((dependent) => dependent.startsWith('idx_'))) return;
  await deps.indexes.detach(branch);
  await releaseLayers(deps, branch, branch.layers.slice(1, 2), run.clock);
};

/** Returns the number of former tables of an index that nothing reads any more. Maintenance drops them. */
const formerTables = (index: IndexRecord): number =>
  tablesOf(index).others.filter(({ table }) => readVersionsOf(index, table).length === 0).length;

/**
 * Looks into the stored objects of an index. Maintenance writes those of the newest version without removed rows. Once it has,
 * no version before is needed, and maintenance removes what is left of them.
 */
const lookInto = async (deleting: Deleting, { found }: Erasing, { index, rows }: Target) => {
  const { deps } = deleting;
  const clean = found.cleanFrom[index.id];
  const { version, live, older } = await deps.engines(index.organizationId, index.engine).leftovers(toIndexRef(index), {
    ids: new Set(rows.keys()),
    at: new Date(found.erasedAt),
    fromVersion: clean ?? firstReadable(index),
  });
  const isBranch = index.layers.length > 1;
  const versions = older.length + formerTables(index);
  if (live.length + versions > 0) await deps.builds.request(index, 'purge');
  const isClean = live.length === 0;
  if (isClean && isBranch) await detach(deleting, index);
  if (isClean && clean === undefined) await deps.indexes.raiseFirstReadable(index, version);
  return {
    segments: live.length,
    versions,
    branches: isBranch ? 1 : 0,
    // The versions before the first without the rows are looked for from the next look on.
    isOpen: clean === undefined,
    cleanFrom: clean ?? (isClean ? version : null),
  };
};

/** Looks for rows of an erasure in the stored objects of its index and of branches. */
export const eraseObjects = async (deleting: Deleting, erasing: Erasing): Promise<FoundObjects> => {
  const cleanFrom: Record<string, number> = { ...erasing.found.cleanFrom };
  let [segments, versions, branches, isOpen] = [0, 0, 0, false];
  for (const target of erasing.targets) {
    const looked = await lookInto(deleting, erasing, target);
    segments += looked.segments;
    versions += looked.versions;
    branches += looked.branches;
    isOpen ||= looked.isOpen;
    if (looked.cleanFrom !== null) cleanFrom[target.index.id] = looked.cleanFrom;
  }
  const looks = { segments: { count: segments }, versions: { count: versions, isOpen }, branches: { count: branches } };
  return { looks, cleanFrom };
};

import { dependentOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import type { Layer } from '../../../../shared/platform/engine/port.ts';
import type { Writing } from '../uses.ts';

/**
 * Releases the ancestors of an index. A deleted ancestor without other dependents is dropped next. Any other ancestor removes
 * the versions that it kept.
 */
export const releaseAncestors = async (
  { deps, run }: Writing,
  index: Pick<IndexRecord, 'organizationId' | 'id'>,
  ancestors: readonly Layer[],
): Promise<void> => {
  for (const { table, version } of ancestors) {
    const ancestor = await deps.indexes.changeDependents(index.organizationId, table, {
      exclude: dependentOf(index.id, version),
    });
    if (ancestor?.status === 'deleting' && ancestor.dependents.size === 0)
      await deps.log.append(ancestor, { op: 'drop' });
    if (ancestor?.status === 'ready')
      await deps.indexes.notePendingCleanup(ancestor.organizationId, ancestor.id, run.clock.now().toISOString());
  }
};

/**
 * Returns a branch that reads the table of an index. If the branch is gone or does not read the table any more, the lost
 * release is repeated here, and the result is null.
 */
export const findBranchOrRelease = async (
  writing: Writing,
  { organizationId, id: table }: IndexRecord,
  { branchId, version }: { readonly branchId: string; readonly version: number },
): Promise<IndexRecord | null> => {
  const branch = await writing.deps.indexes.get(organizationId, branchId);
  // A branch in creation is noted before its record has its ancestors.
  if (branch?.status === 'creating' || branch?.layers.some((layer) => layer.table === table)) return branch;
  await releaseAncestors(writing, { organizationId, id: branchId }, [{ table, version }]);
  return null;
};

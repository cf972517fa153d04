import { dependentOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import type { Layer } from '../../../../shared/platform/engine/port.ts';
import type { Writing } from '../uses.ts';

/**
 * Frees what an index stood on: an ancestor that waits to be dropped and has no other dependent is dropped next, another lets
 * go of the versions that it kept.
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
      await deps.indexes.noteLeftovers(ancestor.organizationId, ancestor.id, run.clock.now().toISOString());
  }
};

/**
 * The branch that stands on an index, as the index has noted; null where it is gone or reads the table no more. Then
 * whoever was to free the index was lost, so it is freed here.
 */
export const branchOn = async (
  writing: Writing,
  { organizationId, id: table }: IndexRecord,
  { branchId, version }: { readonly branchId: string; readonly version: number },
): Promise<IndexRecord | null> => {
  const branch = await writing.deps.indexes.get(organizationId, branchId);
  // One that is still made is noted before it says what it reads.
  if (branch?.status === 'creating' || branch?.layers.some((layer) => layer.table === table)) return branch;
  await releaseAncestors(writing, { organizationId, id: branchId }, [{ table, version }]);
  return null;
};

import type { Clock } from '../kernel/clock.ts';
import type { Layer } from '#engine';
import type { IndexWriter } from './contracts.ts';
import type { IndexLog } from './index-log.ts';
import { dependentOf, type IndexRecord, indexOfTable } from './record.ts';

interface ReleaseDeps {
  readonly indexes: Pick<IndexWriter, 'changeDependents' | 'notePendingCleanup'>;
  readonly log: Pick<IndexLog, 'append'>;
}

/**
 * Releases versions that a branch or an export has read. A deleted index without other dependents is deleted next. Any other
 * removes the versions that it kept.
 */
export const releaseLayers = async (
  deps: ReleaseDeps,
  { organizationId, id }: Pick<IndexRecord, 'organizationId' | 'id'>,
  layers: readonly Layer[],
  clock: Clock,
): Promise<void> => {
  for (const layer of layers) {
    const exclude = dependentOf(id, layer);
    const ancestor = await deps.indexes.changeDependents(organizationId, indexOfTable(layer.table), { exclude });
    if (ancestor?.status === 'deleting' && ancestor.dependents.size === 0)
      await deps.log.append(ancestor, { op: 'close' });
    if (ancestor?.status === 'ready') await deps.indexes.notePendingCleanup(ancestor, clock.now().toISOString());
  }
};

/**
 * Returns a branch that reads the table of an index. If the branch is gone or does not read the table any more, the lost
 * release is repeated here, and the result is null.
 */
export const findBranchOrRelease = async (
  deps: ReleaseDeps & { readonly indexes: Pick<IndexWriter, 'get'> },
  organizationId: string,
  { branchId, ...read }: Layer & { readonly branchId: string },
  clock: Clock,
): Promise<IndexRecord | null> => {
  const branch = await deps.indexes.get(organizationId, branchId);
  // A branch in creation is noted before its record has its ancestors.
  if (branch?.status === 'creating' || branch?.layers.some(({ table }) => table === read.table)) return branch;
  await releaseLayers(deps, { organizationId, id: branchId }, [read], clock);
  return null;
};

import { type IndexRecord, releaseLayers } from '../../../../shared/indexes/index.ts';
import type { Writing } from '../uses.ts';

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
  await releaseLayers(writing.deps, { organizationId, id: branchId }, [{ table, version }], writing.run.clock);
  return null;
};

import type { Deps } from '../../../../shared/kernel/capability.ts';
import type { IndexRecord, logSend } from '../../../../shared/indexes/index.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';
import { deleteLateRecords, type LateDeps } from './delete-late-records.ts';

type SweepDeps = LateDeps & Deps<{ log: typeof logSend }>;

/** Resends the change that an index waits for: its creation, for a branch in the log of its parent, or its removal. */
const resendChange = async ({ log }: SweepDeps, index: IndexRecord): Promise<void> => {
  const { id, parentIndexId } = index;
  if (index.status === 'deleting') await log.append(index, { op: 'close' });
  else if (parentIndexId === null) await log.append(index, { op: 'create' }, `create-${id}`);
  else await log.append({ ...index, id: parentIndexId }, { op: 'branch', branch_id: id }, `branch-${id}`);
};

/**
 * Checks each index that should have been created or removed by now. A duplicate message finds its work
 * done. A removed index is checked once more, when no request can still be storing anything for it.
 */
export const sweepIndexes = async (deps: SweepDeps, now: Date): Promise<void> => {
  const at = now.toISOString();
  await processBatch(await deps.indexes.overdue(now, maxBatchItems), async (address) => {
    if (!(await deps.indexes.postponeCheck(address, at))) return;
    const index = await deps.indexes.get(address.organizationId, address.id);
    const waitsForNothing = index === null ? await deleteLateRecords(deps, address) : index.status === 'ready';
    if (waitsForNothing) await deps.indexes.endChecks(address, at);
    else if (index !== null) await resendChange(deps, index);
  });
};

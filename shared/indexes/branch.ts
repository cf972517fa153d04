import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { plans } from '../kernel/plans.ts';
import type { Principal } from '../http/principal.ts';
import { indexesWrite } from './capabilities.ts';
import { emptyState, requireRoomForIndex } from './create.ts';
import { awaitReceipt, logSend } from './log.ts';
import type { IndexRecord } from './record.ts';
import { requireWritableIndex } from './require.ts';

/** What branching may touch. */
export const branchIndexUses = { indexes: indexesWrite, log: logSend };

/**
 * Branches an index as of all that its log holds by now, in a number of operations that does not depend on its size, and
 * waits until the branch can be used. Throws 402, 403, 404 and 409.
 */
export const branchIndex = async (
  {
    deps,
    caller,
    clock,
  }: { readonly deps: Deps<typeof branchIndexUses>; readonly caller: Principal; readonly clock: Clock },
  parentId: string,
  name: string,
): Promise<IndexRecord> => {
  const parent = await requireWritableIndex(deps.indexes, caller.organizationId, parentId);
  const depth = parent.branchDepth + 1;
  const { limits, features } = plans[caller.plan];
  if (!features.branching) throw new AppError('feature_not_in_plan', 'The plan does not include branching');
  if (depth > limits.branch_depth) {
    throw new AppError('plan_limit_reached', `The plan allows branches to a depth of ${limits.branch_depth}`, {
      fields: { limit: limits.branch_depth, current: parent.branchDepth },
    });
  }
  await requireRoomForIndex(deps.indexes, caller);
  const at = clock.now();
  const id = newId('idx', at);
  const branch: IndexRecord = {
    ...parent,
    id,
    name,
    status: 'creating',
    createdAt: at.toISOString(),
    parentIndexId: parent.id,
    branchDepth: depth,
    layers: [{ table: id, version: 0 }],
    dependents: new Set(),
    state: emptyState,
    lastWrittenAt: null,
  };
  await deps.indexes.add(branch);
  const receiptId = await deps.log.append(parent, { op: 'branch', branch_id: id });
  await awaitReceipt(deps.indexes, parent, receiptId);
  return branch;
};

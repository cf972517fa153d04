import type { Deps } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { plans } from '../kernel/plans.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { changeIndexUses, indexesWrite } from './capabilities.ts';
import { addIndex } from './create.ts';
import { awaitReceipt } from './await-receipt.ts';
import { newIndex } from './new-index.ts';
import type { IndexRecord } from './record.ts';
import { requireFeature, requireWritableIndex } from './require.ts';

/** Capabilities that branching needs. */
export const branchIndexUses = { ...changeIndexUses, indexes: indexesWrite };

/** Maximum branches that fit in the item of an index. Source: DynamoDB, 400 KB for an item. */
const maxBranches = 4_000;

interface BranchCall {
  readonly deps: Deps<typeof branchIndexUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Returns the receipt id of a branch that repeats of the request share; undefined, for a new one, if that receipt is a refusal. */
const receiptFor = async (
  { deps, idempotency }: BranchCall,
  parent: IndexRecord,
  branchId: string,
): Promise<string | undefined> => {
  const first = `branch-${branchId}`;
  const receipt = idempotency.isRepeat ? await deps.indexes.receipt(parent.organizationId, parent.id, first) : null;
  return receipt === null || receipt.error === null ? first : undefined;
};

/**
 * Branches an index as of all changes in its log, and waits until the branch is ready. The number of operations does not
 * depend on the size of the index. Throws 402, 403, 404 and 409.
 */
export const branchIndex = async (call: BranchCall, parentId: string, name: string): Promise<IndexRecord> => {
  const { deps, caller, idempotency } = call;
  const parent = await requireWritableIndex(deps, caller.organizationId, parentId);
  requireFeature(parent, 'branches');
  const depth = parent.branchDepth + 1;
  const { limits } = plans[caller.plan];
  if (depth > limits.branch_depth) {
    throw new AppError('plan_limit_reached', `The plan allows branches to a depth of ${limits.branch_depth}`, {
      fields: { limit: limits.branch_depth, current: parent.branchDepth },
    });
  }
  // An earlier run of this request may have created the last branch.
  if (parent.dependents.size >= maxBranches && !idempotency.isRepeat)
    throw new AppError('conflict', `An index has at most ${maxBranches} branches`);
  const id = idempotency.id('idx');
  const createdAt = idempotency.at.toISOString();
  const branch = newIndex({ ...parent, id, name, createdAt, parentIndexId: parent.id, branchDepth: depth });
  await addIndex(deps.indexes, caller, branch);
  const change = { op: 'branch', branch_id: id } as const;
  const receiptId = await deps.log.append(parent, change, await receiptFor(call, parent, id));
  await awaitReceipt(deps, parent, receiptId);
  return branch;
};

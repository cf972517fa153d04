import {
  requestMaterialization,
  dependentOf,
  dependentsOf,
  hasManyAncestors,
  holdingOf,
  type IndexRecord,
  isLive,
  type MessageOf,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { countMessages, vectorLimitReached } from '../../../../shared/usage/index.ts';
import { acknowledge, done } from './receipts.ts';
import { refuseChange } from './refuse-change.ts';
import { admit } from './remaining-quota.ts';
import type { Writing } from '../uses.ts';

/**
 * Makes a branch ready, based on the current version of its parent and on the ancestors of the parent. A branch that was
 * deleted meanwhile stays deleted. The number of steps does not depend on the size.
 */
const createBranch = async ({ deps, run }: Writing, parent: IndexRecord, branch: IndexRecord): Promise<void> => {
  const { organizationId, id: branchId } = branch;
  const ancestors = parent.layers;
  // Noted first: an unused version may be kept too long, but a used version is never lost.
  for (const { table, version } of ancestors) {
    await deps.indexes.changeDependents(organizationId, table, { include: dependentOf(branchId, version) });
  }
  const layers: IndexRecord['layers'] = [{ table: branchId, version: 0 }, ...ancestors];
  const engine = deps.engines(organizationId);
  const state = await engine.branch({ ...toIndexRef(branch), layers }, parent.state);
  const at = run.clock.now().toISOString();
  const usage = countMessages({ usage: branch.usage, held: holdingOf(branch) }, [], at);
  // Saved in the ledger before the branch is ready, because its own writer updates the ledger from then on.
  await deps.usage.saveIndex(branch, holdingOf({ state, usage }), usage, at);
  await deps.indexes.markBranchReady(organizationId, branchId, ancestors, { state, usage });
};

/** Whether a run of this message has begun to create the branch, which may be in the ledger by now. */
const isBegun = (parent: IndexRecord, branchId: string): boolean =>
  dependentsOf(parent).some((dependent) => dependent.branchId === branchId);

/** Creates a branch of its parent as of this position in the parent's log. */
export const applyBranch = async (
  writing: Writing,
  parent: IndexRecord,
  message: MessageOf<'branch'>,
): Promise<void> => {
  const { deps, run } = writing;
  const branchId = message.change.branch_id;
  const branch = await deps.indexes.get(parent.organizationId, branchId);
  if (!isLive(parent) || !isLive(branch)) {
    await refuseChange(writing, message, 'The index has been deleted');
    return;
  }
  if (branch.status === 'creating' && !isBegun(parent, branchId)) {
    const { quota, maxRows } = await admit(writing, branch, parent.state.rows);
    if (quota !== null && parent.state.rows > maxRows) {
      await refuseChange(writing, message, vectorLimitReached(quota).message, quota);
      return;
    }
  }
  if (branch.status === 'creating') {
    await createBranch(writing, parent, branch);
    // The branch is ready now, or was deleted meanwhile.
    await applyBranch(writing, parent, message);
    return;
  }
  if (hasManyAncestors(branch)) await requestMaterialization(deps, branch, message.receipt_id, run.clock.now());
  await acknowledge(writing, message, done);
};

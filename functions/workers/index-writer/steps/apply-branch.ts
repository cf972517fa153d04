import {
  askToFold,
  dependentOf,
  dependentsOf,
  hasManyAncestors,
  holdingOf,
  type IndexRecord,
  isLive,
  type MessageOf,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { countMessages, noRoomForVectors } from '../../../../shared/usage/index.ts';
import { acknowledge, done } from './receipts.ts';
import { refuseChange } from './refuse-change.ts';
import { roomIn } from './room.ts';
import type { Writing } from '../uses.ts';

/**
 * Makes a branch ready on its parent as that is now, and on what the parent stands on, unless it has been deleted
 * meanwhile. The number of steps does not depend on size.
 */
const standOn = async ({ deps, run }: Writing, parent: IndexRecord, branch: IndexRecord): Promise<void> => {
  const { organizationId, id: branchId } = branch;
  const ancestors = parent.layers;
  // Noted first: a version that nobody uses is kept too long at worst, one that is used is never lost.
  for (const { table, version } of ancestors) {
    await deps.indexes.changeDependents(organizationId, table, { include: dependentOf(branchId, version) });
  }
  const layers: IndexRecord['layers'] = [{ table: branchId, version: 0 }, ...ancestors];
  const engine = deps.engines(organizationId);
  const state = await engine.branch({ ...toIndexRef(branch), layers }, parent.state);
  const at = run.clock.now().toISOString();
  const usage = countMessages({ usage: branch.usage, held: holdingOf(branch) }, [], at);
  // In the books before it is ready: from then on its own writer keeps them.
  await deps.usage.saveIndex(branch, holdingOf({ state, usage }), usage, at);
  await deps.indexes.markBranchReady(organizationId, branchId, ancestors, { state, usage });
};

/** Whether a run of this message has begun to make the branch; it may be in the books by now. */
const isBegun = (parent: IndexRecord, branchId: string): boolean =>
  dependentsOf(parent).some((dependent) => dependent.branchId === branchId);

/** Lets a branch stand on its parent as of this place in the parent's log. */
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
    const { room, mostRows } = await roomIn(writing, branch);
    if (parent.state.rows > mostRows) {
      await refuseChange(writing, message, noRoomForVectors(room).message, room);
      return;
    }
  }
  if (branch.status === 'creating') {
    await standOn(writing, parent, branch);
    // As it is by now: ready, or deleted meanwhile.
    await applyBranch(writing, parent, message);
    return;
  }
  if (hasManyAncestors(branch)) await askToFold(deps, branch, message.receipt_id, run.clock.now());
  await acknowledge(writing, message, done);
};

import {
  dependentOf,
  dependentsOf,
  type IndexRecord,
  isLive,
  type LogMessage,
  type MessageOf,
  releaseLayers,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { admit, branched, vectorLimitReached, type VectorQuota, withdrawn } from '../../../../shared/ledger/index.ts';
import { acknowledge, done, refuse } from './receipts.ts';
import { rebuildAddressOf } from './apply-switch.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Releases the version of the parent that noted an incomplete branch. */
const releaseNotedVersions = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { organization_id: organizationId, index_id: parentId } = message;
  const parent = await writing.deps.indexes.get(organizationId, parentId);
  const noted = parent === null ? [] : dependentsOf(parent).filter((dependent) => dependent.branchId === branchId);
  await releaseLayers(writing.deps, { organizationId, id: branchId }, noted, writing.run.clock);
};

/** Whether the table of a branch was never read nor branched: its record has no version. */
const wasNeverReady = ({ layers: [own] }: IndexRecord): boolean => own.version === 0;

/**
 * Rolls back an incomplete branch, so that it does not count against the plan. A ready branch stays. If the branch was deleted
 * during its creation, its own log may have dropped the table before the table existed.
 */
const rollBackBranch = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { organization_id: organizationId } = message;
  const { indexes, engines } = writing.deps;
  const branch = await indexes.get(organizationId, branchId);
  if (branch?.status !== 'ready') {
    await releaseNotedVersions(writing, message, branchId);
    await withdrawn(ledgerOf(writing), organizationId, branchId);
  }
  if (branch === null || wasNeverReady(branch)) await engines(organizationId).drop(branchId);
  if (branch?.status === 'creating')
    await indexes.deleteFailed(organizationId, branchId, writing.run.clock.now().toISOString());
};

/** Refuses a change, and rolls back the branch that it was to create. */
export const refuseChange = async (
  writing: Writing,
  message: LogMessage,
  error: string,
  quota?: VectorQuota,
): Promise<void> => {
  const { change } = message;
  if (change.op === 'switch') await writing.deps.contents.rebuilds.resume(rebuildAddressOf(message, change));
  if (change.op === 'branch') await rollBackBranch(writing, message, change.branch_id);
  await refuse(writing, message, error, quota);
};

/**
 * Makes a branch ready, based on the current version of its parent. A branch that was deleted meanwhile stays deleted. The
 * number of steps does not depend on the size.
 */
const createBranch = async (writing: Writing, parent: IndexRecord, branch: IndexRecord): Promise<void> => {
  const { deps } = writing;
  const { organizationId, id: branchId } = branch;
  const ancestors = parent.layers;
  // Noted first: an unused version may be kept too long, but a used version is never lost. The parent keeps what it is
  // based on, also after its deletion.
  await deps.indexes.changeDependents(organizationId, parent.id, { include: dependentOf(branchId, ancestors[0]) });
  const layers: IndexRecord['layers'] = [{ table: branchId, version: 0 }, ...ancestors];
  if (parent.expiresFrom !== null) await deps.indexes.noteExpiry(organizationId, branchId, parent.expiresFrom);
  // A rebuild may have changed the content of the parent since the request.
  const state = await deps.engines(organizationId).create({ ...toIndexRef(parent), layers, manifest: '' });
  const usage = await branched(ledgerOf(writing), branch, state);
  await deps.indexes.markBranchReady(organizationId, branchId, parent, { state, usage });
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
  const { deps } = writing;
  const branchId = message.change.branch_id;
  const branch = await deps.indexes.get(parent.organizationId, branchId);
  if (!isLive(parent) || !isLive(branch)) {
    await refuseChange(writing, message, 'The index has been deleted');
    return;
  }
  if (branch.status === 'creating' && !isBegun(parent, branchId)) {
    const { quota, maxRows } = await admit(ledgerOf(writing), branch, parent.state.rows);
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
  await acknowledge(writing, message, done);
};

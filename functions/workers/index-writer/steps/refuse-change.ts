import { dependentsOf, type IndexRecord, type LogMessage, releaseLayers } from '../../../../shared/indexes/index.ts';
import type { VectorQuota } from '../../../../shared/usage/index.ts';
import { refuse } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Releases the ancestors that noted an incomplete branch. The parent is noted first, so it still exists. */
const releaseNotedAncestors = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { indexes } = writing.deps;
  const { organization_id: organizationId, index_id: parentId } = message;
  const parent = await indexes.get(organizationId, parentId);
  for (const { table } of parent?.layers ?? []) {
    const ancestor = await indexes.get(organizationId, table);
    const noted =
      ancestor === null ? [] : dependentsOf(ancestor).filter((dependent) => dependent.branchId === branchId);
    const layers = noted.map(({ version }) => ({ table, version }));
    await releaseLayers(writing.deps, { organizationId, id: branchId }, layers, writing.run.clock);
  }
};

/** Whether the table of a branch was never read nor branched: its record has no version. */
const wasNeverReady = ({ layers: [own] }: IndexRecord): boolean => own.version === 0;

/**
 * Rolls back an incomplete branch, so that it does not count against the plan. A ready branch stays. If the branch was deleted
 * during its creation, its own log may have dropped the table before the table existed.
 */
const rollBackBranch = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { organization_id: organizationId } = message;
  const { indexes, engines, usage } = writing.deps;
  const branch = await indexes.get(organizationId, branchId);
  if (branch?.status !== 'ready') {
    await releaseNotedAncestors(writing, message, branchId);
    await usage.releaseIndex(organizationId, branchId);
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
  if (change.op === 'branch') await rollBackBranch(writing, message, change.branch_id);
  await refuse(writing, message, error, quota);
};

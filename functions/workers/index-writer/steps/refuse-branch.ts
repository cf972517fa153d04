import type { LogMessage } from '../../../../shared/indexes/index.ts';
import { refuse } from './receipts.ts';
import { releaseAncestors } from './release-ancestors.ts';
import type { Writing } from './writing.ts';

/** Frees what an attempt at a branch noted with its ancestors; the parent, which is noted first, is not dropped before. */
const releaseNoted = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { indexes } = writing.deps;
  const { organization_id: organizationId, index_id: parentId } = message;
  const parent = await indexes.get(organizationId, parentId);
  for (const { table } of parent?.layers ?? []) {
    const { dependents = [] } = (await indexes.get(organizationId, table)) ?? {};
    const noted = [...dependents].filter((dependent) => dependent.startsWith(`${branchId}@`));
    const layers = noted.map((dependent) => ({ table, version: Number(dependent.split('@')[1]) }));
    await releaseAncestors(writing, { organizationId, id: branchId }, layers);
  }
};

/** Ends a message that makes a branch without the branch: its record goes, so that it does not count against the plan. */
export const refuseBranch = async (writing: Writing, message: LogMessage, error: string): Promise<void> => {
  const { change, organization_id: organizationId } = message;
  if (change.op !== 'branch') return;
  const { indexes, engines, usage } = writing.deps;
  const branch = await indexes.get(organizationId, change.branch_id);
  if (branch?.status !== 'ready') {
    await releaseNoted(writing, message, change.branch_id);
    await usage.releaseIndex(organizationId, change.branch_id);
  }
  if (branch?.status === 'creating') {
    await engines(organizationId).drop(branch.id);
    await indexes.takeBack(organizationId, branch.id);
  }
  await refuse(writing, message, error);
};

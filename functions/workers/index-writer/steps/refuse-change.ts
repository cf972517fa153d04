import { dependentsOf, type IndexRecord, type LogMessage } from '../../../../shared/indexes/index.ts';
import type { VectorRoom } from '../../../../shared/usage/index.ts';
import { refuse } from './receipts.ts';
import { releaseAncestors } from './release-ancestors.ts';
import type { Writing } from '../uses.ts';

/** Frees what an attempt at a branch noted with its ancestors; the parent, which is noted first, is not dropped before. */
const releaseNoted = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { indexes } = writing.deps;
  const { organization_id: organizationId, index_id: parentId } = message;
  const parent = await indexes.get(organizationId, parentId);
  for (const { table } of parent?.layers ?? []) {
    const ancestor = await indexes.get(organizationId, table);
    const noted =
      ancestor === null ? [] : dependentsOf(ancestor).filter((dependent) => dependent.branchId === branchId);
    const layers = noted.map(({ version }) => ({ table, version }));
    await releaseAncestors(writing, { organizationId, id: branchId }, layers);
  }
};

/** Whether nobody can have read the table of a branch, nor branched it: its record tells no version. */
const wasNeverReady = ({ layers: [own] }: IndexRecord): boolean => own.version === 0;

/**
 * Takes back what was made of a branch, so that it does not count against the plan; one that is ready stays. Where it was
 * deleted while it was made, its own log may have dropped its table before that was made.
 */
const takeBackBranch = async (writing: Writing, message: LogMessage, branchId: string): Promise<void> => {
  const { organization_id: organizationId } = message;
  const { indexes, engines, usage } = writing.deps;
  const branch = await indexes.get(organizationId, branchId);
  if (branch?.status !== 'ready') {
    await releaseNoted(writing, message, branchId);
    await usage.releaseIndex(organizationId, branchId);
  }
  if (branch === null || wasNeverReady(branch)) await engines(organizationId).drop(branchId);
  if (branch?.status === 'creating')
    await indexes.takeBack(organizationId, branchId, writing.run.clock.now().toISOString());
};

/** A message with the change that it settles, if it settles one. */
export const settledBy = (message: LogMessage): LogMessage =>
  message.change.op === 'settle' ? { ...message, change: message.change.change } : message;

/** Ends a message without its change, and without the branch that it was to make. */
export const refuseChange = async (
  writing: Writing,
  message: LogMessage,
  error: string,
  room?: VectorRoom,
): Promise<void> => {
  const { change } = settledBy(message);
  if (change.op === 'branch') await takeBackBranch(writing, message, change.branch_id);
  await refuse(writing, message, error, room);
};

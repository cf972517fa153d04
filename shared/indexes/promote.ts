import type { Deps } from '../kernel/capability.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import { AppError } from '../kernel/errors.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import type { ParentChanges } from '#engine';
import { applyChange } from './apply-change.ts';
import { changeIndexUses } from './capabilities.ts';
import type { Receipt } from './contracts.ts';
import type { DirectChange } from './index-log.ts';
import { type IndexRecord, isLive } from './record.ts';
import { requireCaughtUp, requireNotFull } from './capacity.ts';
import { requireFeature, requireReadyIndex } from './require.ts';

/** Capabilities that promoting needs. */
export const promoteIndexUses = changeIndexUses;

/** Returns why a branch cannot be promoted to a parent of another embedding model. */
export const otherModelsMessage = (
  branch: Pick<IndexRecord, 'embeddingModel'>,
  parent: Pick<IndexRecord, 'embeddingModel'>,
): string =>
  `The branch has the embedding model ${branch.embeddingModel} and its parent ${parent.embeddingModel}. With "embed": true its texts are embedded again`;

/** Returns why a branch cannot be promoted to a parent that cuts files otherwise; null if it can. */
export const otherChunksMessage = (
  branch: Pick<IndexRecord, 'chunking'>,
  parent: Pick<IndexRecord, 'chunking'>,
): string | null =>
  isSameChunking(branch.chunking, parent.chunking)
    ? null
    : `The branch and its parent have chunks of other sizes, so the rows of their files cannot be mixed. Rebuild the branch with "chunking": ${JSON.stringify(parent.chunking)}, or undo the rebuild of the parent`;

interface PromoteCall {
  readonly deps: Deps<typeof promoteIndexUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Reason for which a branch cannot be compared with its parent after an erasure. */
export const detachedMessage =
  'Rows of the branch were erased, so that it has no branch point any more. Promote it with "parent_changes": "discard", or make a new branch';

/** How a branch is promoted. */
interface Promotion {
  readonly parentChanges: ParentChanges;
  readonly embed: boolean;
  /** Throws unless the content of the branch has proved itself; another content is not promoted then. Null: it need not. */
  readonly prove: ((branch: IndexRecord, parent: IndexRecord) => Promise<void>) | null;
}

/**
 * Promotes a branch: its content becomes the content of its parent, in one commit. Waits until searches see it. Throws 402,
 * 404, 409, 429 and 503.
 */
export const promoteIndex = async (
  { deps, caller, idempotency }: PromoteCall,
  branchId: string,
  { parentChanges, embed, prove }: Promotion,
): Promise<Receipt & { readonly parentId: string }> => {
  const branch = await requireReadyIndex(deps.indexes, caller.organizationId, branchId);
  requireFeature(branch, 'branches');
  if (branch.parentIndexId === null) throw new AppError('conflict', 'The index is no branch');
  if (branch.layers.length === 1 && parentChanges === 'keep') throw new AppError('conflict', detachedMessage);
  const parent = await deps.indexes.get(caller.organizationId, branch.parentIndexId);
  if (!isLive(parent)) {
    throw new AppError('conflict', 'The index that the branch was made from has been deleted');
  }
  if (branch.embeddingModel !== parent.embeddingModel && !embed)
    throw new AppError('conflict', otherModelsMessage(branch, parent));
  const otherChunks = otherChunksMessage(branch, parent);
  if (otherChunks !== null) throw new AppError('conflict', otherChunks);
  if (!idempotency.isRepeat) {
    requireNotFull(deps.indexes, parent);
    requireCaughtUp(parent);
  }
  await deps.waits.requireBelowLimit(parent);
  const change = async (): Promise<DirectChange> => {
    await prove?.(branch, parent);
    return {
      op: 'promote',
      branch_id: branchId,
      parent_changes: parentChanges,
      embed,
      ...(prove === null ? {} : { branch_version: branch.state.commitVersion }),
    };
  };
  return { ...(await applyChange({ deps, caller, idempotency }, parent, change)), parentId: parent.id };
};

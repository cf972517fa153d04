import { type IndexRecord, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { finish } from './commit-changes.ts';
import { lookupOnly } from './load-change.ts';
import { didSomething, nothing, refuse } from './receipts.ts';
import { addedBy, admit } from './remaining-quota.ts';
import { saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';
import { maxCommitBytes } from './limits.ts';

/**
 * Promotes a branch into its parent, in one commit, so that a reader sees all of it or nothing. The table remembers the
 * message, so a repeat returns the result of the first run, even if the branch has changed since.
 */
export const applyPromotion = async (
  writing: Writing,
  parent: IndexRecord,
  message: MessageOf<'promote'>,
): Promise<void> => {
  const { change } = message;
  const { deps } = writing;
  const branch = await deps.indexes.get(parent.organizationId, change.branch_id);
  const promotion: Change =
    branch?.status === 'ready'
      ? {
          kind: 'promote',
          branch: toIndexRef(branch),
          parentChanges: change.parent_changes,
          maxBytes: maxCommitBytes(writing),
        }
      : // If an earlier run has promoted it, the table returns the result.
        lookupOnly;
  const engine = deps.engines(parent.organizationId);
  const { quota, maxRows, room } = await admit(writing, parent, addedBy([promotion]));
  const { state, results } = await engine.commit(toIndexRef(parent), [promotion], [message.receipt_id], maxRows);
  const result = results[0] ?? nothing;
  if (promotion === lookupOnly && !didSomething(result)) {
    await refuse(writing, message, 'The branch has been deleted');
    return;
  }
  await saveCommit(writing, parent, state, [{ message, result }], room);
  await finish(writing, { message, result }, 0, quota);
};

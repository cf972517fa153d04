import { type IndexRecord, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { finish } from './commit-changes.ts';
import { onlyTold } from './load-change.ts';
import { didSomething, nothing, refuse } from './receipts.ts';
import { anyRoom, mayAdd, roomIn } from './room.ts';
import { saveCommit } from './save-commit.ts';
import type { Writing } from '../uses.ts';
import { mostBytesAtOnce } from './limits.ts';

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
          maxBytes: mostBytesAtOnce(writing),
        }
      : // If an earlier run has promoted it, the table returns the result.
        onlyTold;
  const engine = deps.engines(parent.organizationId);
  const { room, mostRows } = mayAdd([promotion]) ? await roomIn(writing, parent) : anyRoom;
  const { state, results } = await engine.commit(toIndexRef(parent), [promotion], [message.receipt_id], mostRows);
  const result = results[0] ?? nothing;
  if (promotion === onlyTold && !didSomething(result)) {
    await refuse(writing, message, 'The branch has been deleted');
    return;
  }
  await saveCommit(writing, parent, state, [{ message, result }]);
  await finish(writing, { message, result }, 0, room);
};

import { fillSlot, indexUpdated } from '../../../../shared/events/index.ts';
import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { timeOf } from '../../../../shared/kernel/ids.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { saveCommit } from './commit-changes.ts';
import { acknowledge, nothing, refuse, toReceipt } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Bytes of vectors that one promotion may write: they are one commit, which has to fit the writer's memory. */
const mostBytes = 256 * 1024 * 1024;

/** Renames of the index may each time have put their event first. */
const mostTries = 50;

/** Tells of the promotion, once however often it is repeated: the event takes its id from the message's own time. */
const announce = async ({ deps }: Writing, parent: IndexRecord, message: LogMessage): Promise<void> => {
  const { organizationId, id } = parent;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const index = await deps.indexes.get(organizationId, id);
    if (index === null || index.status === 'deleting') return;
    const { name, region } = index;
    const event = indexUpdated({ at: timeOf(message.receipt_id), organizationId, index: { id, name, region } });
    const changed = await deps.indexes.announce(organizationId, id, fillSlot('updated', event));
    const item = changed ?? (await deps.indexes.item(organizationId, id));
    if (item !== null) await deps.indexEvents.flush(organizationId, item);
    if (changed !== null) return;
  }
  throw new Error(`no room for the event of index ${id}`);
};

/**
 * Puts what a branch has come to in the place of what its parent holds: one commit, so a reader sees all of it or nothing.
 * The table remembers the message, so a repeat tells what the first run did, whatever the branch has come to since.
 */
export const applyPromotion = async (writing: Writing, parent: IndexRecord, message: LogMessage): Promise<void> => {
  const { change } = message;
  if (change.op !== 'promote') return;
  const { deps } = writing;
  const branch = await deps.indexes.get(parent.organizationId, change.branch_id);
  const promotion: Change =
    branch?.status === 'ready'
      ? {
          kind: 'promote',
          branch: toIndexRef(branch),
          parentChanges: change.parent_changes,
          mostRows: Math.floor(mostBytes / (parent.dimensions * 4)),
        }
      : // An earlier run may have promoted it, which the table then tells.
        { kind: 'upsert', rows: [] };
  const engine = deps.engines(parent.organizationId);
  const { state, results } = await engine.commit(toIndexRef(parent), [promotion], [message.receipt_id]);
  const result = results[0] ?? nothing;
  if (promotion.kind === 'upsert' && result.written + result.deleted === 0) {
    await refuse(writing, message, 'The branch has been deleted');
    return;
  }
  await saveCommit(writing, parent, state, [{ message, result }]);
  if (result.written + result.deleted > 0) await announce(writing, parent, message);
  await acknowledge(writing, message, toReceipt(result));
};

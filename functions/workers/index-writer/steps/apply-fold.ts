import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { releaseAncestors } from './release-ancestors.ts';
import { acknowledge, nothing, toReceipt } from './receipts.ts';
import type { Writing } from './writing.ts';

/** How long one message copies rows; another goes on, so that writes of callers come in between. */
const portionMs = 10_000;

/** Lets a branch read its own table alone; rows that it does not hold have been copied into it. */
const letGo = async ({ deps }: Writing, index: IndexRecord): Promise<void> => {
  const [own] = index.layers;
  const state = await deps.engines(index.organizationId).create({ ...toIndexRef(index), layers: [own] });
  await deps.indexes.markFolded(index.organizationId, index.id, state);
};

/**
 * Copies what lies behind a branch into its own table, so that it stands alone: searches ask one table, and its ancestors
 * need not keep old versions any more. What a reader sees is the same at every moment. A repeat copies nothing twice.
 */
export const applyFold = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { change } = message;
  if (change.op !== 'fold') return;
  const { deps, run } = writing;
  const engine = deps.engines(index.organizationId);
  const startedMs = run.clock.now().getTime();
  let { after } = change;
  if (index.layers.length > 1) {
    do {
      const { state, next } = await engine.inherit(toIndexRef(index), after);
      await deps.indexes.saveState(index.organizationId, index.id, state, null);
      after = next;
    } while (after !== null && run.clock.now().getTime() - startedMs < portionMs);
    if (after !== null) {
      const next = derivedId('rcp', new Date(index.createdAt), message.receipt_id, after);
      await deps.log.append(index, { ...change, after }, next);
      await acknowledge(writing, message, toReceipt(nothing));
      return;
    }
    await letGo(writing, index);
    await deps.log.append(index, { op: 'maintain' }, `maintain-${message.receipt_id}`);
  }
  await releaseAncestors(writing, index, change.ancestors);
  await acknowledge(writing, message, toReceipt(nothing));
};

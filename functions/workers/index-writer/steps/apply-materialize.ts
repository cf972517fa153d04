import {
  materializationBy,
  type IndexRecord,
  type MessageOf,
  toIndexRef,
  releaseLayers,
} from '../../../../shared/indexes/index.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Milliseconds for which one message copies rows. Another continues, so that writes of callers come in between. */
const copyMs = 10_000;

/** Removes the ancestors of a branch whose table contains all its rows now. */
const removeAncestors = async ({ deps }: Writing, index: IndexRecord): Promise<void> => {
  const [own] = index.layers;
  const state = await deps.engines(index.organizationId).create({ ...toIndexRef(index), layers: [own] });
  await deps.indexes.markMaterialized(index.organizationId, index.id, state);
};

/** Copies rows for the time of one message. Returns the id after which the next message continues; null if all are copied. */
const copyRows = async ({ deps, run }: Writing, index: IndexRecord, from: string | null): Promise<string | null> => {
  const engine = deps.engines(index.organizationId);
  const startedMs = run.clock.now().getTime();
  let after = from;
  do {
    const { state, next } = await engine.materialize(toIndexRef(index), after);
    await deps.indexes.saveState(index.organizationId, index.id, state, null);
    after = next;
  } while (after !== null && run.clock.now().getTime() - startedMs < copyMs);
  return after;
};

/** Continues a materialization. Returns whether it is complete; if not, another message continues. */
const continueMaterialization = async (
  writing: Writing,
  index: IndexRecord,
  { receipt_id: id, change }: MessageOf<'materialize'>,
): Promise<boolean> => {
  const { deps, run } = writing;
  const after = await copyRows(writing, index, change.after);
  if (after === null) {
    await removeAncestors(writing, index);
    await deps.log.append(index, { op: 'maintain' }, `maintain-${id}`);
    return true;
  }
  const next = derivedId('rcp', new Date(index.createdAt), id, after);
  await deps.log.append(index, { ...change, after }, next);
  // Noted last: if the run dies before, this message continues, and the message that it has sent does nothing.
  await deps.indexes.noteMaterialization(index, materializationBy(next, run.clock.now()));
  return false;
};

/**
 * Materializes a branch: copies the rows of its ancestors into its own table. Searches then read one table, and the ancestors
 * need not keep old versions. Readers always see the same content. A repeat copies nothing twice. Only the message that the
 * branch has noted continues; a repeat of an earlier message does nothing.
 */
export const applyMaterialize = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'materialize'>,
): Promise<void> => {
  const { change, receipt_id: id } = message;
  const isNext = index.materialization === null || index.materialization.id === id;
  if (index.layers.length === 1 || (isNext && (await continueMaterialization(writing, index, message))))
    await releaseLayers(writing.deps, index, change.ancestors, writing.run.clock);
  await acknowledge(writing, message, done);
};

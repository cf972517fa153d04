import { foldBy, type IndexRecord, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { releaseAncestors } from './release-ancestors.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** How long one message copies rows; another goes on, so that writes of callers come in between. */
const portionMs = 10_000;

/** Lets a branch read its own table alone; rows that it does not hold have been copied into it. */
const letGo = async ({ deps }: Writing, index: IndexRecord): Promise<void> => {
  const [own] = index.layers;
  const state = await deps.engines(index.organizationId).create({ ...toIndexRef(index), layers: [own] });
  await deps.indexes.markFolded(index.organizationId, index.id, state);
};

/** Copies rows for as long as one message may; the id after which another goes on, null where all are there. */
const copyPortion = async ({ deps, run }: Writing, index: IndexRecord, from: string | null): Promise<string | null> => {
  const engine = deps.engines(index.organizationId);
  const startedMs = run.clock.now().getTime();
  let after = from;
  do {
    const { state, next } = await engine.inherit(toIndexRef(index), after);
    await deps.indexes.saveState(index.organizationId, index.id, state, null);
    after = next;
  } while (after !== null && run.clock.now().getTime() - startedMs < portionMs);
  return after;
};

/** Goes on with a fold; whether the branch stands alone now, or another message goes on. */
const goOn = async (
  writing: Writing,
  index: IndexRecord,
  { receipt_id: id, change }: MessageOf<'fold'>,
): Promise<boolean> => {
  const { deps, run } = writing;
  const after = await copyPortion(writing, index, change.after);
  if (after === null) {
    await letGo(writing, index);
    await deps.log.append(index, { op: 'maintain' }, `maintain-${id}`);
    return true;
  }
  const next = derivedId('rcp', new Date(index.createdAt), id, after);
  await deps.log.append(index, { ...change, after }, next);
  // Last: where the run dies before, this message goes on, and the one that it has sent does not.
  await deps.indexes.noteFold(index, foldBy(next, run.clock.now()));
  return false;
};

/**
 * Copies what lies behind a branch into its own table, so that it stands alone: searches ask one table, and its ancestors
 * need not keep old versions any more. What a reader sees is the same at every moment. A repeat copies nothing twice. One
 * message goes on at a time, the one that the branch has noted; a repeat of an earlier one finds that another does.
 */
export const applyFold = async (writing: Writing, index: IndexRecord, message: MessageOf<'fold'>): Promise<void> => {
  const { change, receipt_id: id } = message;
  // A branch whose fold began before folds were noted has no note.
  const isNext = index.fold === null || index.fold.id === id;
  if (index.layers.length === 1 || (isNext && (await goOn(writing, index, message))))
    await releaseAncestors(writing, index, change.ancestors);
  await acknowledge(writing, message, done);
};

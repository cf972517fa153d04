import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError, unavailable } from '../kernel/errors.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { noRoomForVectors, type WaitingWrites } from '../usage/index.ts';
import type { IndexReader, Receipt } from './contracts.ts';
import type { IndexRecord } from './record.ts';

const shortestPauseMs = 4;
const longestPauseMs = 80;
const patienceMs = 25_000;
/** A write that waits longer is counted as waiting. Most are applied before, so that counting costs them nothing. */
const uncountedMs = 1_000;

/** Indexes whose waits a process remembers, and how many of each. */
const rememberedIndexes = 1_000;
const rememberedWaits = 4;
/** The part of the shortest remembered wait that passes before the first look, each of which is a billed read. */
const untroubledPart = 0.75;
/** Never longer, so that a quick change after slow ones waits for nothing but this. */
const longestFirstPauseMs = 500;

/** How long the last changes of each index took, in milliseconds, the newest last. */
const waitsOf = memoizePerOwner<IndexReader, LRUCache<string, readonly number[]>>(
  () => new LRUCache({ max: rememberedIndexes }),
);

const firstPauseMs = (waits: readonly number[]): number =>
  waits.length === 0
    ? shortestPauseMs
    : Math.max(shortestPauseMs, Math.min(longestFirstPauseMs, Math.min(...waits) * untroubledPart));

/** Polls for the receipt. @param onLong Called after each look once the change has taken long. */
const pollReceipt = async (
  indexes: IndexReader,
  index: Pick<IndexRecord, 'organizationId' | 'id'>,
  receiptId: string,
  spentMs: number,
  onLong: () => Promise<void>,
): Promise<Receipt> => {
  const remembered = waitsOf(indexes);
  const waits = remembered.get(index.id) ?? [];
  const startedMs = performance.now();
  let pauseMs = firstPauseMs(waits);
  let nextMs = Math.max(shortestPauseMs, pauseMs / 8);
  for (; performance.now() - startedMs < patienceMs - spentMs; pauseMs = nextMs) {
    await pause(pauseMs);
    nextMs = Math.min(nextMs * 1.5, longestPauseMs);
    const receipt = await indexes.receipt(index.organizationId, index.id, receiptId);
    if (receipt === null) {
      if (performance.now() - startedMs > uncountedMs) await onLong();
      continue;
    }
    remembered.set(index.id, [...waits, performance.now() - startedMs].slice(-rememberedWaits));
    if (receipt.error === null) return receipt;
    const { error, conflicts, room } = receipt;
    if (room !== undefined) throw noRoomForVectors(room);
    throw new AppError('conflict', error, conflicts === undefined ? {} : { fields: { conflicts } });
  }
  throw unavailable(null, 'The change is accepted but not yet applied; a repeat does no harm', 5);
};

/**
 * Waits until a change is applied: durable and searchable. It looks first when the changes of this index have been taking
 * almost as long, then more and more seldom. Throws `unavailable` 25 seconds after the request began, when the change is
 * in the log but not yet applied; `plan_limit_reached` where the plan has no room for it, and `conflict` where the writer
 * refused it for another reason; then the rows whose versions differ are told.
 * One that waits for more than a second is counted among the waiting writes of its index until it is answered.
 * @param spentMs What the request took before.
 */
export const awaitReceipt = async (
  { indexes, waits }: { readonly indexes: IndexReader; readonly waits: WaitingWrites },
  index: Pick<IndexRecord, 'organizationId' | 'id'>,
  receiptId: string,
  spentMs = 0,
): Promise<Receipt> => {
  let endWait: (() => Promise<void>) | undefined;
  try {
    return await pollReceipt(indexes, index, receiptId, spentMs, async () => {
      endWait ??= await waits.begin(index);
    });
  } finally {
    await endWait?.();
  }
};

import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError, unavailable } from '../kernel/errors.ts';
import { damagedMessage } from '#engine';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { vectorLimitReached, type WaitingWrites } from '../usage/index.ts';
import type { IndexReader, Receipt } from './contracts.ts';
import type { IndexRecord } from './record.ts';

const shortestPauseMs = 4;
const longestPauseMs = 80;
const patienceMs = 25_000;
/** Wait after which a write is counted as waiting. Most are applied before, so that counting costs them nothing. */
const uncountedMs = 1_000;

/** Maximum indexes whose waits a process remembers, and waits of each. */
const rememberedIndexes = 1_000;
const rememberedWaits = 4;
/** Part of the shortest remembered wait that passes before the first poll. Each poll is a billed read. */
const untroubledPart = 0.75;
/** Maximum pause before the first poll, which bounds the delay of a quick change after slow ones. */
const longestFirstPauseMs = 500;

/** Durations of the last changes of each index in milliseconds, newest last. */
const waitsOf = memoizePerOwner<IndexReader, LRUCache<string, readonly number[]>>(
  () => new LRUCache({ max: rememberedIndexes }),
);

const firstPauseMs = (waits: readonly number[]): number =>
  waits.length === 0
    ? shortestPauseMs
    : Math.max(shortestPauseMs, Math.min(longestFirstPauseMs, Math.min(...waits) * untroubledPart));

/** Polls for the receipt, with exponential backoff. @param onLong Called after each poll of a change that takes long. */
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
    const { error, conflicts, quota } = receipt;
    if (quota !== undefined) throw vectorLimitReached(quota);
    if (error === damagedMessage) throw new AppError('unavailable', error);
    throw new AppError('conflict', error, conflicts === undefined ? {} : { fields: { conflicts } });
  }
  throw unavailable(null, 'The change is accepted but not yet applied. It is safe to repeat the request', 5);
};

/**
 * Waits for the receipt of a change, which is then durable and searchable. The first poll comes after almost the time that
 * recent changes of the index took; the pauses then grow. A change that waits for more than a second is counted as a
 * waiting write of its index. Throws `unavailable` 25 seconds after the request began: the change is in the log but not yet
 * applied. Throws it at once, without a hint to repeat, if the index is damaged. Throws `plan_limit_reached` if the quota is too small, and `conflict` if the writer refused the change for
 * another reason, with the rows whose versions differ.
 * @param spentMs Milliseconds that the request took before.
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

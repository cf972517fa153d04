import { holdingOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import { countMessages, type Holding, monthOf, nothingHeld, type UsageTotals } from '../../../../shared/usage/index.ts';
import type { Writing } from '../uses.ts';

/**
 * Returns the stored amounts of an index at the end of the month of its counters. A deleted index has none from the month of
 * its deletion on, even if its table still exists and its jobs are still counted.
 */
const storedBy = (index: IndexRecord): Holding =>
  index.status === 'deleting' && monthOf(index.deletedAt ?? '') <= index.usage.month ? nothingHeld : holdingOf(index);

/** Updates the usage ledger of the organization with a saved index. Does nothing if the index is gone. */
export const updateLedger = async ({ deps }: Writing, saved: IndexRecord | null, at: string): Promise<void> => {
  if (saved === null) return;
  await deps.usage.saveIndex(saved, storedBy(saved), saved.usage, at);
};

/**
 * Saves the month of the counters in the ledger before they change in a later month. The last run may have died before it
 * saved them, and the figures would be missing in both months.
 */
export const saveEndedMonth = async (writing: Writing, index: IndexRecord, at: string): Promise<void> => {
  const { month } = index.usage;
  if (month !== '' && month < monthOf(at)) await updateLedger(writing, index, at);
};

/** Counts messages in the usage counters of an index, each once, and updates the ledger. */
const changeCounters = async (
  writing: Writing,
  index: IndexRecord,
  messages: Parameters<typeof countMessages>[1],
  at: string,
): Promise<void> => {
  await saveEndedMonth(writing, index, at);
  const usage = countMessages({ usage: index.usage, held: storedBy(index) }, messages, at);
  await updateLedger(writing, await writing.deps.indexes.saveUsage(index.organizationId, index.id, usage), at);
};

/** Adds usage besides commits, of a job, a crawl or late tokens, unless it was counted before. */
export const addUsage = (
  writing: Writing,
  index: IndexRecord,
  { id, ...counts }: { readonly id: string; readonly used: Partial<UsageTotals>; readonly originalBytes?: number },
  at: string,
): Promise<void> => changeCounters(writing, index, [{ receiptId: id, ...counts }], at);

/**
 * Sets the stored amounts of a deleted index to nothing from the day of the request, before usage is counted in a later
 * month. A repeat, which may come months later, changes nothing.
 */
export const releaseStorage = async (writing: Writing, index: IndexRecord): Promise<void> => {
  // Indexes that an earlier version marked have none.
  if (index.deletedAt !== null) await changeCounters(writing, index, [], index.deletedAt);
};

import { holdingOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import { countMessages, type Holding, monthOf, nothingHeld, type UsageTotals } from '../../../../shared/usage/index.ts';
import type { Writing } from '../uses.ts';

/**
 * What an index holds at the end of the month of its account: one that has been deleted nothing, from the month on in which
 * it was, though its table may stand on and its jobs are still counted.
 */
const heldBy = (index: IndexRecord): Holding =>
  index.status === 'deleting' && monthOf(index.deletedAt ?? '') <= index.usage.month ? nothingHeld : holdingOf(index);

/** Brings the books of the organization up to date with an index as it has been saved; null where it is gone. */
export const keepBooks = async ({ deps }: Writing, saved: IndexRecord | null, at: string): Promise<void> => {
  if (saved === null) return;
  await deps.usage.saveIndex(saved, heldBy(saved), saved.usage, at);
};

/**
 * Ends the month of an account in the books, before it is changed in a later one: the run that changed it last may have
 * died before its figures were there, and they belong to neither month then.
 */
export const endMonth = async (writing: Writing, index: IndexRecord, at: string): Promise<void> => {
  const { month } = index.usage;
  if (month !== '' && month < monthOf(at)) await keepBooks(writing, index, at);
};

/** Counts messages in the account of an index besides commits, each once, and brings the books up to date with it. */
const changeAccount = async (
  writing: Writing,
  index: IndexRecord,
  messages: Parameters<typeof countMessages>[1],
  at: string,
): Promise<void> => {
  await endMonth(writing, index, at);
  const usage = countMessages({ usage: index.usage, held: heldBy(index) }, messages, at);
  await keepBooks(writing, await writing.deps.indexes.saveUsage(index.organizationId, index.id, usage), at);
};

/** Adds what one thing has used besides commits, unless it was among the last to be counted: a job, a crawl, late tokens. */
export const addToAccount = (
  writing: Writing,
  index: IndexRecord,
  { id, ...counts }: { readonly id: string; readonly used: Partial<UsageTotals>; readonly originalBytes?: number },
  at: string,
): Promise<void> => changeAccount(writing, index, [{ receiptId: id, ...counts }], at);

/**
 * Writes that a deleted index holds nothing from the day on which that was asked for, before anything is counted in a later
 * month. A repeat, which may come months later, changes nothing.
 */
export const endHolding = async (writing: Writing, index: IndexRecord): Promise<void> => {
  // Indexes that an earlier version marked have none.
  if (index.deletedAt !== null) await changeAccount(writing, index, [], index.deletedAt);
};

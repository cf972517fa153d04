import { holdingOf, type IndexRecord } from '../../../../shared/indexes/index.ts';
import { countOnce, monthOf, nothingHeld, type UsageTotals } from '../../../../shared/usage/index.ts';
import type { Writing } from '../uses.ts';

/** Brings the books of the organization up to date with an index as it has been saved; null where it is gone. */
export const keepBooks = async ({ deps }: Writing, saved: IndexRecord | null, at: string): Promise<void> => {
  if (saved === null) return;
  // One that is being deleted still counts what its jobs have used.
  const held = saved.status === 'deleting' ? nothingHeld : holdingOf(saved);
  await deps.usage.saveIndex(saved, held, saved.usage, at);
};

/**
 * Ends the month of an account in the books, before it is changed in a later one: the run that changed it last may have
 * died before its figures were there, and they belong to neither month then.
 */
export const endMonth = async (writing: Writing, index: IndexRecord, at: string): Promise<void> => {
  const { month } = index.usage;
  if (month !== '' && month < monthOf(at)) await keepBooks(writing, index, at);
};

/** Adds what something used besides commits to the account of an index, once, and brings the books up to date with it. */
export const addToAccount = async (
  writing: Writing,
  index: IndexRecord,
  { id, used }: { readonly id: string; readonly used: Partial<UsageTotals> },
  at: string,
): Promise<void> => {
  await endMonth(writing, index, at);
  const usage = countOnce({ usage: index.usage, held: holdingOf(index) }, id, used, at);
  await keepBooks(writing, await writing.deps.indexes.saveUsage(index.organizationId, index.id, usage), at);
};

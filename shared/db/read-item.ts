import type { Item } from './contracts.ts';

// What of an item need not be there; the casts hold because each entity alone writes its items.

/** A text of an item; null where the item or the text is not there. */
export const textOf = (item: Item | null, name: string): string | null => (item?.[name] as string | undefined) ?? null;

/** A figure of an item; 0 where the item or the figure is not there. */
export const numberOf = (item: Item | null, name: string): number => (item?.[name] as number | undefined) ?? 0;

/** Whether an item says so. */
export const flagOf = (item: Item | null, name: string): boolean => item?.[name] === true;

/** The members of a set of an item; none where the item or the set is not there, since no empty set is stored. */
export const membersOf = (item: Item | null, name: string): ReadonlySet<string> =>
  (item?.[name] as ReadonlySet<string> | undefined) ?? new Set();

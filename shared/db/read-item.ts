import type { Item } from './contracts.ts';

// Readers of optional attributes. The casts are safe because only one entity writes each item.

/** Returns a string of an item; null if the item or the attribute is absent. */
export const textOf = (item: Item | null, name: string): string | null => (item?.[name] as string | undefined) ?? null;

/** Returns a number of an item; 0 if the item or the attribute is absent. */
export const numberOf = (item: Item | null, name: string): number => (item?.[name] as number | undefined) ?? 0;

/** Returns a boolean of an item; false if the item or the attribute is absent. */
export const flagOf = (item: Item | null, name: string): boolean => item?.[name] === true;

/** Returns a string set of an item; empty if the item or the attribute is absent. DynamoDB stores no empty sets. */
export const membersOf = (item: Item | null, name: string): ReadonlySet<string> =>
  (item?.[name] as ReadonlySet<string> | undefined) ?? new Set();

import type { Item } from './contracts.ts';

/** The members of a set of an item; none where the item or the set is not there, since no empty set is stored. */
export const membersOf = (item: Item | null, name: string): ReadonlySet<string> =>
  (item?.[name] as ReadonlySet<string> | undefined) ?? new Set();

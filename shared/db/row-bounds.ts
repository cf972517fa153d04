import type { RowBounds } from '../kernel/row-bounds.ts';
import type { Item } from './contracts.ts';
import { textOf } from './read-item.ts';

/** Attributes of the rows that an item is bound to. As text, since DynamoDB has no numbers beyond 10^±125. */
export const boundsAttributes = (bounds: RowBounds | null): { readonly bounds?: string } =>
  bounds === null ? {} : { bounds: JSON.stringify(bounds) };

/** Returns the rows that an item is bound to; null for all. */
export const toBounds = (item: Item): RowBounds | null => {
  const bounds = textOf(item, 'bounds');
  return bounds === null ? null : (JSON.parse(bounds) as RowBounds);
};

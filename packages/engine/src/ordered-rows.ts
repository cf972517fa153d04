import type { JsonObject } from '../../../shared/kernel/json.ts';
import { type ComparedValue, compareValues, toCompared } from './distinct-values.ts';
import { compareIds } from './fuse-hits.ts';
import { type FilterSettings, metadataVisitor } from './metadata-tokens.ts';
import type { MetadataSummary } from './port.ts';

/** Order of rows by the value of a metadata key, and by id among equal values. Rows without the key come last. */
export interface RowOrder {
  readonly key: string;
  readonly direction: 'asc' | 'desc';
}

/** A row whose place in an order is known. */
export interface OrderedRow {
  readonly id: string;
  readonly metadata: JsonObject;
}

/** Ids of a page in an order. */
export interface OrderedPage {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
}

/** Place of a row in an order. */
interface Place {
  readonly id: string;
  /** Of a list, the first value. Null: the row lacks the key. */
  readonly value: ComparedValue | null;
}

/**
 * Returns a summary of the first rows in an order. Its memory is limited: rows behind the page are dropped while rows are
 * added.
 * @param after Last row of the page before; null for the first page.
 */
export const firstInOrder = (
  settings: FilterSettings,
  { key, direction }: RowOrder,
  { limit, after }: { readonly limit: number; readonly after: OrderedRow | null },
): (() => MetadataSummary<OrderedPage>) => {
  const visitValues = metadataVisitor(settings);
  const sign = direction === 'asc' ? 1 : -1;
  const placeOf = ({ id, metadata }: OrderedRow): Place => {
    let value: ComparedValue | null = null;
    visitValues(metadata, ({ path, comparable: [first] }) => {
      if (path === key && first !== undefined) value ??= toCompared(first);
    });
    return { id, value };
  };
  const compare = (left: Place, right: Place): number => {
    const byValue =
      left.value === null || right.value === null
        ? Number(left.value === null) - Number(right.value === null)
        : sign * compareValues(left.value, right.value);
    return byValue === 0 ? compareIds(left.id, right.id) : byValue;
  };
  return () => {
    const from = after === null ? null : placeOf(after);
    let found: Place[] = [];
    /** The last place of the page, once places behind it were dropped. */
    let last: Place | undefined;
    const prune = (): void => {
      found = found.toSorted(compare).slice(0, limit + 1);
      last = found[limit];
    };
    return {
      add: (metadata, id) => {
        const place = placeOf({ id, metadata });
        if (from !== null && compare(place, from) <= 0) return;
        if (last !== undefined && compare(place, last) >= 0) return;
        found.push(place);
        if (found.length > 2 * (limit + 1)) prune();
      },
      result: () => {
        prune();
        return { ids: found.slice(0, limit).map(({ id }) => id), hasMore: found.length > limit };
      },
    };
  };
};

import type { Json } from '../../kernel/json.ts';
import { canonicalJson, type FilterValue, valueToken } from './filter-tokens.ts';
import { compareIds } from './fuse-hits.ts';
import { type FilterSettings, metadataVisitor } from './metadata-tokens.ts';
import type { MetadataSummary } from './port.ts';

/** Distinct values that are counted. A value takes at most about 150 bytes of memory. */
export const maxCountedValues = 100_000;
/** Bytes of the values of a page, escaped as in the response of a function. */
const pageBytes = 4 * 1024 * 1024;

/** One page of the distinct values of a key, in order. */
export interface ValuesPage {
  readonly values: readonly { readonly value: Json; readonly count: number }[];
  /** Values of all pages. Null if there are more than are counted. */
  readonly distinct: number | null;
  /** JSON of the last value if more follow. Pass it as `after`. */
  readonly next: string | null;
}

interface Found {
  readonly value: FilterValue;
  readonly json: string;
  count: number;
}

const rankOf = (value: Json): number => {
  if (value === null) return 0;
  return { boolean: 1, number: 2, string: 3, object: 4 }[typeof value as 'boolean' | 'number' | 'string' | 'object'];
};

/** Orders values: null, booleans, numbers, texts by code point, objects by their JSON. */
const compareValues = (left: Pick<Found, 'value' | 'json'>, right: Pick<Found, 'value' | 'json'>): number => {
  const order = rankOf(left.value) - rankOf(right.value);
  if (order !== 0) return order;
  if (typeof left.value === 'number' && typeof right.value === 'number') return left.value - right.value;
  if (typeof left.value === 'string' && typeof right.value === 'string') return compareIds(left.value, right.value);
  return compareIds(left.json, right.json);
};

const fitValues = (found: readonly Found[], limit: number): Pick<ValuesPage, 'values' | 'next'> => {
  const shown: Found[] = [];
  let bytes = 0;
  for (const one of found.slice(0, limit)) {
    bytes += Buffer.byteLength(JSON.stringify(one.json)) + 30;
    if (shown.length > 0 && bytes > pageBytes) break;
    shown.push(one);
  }
  return {
    values: shown.map(({ value, count }) => ({ value, count })),
    next: found.length > shown.length ? (shown.at(-1)?.json ?? null) : null,
  };
};

/** Values of a page with their rows, and some behind it. */
const startPage = (limit: number, after: Pick<Found, 'value' | 'json'> | null) => {
  let found = new Map<string, Found>();
  /** The last value of the page, once values behind it were dropped. */
  let last: Found | null = null;
  const prune = (): readonly Found[] => {
    const first = [...found.values()].toSorted(compareValues).slice(0, limit + 1);
    found = new Map(first.map((one) => [one.json, one]));
    last = first.at(-1) ?? null;
    return first;
  };
  return {
    count: (value: FilterValue): void => {
      const json = canonicalJson(value);
      const known = found.get(json);
      if (known !== undefined) {
        known.count += 1;
        return;
      }
      const fresh = { value, json, count: 1 };
      if (after !== null && compareValues(fresh, after) <= 0) return;
      if (last !== null && compareValues(fresh, last) > 0) return;
      found.set(json, fresh);
      if (found.size > 2 * (limit + 1)) prune();
    },
    page: () => fitValues(prune(), limit),
  };
};

/**
 * Returns a summary of the distinct values of a key with the number of rows that have each, one page of them. Its memory
 * is limited: values behind the page are dropped while rows are added.
 * @param page `contains`: only texts that contain it, whatever the case.
 */
export const distinctValues = (
  settings: FilterSettings,
  page: {
    readonly key: string;
    readonly contains: string | null;
    readonly limit: number;
    readonly after: string | null;
  },
): (() => MetadataSummary<ValuesPage>) => {
  const { key, limit } = page;
  const visitValues = metadataVisitor(settings);
  const contains = page.contains?.toLowerCase() ?? null;
  // Cast: the cursor is the JSON of a value.
  const after = page.after === null ? null : { value: JSON.parse(page.after) as FilterValue, json: page.after };
  const isWanted = (value: FilterValue): boolean =>
    contains === null || (typeof value === 'string' && value.toLowerCase().includes(contains));
  return () => {
    let counted: Set<string> | null = new Set();
    const first = startPage(limit, after);
    return {
      add: (metadata) => {
        const values = new Map<string, FilterValue>();
        visitValues(metadata, ({ path, comparable }) => {
          if (path !== key) return;
          for (const value of comparable) if (isWanted(value)) values.set(valueToken(key, value), value);
        });
        for (const [token, value] of values) {
          counted?.add(token);
          first.count(value);
        }
        if (counted !== null && counted.size > maxCountedValues) counted = null;
      },
      result: () => ({ ...first.page(), distinct: counted?.size ?? null }),
    };
  };
};

import type { Json } from '../../../shared/kernel/json.ts';
import { foldedName } from '../../../shared/kernel/text.ts';
import { canonicalJson, comparableJson, type FilterValue, valueToken } from './filter-tokens.ts';
import { compareIds } from './fuse-hits.ts';
import { instantOf } from './instant.ts';
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

/** A value with its place in the order of values. */
export interface ComparedValue {
  readonly value: FilterValue;
  /** Equal for equal values. */
  readonly json: string;
  readonly rank: number;
}

interface Found extends ComparedValue {
  /** Of times that are the same instant, the first text by code point. */
  value: FilterValue;
  count: number;
}

const timeRank = 3;
const textRank = 4;

const rankOf = (value: Json): number => {
  if (value === null) return 0;
  if (typeof value === 'string') return instantOf(value) === null ? textRank : timeRank;
  return { boolean: 1, number: 2, object: 5 }[typeof value as 'boolean' | 'number' | 'object'];
};

export const toCompared = (value: FilterValue): ComparedValue => ({
  value,
  json: comparableJson(value),
  rank: rankOf(value),
});

const startCount = (value: FilterValue): Found => ({ ...toCompared(value), count: 1 });

const compareTexts = (left: FilterValue, right: FilterValue): number =>
  typeof left === 'string' && typeof right === 'string' ? compareIds(left, right) : 0;

/** Orders values: null, booleans, numbers, times by instant, other texts by code point, objects by their JSON. */
export const compareValues = (left: ComparedValue, right: ComparedValue): number => {
  const order = left.rank - right.rank;
  if (order !== 0) return order;
  if (typeof left.value === 'number' && typeof right.value === 'number') return left.value - right.value;
  if (left.rank === textRank) return compareTexts(left.value, right.value);
  return compareIds(left.json, right.json);
};

const nextOf = (shown: readonly Found[]): string | null => {
  const last = shown.at(-1);
  return last === undefined ? null : canonicalJson(last.value);
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
    next: found.length > shown.length ? nextOf(shown) : null,
  };
};

/** Values of a page with their rows, and some behind it. */
const startPage = (limit: number, after: Found | null) => {
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
      const fresh = startCount(value);
      const { json } = fresh;
      const known = found.get(json);
      if (known !== undefined) {
        known.count += 1;
        if (known.rank === timeRank && compareTexts(value, known.value) < 0) known.value = value;
        return;
      }
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
  const contains = page.contains === null ? null : foldedName(page.contains);
  // Cast: the cursor is the JSON of a value.
  const after = page.after === null ? null : startCount(JSON.parse(page.after) as FilterValue);
  const isWanted = (value: FilterValue): boolean =>
    contains === null || (typeof value === 'string' && foldedName(value).includes(contains));
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

import type { Json } from '../../../shared/kernel/json.ts';
import { valueToken } from './filter-tokens.ts';
import { compareIds } from './fuse-hits.ts';
import { instantOf } from './instant.ts';
import { type FilterSettings, type MetadataValue, metadataVisitor } from './metadata-tokens.ts';
import type { MetadataSummary } from './port.ts';

/** Keys of one description. */
export const maxDescribedKeys = 100;
/** Distinct values of a key that are counted. */
export const maxDistinctValues = 10_000;
/** Characters of a text that ranges compare, as in filters. */
const maxTextLength = 100;

export const valueTypes = ['null', 'boolean', 'number', 'text', 'list', 'object'] as const;
type ValueType = (typeof valueTypes)[number];

/** Lowest and highest value. */
interface Range<Value> {
  readonly min: Value;
  readonly max: Value;
}

export interface DescribedKey {
  readonly key: string;
  /** Rows that have the key. */
  readonly rows: number;
  readonly types: readonly ValueType[];
  /** Null if there are more than are counted. */
  readonly distinct: number | null;
  /** Of single numbers, which ranges compare. */
  readonly numbers: Range<number> | null;
  /** Of texts that are short enough for ranges: by instant if all are times with an offset, else by code point. */
  readonly texts: Range<string> | null;
}

export interface MetadataDescription {
  /** Rows that were read. */
  readonly rows: number;
  readonly keys: readonly DescribedKey[];
  /** Whether rows have further keys. */
  readonly more: boolean;
}

interface Draft {
  rows: number;
  readonly types: Set<ValueType>;
  values: Set<string> | null;
  numbers: Range<number> | null;
  texts: Range<string> | null;
  /** By instant. */
  times: Range<string> | null;
  onlyTimes: boolean;
}

const typeOf = (value: Json): ValueType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value as 'boolean' | 'number' | 'object';
};

const widen = <Value>(
  range: Range<Value> | null,
  value: Value,
  compare: (left: Value, right: Value) => number,
): Range<Value> => ({
  min: range === null || compare(value, range.min) < 0 ? value : range.min,
  max: range === null || compare(value, range.max) > 0 ? value : range.max,
});

const byInstant = (left: string, right: string): number =>
  compareIds(instantOf(left) ?? '', instantOf(right) ?? '') || compareIds(left, right);

const addText = (draft: Draft, text: string): void => {
  draft.texts = widen(draft.texts, text, compareIds);
  if (draft.onlyTimes) draft.onlyTimes = instantOf(text) !== null;
  draft.times = draft.onlyTimes ? widen(draft.times, text, byInstant) : null;
};

/** Adds the values of one row at a key. */
const addValues = (draft: Draft, key: string, found: readonly MetadataValue[]): void => {
  draft.rows += 1;
  const [only, ...others] = found;
  // As in filters: a path with several values has no range of numbers.
  if (only !== undefined && others.length === 0 && !only.isInList && typeof only.value === 'number')
    draft.numbers = widen(draft.numbers, only.value, (left, right) => left - right);
  for (const { value, comparable } of found) {
    draft.types.add(typeOf(value));
    for (const member of comparable) {
      draft.values?.add(valueToken(key, member));
      if (typeof member === 'string' && member.length <= maxTextLength) addText(draft, member);
    }
  }
  if (draft.values !== null && draft.values.size > maxDistinctValues) draft.values = null;
};

const empty = (): Draft => ({
  rows: 0,
  types: new Set(),
  values: new Set(),
  numbers: null,
  texts: null,
  times: null,
  onlyTimes: true,
});

/** Descriptions of named keys, or of the first keys that are found. */
const startDrafts = (keys: readonly string[] | null) => {
  const drafts = new Map((keys ?? []).map((key) => [key, empty()]));
  let more = false;
  return {
    drafts,
    hasMore: () => more,
    /** Returns the description of a key. Undefined for one behind the first keys: it stays behind them. */
    of: (key: string): Draft | undefined => {
      const known = drafts.get(key);
      if (known !== undefined || keys !== null) return known;
      if (drafts.size === maxDescribedKeys) {
        more = true;
        const last = [...drafts.keys()].reduce((left, right) => (compareIds(left, right) > 0 ? left : right));
        if (compareIds(key, last) > 0) return undefined;
        drafts.delete(last);
      }
      const fresh = empty();
      drafts.set(key, fresh);
      return fresh;
    },
  };
};

const describedKey = (key: string, { rows, types, values, numbers, texts, times }: Draft): DescribedKey => ({
  key,
  rows,
  numbers,
  texts: times ?? texts,
  types: valueTypes.filter((type) => types.has(type)),
  distinct: values?.size ?? null,
});

/**
 * Returns a summary that describes keys and paths of metadata, in their order. Its memory is limited.
 * @param keys Null: the keys of the top level, the first ones by code point.
 */
export const describeMetadata = (
  settings: FilterSettings,
  keys: readonly string[] | null,
): (() => MetadataSummary<MetadataDescription>) => {
  const visitValues = metadataVisitor(settings);
  return () => {
    const { drafts, hasMore, of } = startDrafts(keys);
    let rows = 0;
    return {
      add: (metadata) => {
        rows += 1;
        const found = new Map<string, MetadataValue[]>();
        visitValues(metadata, (value) => {
          const { path, level } = value;
          if (keys === null ? level > 0 || path.startsWith('$') : !drafts.has(path)) return;
          found.set(path, [...(found.get(path) ?? []), value]);
        });
        for (const [key, values] of found) {
          const draft = of(key);
          if (draft !== undefined) addValues(draft, key, values);
        }
      },
      result: () => {
        const names = keys ?? [...drafts.keys()].toSorted(compareIds);
        return { rows, keys: names.map((key) => describedKey(key, drafts.get(key) ?? empty())), more: hasMore() };
      },
    };
  };
};

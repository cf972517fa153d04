import { maxCountedValues } from './distinct-values.ts';
import { countColumn, type FacetColumn, facetValues } from './facet-column.ts';
import { comparableJson, type FilterValue } from './filter-tokens.ts';
import { compareIds } from './fuse-hits.ts';
import type { FilterSettings } from './metadata-tokens.ts';
import type { Facet, FacetCounts, MetadataSummary } from './port.ts';

interface Counted {
  /** Of times that are the same instant, the first text by code point. */
  value: FilterValue;
  count: number;
}

/** Counts the values of one key over the rows of several parts. */
export const countFacet = ({ key, limit }: Facet) => {
  const counted = new Map<string, Counted>();
  let isOver = false;
  const add = (token: string, value: FilterValue, count: number): void => {
    if (isOver) return;
    const known = counted.get(token);
    if (known === undefined) {
      counted.set(token, { value, count });
      isOver = counted.size > maxCountedValues;
      return;
    }
    known.count += count;
    if (typeof value === 'string' && typeof known.value === 'string' && compareIds(value, known.value) < 0)
      known.value = value;
  };
  return {
    key,
    add,
    addColumn: (column: FacetColumn, rows: Uint32Array): void => {
      for (const [number, count] of countColumn(column, rows).entries())
        if (count > 0) add(column.tokens[number] ?? '', column.values[number] ?? null, count);
    },
    result: (): FacetCounts => {
      if (isOver) return { key, values: [], distinct: null };
      const ordered = [...counted.values()]
        .map((one) => ({ ...one, json: comparableJson(one.value) }))
        .toSorted((left, right) => right.count - left.count || compareIds(left.json, right.json));
      const values = ordered.slice(0, limit).map(({ value, count }) => ({ value, count }));
      return { key, values, distinct: counted.size };
    },
  };
};

/** Returns a summary that counts the values of keys. */
export const facetSummary =
  (settings: FilterSettings, facets: readonly Facet[]) => (): MetadataSummary<readonly FacetCounts[]> => {
    const counters = facets.map((facet) => ({ ...countFacet(facet), valuesOf: facetValues(settings, facet.key) }));
    return {
      add: (metadata) => {
        for (const { valuesOf, add } of counters) for (const [token, value] of valuesOf(metadata)) add(token, value, 1);
      },
      result: () => counters.map(({ result }) => result()),
    };
  };

import type { Json } from '../../../shared/kernel/json.ts';
import { maxCountedValues } from './distinct-values.ts';
import { comparableJson, type FilterValue, valueToken } from './filter-tokens.ts';
import type { Filter } from './filter.ts';
import { compareIds } from './fuse-hits.ts';
import { metadataVisitor } from './metadata-tokens.ts';
import type { EngineReader, IndexRef, MetadataSummary } from './port.ts';

/** Values of a key whose rows are counted, at most `limit` of them. */
export interface Facet {
  readonly key: string;
  readonly limit: number;
}

/** Counts of the values of a key, most frequent first, and equal counts in the order of their JSON. */
export interface FacetCounts {
  readonly key: string;
  readonly values: readonly { readonly value: Json; readonly count: number }[];
  /** Distinct values. Null: there are more than 100,000, so none are returned. */
  readonly distinct: number | null;
}

interface Counted {
  /** Of times that are the same instant, the first text by code point. */
  value: FilterValue;
  count: number;
}

const toCounts = ({ key, limit }: Facet, counted: ReadonlyMap<string, Counted> | null): FacetCounts => {
  if (counted === null) return { key, values: [], distinct: null };
  const ordered = [...counted.values()]
    .map((one) => ({ ...one, json: comparableJson(one.value) }))
    .toSorted((left, right) => right.count - left.count || compareIds(left.json, right.json));
  const values = ordered.slice(0, limit).map(({ value, count }) => ({ value, count }));
  return { key, values, distinct: counted.size };
};

const facetSummary = (ref: IndexRef, facets: readonly Facet[]) => (): MetadataSummary<readonly FacetCounts[]> => {
  const visitValues = metadataVisitor(ref);
  const counts = new Map(facets.map(({ key }): [string, Map<string, Counted> | null] => [key, new Map()]));
  return {
    add: (metadata) => {
      // A row counts once for each of its values.
      const seen = new Set<string>();
      visitValues(metadata, ({ path, comparable }) => {
        const counted = counts.get(path);
        if (counted === undefined || counted === null) return;
        for (const value of comparable) {
          const token = valueToken(path, value);
          const known = counted.get(token);
          if (known !== undefined && typeof value === 'string' && typeof known.value === 'string')
            if (compareIds(value, known.value) < 0) known.value = value;
          if (seen.has(token)) continue;
          seen.add(token);
          if (known === undefined) counted.set(token, { value, count: 1 });
          else known.count += 1;
        }
        if (counted.size > maxCountedValues) counts.set(path, null);
      });
    },
    result: () => facets.map((facet) => toCounts(facet, counts.get(facet.key) ?? null)),
  };
};

/** Counts the values of keys over all rows that match a filter. */
export const countFacets = (
  reader: EngineReader,
  ref: IndexRef,
  filter: Filter | undefined,
  facets: readonly Facet[],
): Promise<readonly FacetCounts[]> => reader.summarize(ref, filter, facetSummary(ref, facets));

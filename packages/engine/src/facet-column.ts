import type { JsonObject } from '../../../shared/kernel/json.ts';
import { maxCountedValues } from './distinct-values.ts';
import { type FilterValue, valueToken } from './filter-tokens.ts';
import { compareIds } from './fuse-hits.ts';
import { type FilterSettings, metadataVisitor } from './metadata-tokens.ts';

/** Values of a key in rows that never change. The values of row `n` have the numbers before `ends[n]`. */
export interface FacetColumn {
  readonly values: readonly FilterValue[];
  /** Tokens of the values. Those of times that are the same instant are equal. */
  readonly tokens: readonly string[];
  readonly ends: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Columns that are kept of a segment or table. One of 400,000 rows takes about 3 MB. */
export const keptColumns = 16;

/** Returns the values of a row by their tokens: of times that are the same instant, the first text by code point. */
export const facetValues = (settings: FilterSettings, key: string) => {
  const visitValues = metadataVisitor(settings);
  return (metadata: JsonObject): ReadonlyMap<string, FilterValue> => {
    const found = new Map<string, FilterValue>();
    visitValues(metadata, ({ path, comparable }) => {
      if (path !== key) return;
      for (const value of comparable) {
        const token = valueToken(key, value);
        const known = found.get(token);
        const isLater = typeof known === 'string' && typeof value === 'string' && compareIds(value, known) >= 0;
        if (known === undefined || !isLater) found.set(token, value);
      }
    });
    return found;
  };
};

/** Collects a column, row by row. */
export const collectColumn = (settings: FilterSettings, key: string) => {
  const valuesOf = facetValues(settings, key);
  const numberOf = new Map<string, number>();
  const [values, tokens, ends, numbers]: [FilterValue[], string[], number[], number[]] = [[], [], [], []];
  return {
    add: (metadata: JsonObject): void => {
      if (values.length <= maxCountedValues)
        for (const [token, value] of valuesOf(metadata)) {
          const name = typeof value === 'string' ? `${token} ${value}` : token;
          let number = numberOf.get(name);
          if (number === undefined) {
            number = values.length;
            numberOf.set(name, number);
            values.push(value);
            tokens.push(token);
          }
          numbers.push(number);
        }
      ends.push(numbers.length);
    },
    /** Null: the rows have more values than are counted. */
    column: (): FacetColumn | null =>
      values.length > maxCountedValues
        ? null
        : { values, tokens, ends: Uint32Array.from(ends), numbers: Uint32Array.from(numbers) },
  };
};

/** Returns how many of some rows have each value of a column. */
export const countColumn = ({ values, ends, numbers }: FacetColumn, rows: Uint32Array): Uint32Array => {
  const counts = new Uint32Array(values.length);
  for (const row of rows)
    for (let at = row === 0 ? 0 : (ends[row - 1] ?? 0); at < (ends[row] ?? 0); at += 1) {
      const number = numbers[at] ?? 0;
      counts[number] = (counts[number] ?? 0) + 1;
    }
  return counts;
};

import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import type { RowBounds } from '../../../shared/kernel/row-bounds.ts';
import { type Filter, filterKeys } from './filter.ts';
import { hasOperators } from './filter-tree.ts';
import { matcherOf } from './match-filter.ts';

/** Returns the filter of bounds, which was validated when their credential was created. */
export const filterOf = ({ filter }: RowBounds): Filter => filter as Filter;

/** Returns the filter of rows that match two filters. */
export const bothFilters = (one: Filter | null | undefined, other: Filter): Filter =>
  one == null ? other : { $and: [other, one] };

const allEqualities = (filter: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(filter).flatMap(([key, operand]): readonly (readonly [string, Json])[] => {
    if (key === '$and' && Array.isArray(operand))
      return operand.flatMap((part: Json) => (isObject(part) ? allEqualities(part) : []));
    if (key.startsWith('$')) return [];
    if (!hasOperators(operand)) return [[key, operand]];
    return operand['$eq'] === undefined ? [] : [[key, operand['$eq']]];
  });

/** Returns the values that a filter requires of the keys of a row, as far as it requires one. */
export const equalitiesOf = (filter: JsonObject): JsonObject => Object.fromEntries(allEqualities(filter));

/** Returns the one value that filters together require of a key; null if they require none, or several. */
export const requiredValue = (filters: readonly (Filter | null | undefined)[], key: string): Json => {
  // Cast: a filter is JSON, but its type is not.
  const values = filters.flatMap((filter) => (filter == null ? [] : allEqualities(filter as JsonObject)));
  const [first, ...more] = new Set(values.flatMap(([name, value]) => (name === key ? [value] : [])));
  return first === undefined || more.length > 0 ? null : first;
};

const hasList = (value: Json | undefined): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(hasList));

/** Returns the metadata of a row that is written within bounds: with the values that their filter requires. */
export const boundMetadata = (metadata: JsonObject, { filter }: RowBounds): JsonObject => ({
  ...metadata,
  ...equalitiesOf(filter),
});

/**
 * Returns why metadata may not be written within bounds; null if it may. A list would match the filters of several
 * credentials, so the keys of the filter have single values.
 */
export const boundsProblem = (metadata: JsonObject, { filter }: RowBounds): string | null => {
  const listed = filterKeys(filter).find((key) => hasList(metadata[key]));
  if (listed !== undefined) return `'${listed}' may have no list, since these credentials are bound to its value`;
  return matcherOf(filter as Filter, { nonFilterableKeys: [] })(metadata)
    ? null
    : 'the row would not match the filter of these credentials';
};

/** Returns why a patch may not be merged within bounds, as far as that is known without the row; null if it may. */
export const boundsProblemOfPatch = (patch: JsonObject, { filter }: RowBounds): string | null => {
  const changed = Object.entries(equalitiesOf(filter)).find(
    ([key, value]) => Object.hasOwn(patch, key) && !isDeepStrictEqual(patch[key], value),
  );
  if (changed !== undefined)
    return `'${changed[0]}' may not be changed, since these credentials are bound to its value`;
  const listed = filterKeys(filter).find((key) => hasList(patch[key]));
  return listed === undefined ? null : `'${listed}' may have no list, since these credentials are bound to its value`;
};

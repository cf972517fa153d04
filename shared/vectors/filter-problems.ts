import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import type { IndexRecord } from '../indexes/index.ts';
import {
  type Filter,
  filterKeys,
  keysOfNullsAndObjects,
  matchesAll,
  maxFilterConditions,
} from '../platform/engine/filter.ts';
import type { Reader } from '../reader/index.ts';

const newIndexNeeded =
  'this index is of an earlier version. Export its rows and upload them to a new index, which has such filters';

/** Returns the keys that could contain the member of a path: `a` and `a.b` for `a.b.c`. */
const parentsOf = (path: string): readonly string[] => {
  const names = path.split('.', maxFilterConditions + 2);
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('.'));
};

/** Returns the keys with a dot that may be paths in the rows of an index whose filters know no paths. */
const pathsIn = async (index: IndexRecord, keys: readonly string[], reader: Reader): Promise<readonly string[]> => {
  const paths = keys.filter((key) => key.includes('.'));
  const parents = [...new Set(paths.flatMap(parentsOf))].filter((key) => !key.startsWith('$'));
  if (parents.length === 0 || parents.length > maxFilterConditions) return parents.length === 0 ? [] : paths;
  const filter: Filter = { $or: parents.map((key): Filter => ({ [key]: { $exists: true } })) };
  return (await reader.execute(index, { op: 'count', filter })).rows > 0 ? paths : [];
};

const missingRules = async (filter: unknown, index: IndexRecord, reader: Reader) => [
  ...keysOfNullsAndObjects(filter).map((key) => [key, `null and objects are not compared: ${newIndexNeeded}`] as const),
  ...(await pathsIn(index, filterKeys(filter), reader)).map(
    (key) => [key, `members of objects are not compared: ${newIndexNeeded}`] as const,
  ),
];

/** Returns a problem if every row matches a filter of a change, whose values were usually lost by mistake. */
export const conditionProblems = (filter: Filter | undefined): readonly ValidationProblem[] =>
  filter !== undefined && matchesAll(filter)
    ? [valueProblem(['body', 'filter'], 'every row matches this filter: a condition is needed')]
    : [];

const isHiddenIn =
  (index: IndexRecord) =>
  (key: string): boolean =>
    index.nonFilterableKeys.some(
      (hidden) => key === hidden || (index.filterRules !== 'v1' && key.startsWith(`${hidden}.`)),
    );

const notFilterable = (key: string): string => `'${key}' is not filterable in this index`;

/** Returns a problem for each named key that an index hides from filters. */
export const hiddenKeyProblems = (
  index: IndexRecord,
  keys: readonly (readonly [key: string, loc: ValidationProblem['loc']])[],
): readonly ValidationProblem[] =>
  keys.filter(([key]) => isHiddenIn(index)(key)).map(([key, loc]) => valueProblem(loc, notFilterable(key)));

/**
 * Returns a problem for each key of a filter that an index cannot compare as the filter says. The filter may have other
 * errors too. An index of an earlier version that has rows is searched for keys which a path may lead through.
 */
export const filterProblems = async (
  sent: unknown,
  index: IndexRecord,
  reader: Reader,
  place: 'body' | 'query' = 'body',
): Promise<readonly ValidationProblem[]> => {
  const filter = isObject(sent) ? sent['filter'] : undefined;
  const hidden = filterKeys(filter).filter(isHiddenIn(index));
  return [
    ...hidden.map((key) => [key, notFilterable(key)] as const),
    ...(index.filterRules === 'v1' ? await missingRules(filter, index, reader) : []),
  ].map(([key, message]) => valueProblem([place, 'filter', key], message));
};

import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import { type IndexRecord, isHiddenKey } from '../indexes/index.ts';
import { type Filter, filterKeys, matchesAll } from '#engine';

/** Returns a problem if every row matches a filter of a change, whose values were usually lost by mistake. */
export const conditionProblems = (filter: Filter | undefined): readonly ValidationProblem[] =>
  filter !== undefined && matchesAll(filter)
    ? [valueProblem(['body', 'filter'], 'every row matches this filter: a condition is needed')]
    : [];

/** Returns a problem for each named key that an index hides from filters. */
export const hiddenKeyProblems = (
  index: IndexRecord,
  keys: readonly (readonly [key: string, loc: ValidationProblem['loc']])[],
): readonly ValidationProblem[] =>
  keys
    .filter(([key]) => isHiddenKey(index, key))
    .map(([key, loc]) => valueProblem(loc, `'${key}' is not filterable in this index`));

/** Returns a problem for each key of a filter that an index hides. The filter may have other errors too. */
export const filterProblems = (
  sent: unknown,
  index: IndexRecord,
  place: 'body' | 'query' = 'body',
): readonly ValidationProblem[] => {
  const filter = isObject(sent) ? sent['filter'] : undefined;
  return hiddenKeyProblems(
    index,
    filterKeys(filter).map((key) => [key, [place, 'filter', key]]),
  );
};

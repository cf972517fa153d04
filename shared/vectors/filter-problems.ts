import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { filterKeys } from '../platform/engine/filter.ts';

/** The filter of a body may only name keys that the index keeps filterable; told of one with other mistakes as well. */
export const filterProblems = (
  sent: unknown,
  { nonFilterableKeys }: Pick<IndexRecord, 'nonFilterableKeys'>,
): readonly ValidationProblem[] =>
  filterKeys(isObject(sent) ? sent['filter'] : undefined)
    .filter((key) => nonFilterableKeys.includes(key))
    .map((key) => valueProblem(['body', 'filter', key], `'${key}' is not filterable in this index`));

import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { filterKeys } from '../platform/engine/filter.ts';

/** Returns a problem for each key of a filter that is not filterable. The filter may have other errors too. */
export const filterProblems = (
  sent: unknown,
  { nonFilterableKeys }: Pick<IndexRecord, 'nonFilterableKeys'>,
  place: 'body' | 'query' = 'body',
): readonly ValidationProblem[] =>
  filterKeys(isObject(sent) ? sent['filter'] : undefined)
    .filter((key) => nonFilterableKeys.includes(key))
    .map((key) => valueProblem([place, 'filter', key], `'${key}' is not filterable in this index`));

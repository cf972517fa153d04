import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { IndexRecord } from '../indexes/index.ts';
import { type Filter, filterKeys } from '../platform/engine/filter.ts';

/** Filters may only name keys that the index keeps filterable. */
export const filterProblems = (
  filter: Filter | undefined,
  index: Pick<IndexRecord, 'nonFilterableKeys'>,
): readonly ValidationProblem[] =>
  (filter === undefined ? [] : filterKeys(filter))
    .filter((key: string) => index.nonFilterableKeys.includes(key))
    .map((key: string) => valueProblem(['body', 'filter', key], `'${key}' is not filterable in this index`));

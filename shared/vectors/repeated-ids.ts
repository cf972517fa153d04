import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';

/** A problem for each item of a request whose id an earlier item has as well. */
export const repeatedIds = (items: readonly { readonly id?: string }[]): readonly ValidationProblem[] => {
  const seen = new Map<string, number>();
  return items.flatMap(({ id }, at) => {
    if (id === undefined) return [];
    const first = seen.get(id);
    seen.set(id, first ?? at);
    if (first === undefined) return [];
    return [valueProblem(['body', at, 'id'], `the id is the same as that of item ${first}`)];
  });
};

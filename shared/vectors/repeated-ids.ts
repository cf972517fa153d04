import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';

/** Returns a problem for each item whose id is the same as that of an earlier item. */
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

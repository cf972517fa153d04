import { tooLong } from '../http/validation-problems.ts';
import { maxItems } from '../kernel/bounds.ts';
import type { ValidationProblem } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';

/** A problem where a request has more items than the plan of its caller allows in one, unless the schema tells the same. */
export const tooManyItems = (items: readonly unknown[], plan: Plan): readonly ValidationProblem[] => {
  const most = plans[plan].limits.max_vectors_per_request;
  return items.length > most && most < maxItems ? [{ loc: ['body'], ...tooLong(most, items.length) }] : [];
};

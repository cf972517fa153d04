import { tooLong } from '../http/validation-problems.ts';
import { maxItems } from '../kernel/bounds.ts';
import type { ValidationProblem } from '../kernel/errors.ts';
import { type Plan, plans } from '../kernel/plans.ts';

/** Returns a problem if a request has more items than the plan allows, unless the schema reports it. */
export const tooManyItems = (items: readonly unknown[], plan: Plan): readonly ValidationProblem[] => {
  const max = plans[plan].limits.max_vectors_per_request;
  return items.length > max && max < maxItems ? [{ loc: ['body'], ...tooLong(max, items.length) }] : [];
};

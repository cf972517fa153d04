import { fieldsOf } from '../http/body.ts';
import type { RequestWeight } from '../kernel/plans.ts';

/** Weight of an exact search, which compares with every row of an index. */
const exactWeight = 5;
/** Weight in flight of a recall measurement, which searches for up to 12 seconds. */
const recallInFlight = 8;
/** Weight of each query of a measurement: a default and an exact search, over all rows and with a filter. */
const searchesOfQuery = 2 * (1 + exactWeight);
const usualQueries = 20;
const maxQueries = 100;

const one: RequestWeight = { rate: 1, inFlight: 1 };

/** Returns the weight of a search by its body. Field names may contain escapes. */
export const searchWeight = (body: string): RequestWeight =>
  (body.includes('exact') || body.includes('\\u')) && fieldsOf(body)['exact'] === true
    ? { rate: exactWeight, inFlight: exactWeight }
    : one;

/** Returns the weight of a recall measurement by its number of searches. */
export const recallWeight = (body: string): RequestWeight => {
  const { queries, vectors } = fieldsOf(body);
  const asked = Number(Array.isArray(vectors) ? vectors.length : (queries ?? usualQueries));
  // The validation refuses any other number without a search.
  if (!Number.isInteger(asked) || asked < 1 || asked > maxQueries) return one;
  return { rate: asked * searchesOfQuery, inFlight: recallInFlight };
};

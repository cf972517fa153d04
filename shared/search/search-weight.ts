import type { RequestWeight } from '../kernel/plans.ts';

/** An exact search compares with every row of an index. */
const exactWeight = 5;
/** A measurement of recall reads a table again and again, for up to 12 seconds. */
const recallInFlight = 8;
/** Searches for each query of a measurement: by default and exact, over all rows and under a filter. */
const searchesOfQuery = 2 * (1 + exactWeight);
const usualQueries = 20;
const maxQueries = 100;

const fieldsOf = (body: string): Readonly<Record<string, unknown>> => {
  try {
    return (JSON.parse(body) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    // Refused later.
    return {};
  }
};

const one: RequestWeight = { rate: 1, inFlight: 1 };

/** Weight of a search by its body. The name of a field may be written with escapes. */
export const searchWeight = (body: string): RequestWeight =>
  (body.includes('exact') || body.includes('\\u')) && fieldsOf(body)['exact'] === true
    ? { rate: exactWeight, inFlight: exactWeight }
    : one;

/** Weight of a measurement of recall: the searches that it makes, as far as `queries` or `vectors` ask for them. */
export const recallWeight = (body: string): RequestWeight => {
  const { queries, vectors } = fieldsOf(body);
  const asked = Number(Array.isArray(vectors) ? vectors.length : (queries ?? usualQueries));
  // Any other number is refused without a search.
  if (!Number.isInteger(asked) || asked < 1 || asked > maxQueries) return one;
  return { rate: asked * searchesOfQuery, inFlight: recallInFlight };
};

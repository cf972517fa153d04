import { fieldsOf } from '../http/body.ts';
import { isObject } from '../kernel/json.ts';
import type { RequestWeight } from '../kernel/plans.ts';

/** Weight of an exact search, which compares with every row of an index. */
const exactWeight = 5;
/** Weight of a reranker, and of facets, which read every row that matches. */
const stageWeight = 1;
/** Weight in flight of a recall measurement, which searches for up to 12 seconds. */
const recallInFlight = 8;
/** Searches of a batch that run at once. */
export const batchConcurrency = 4;
/** Weight of each query of a measurement: a default and an exact search, over all rows and with a filter. */
const searchesOfQuery = 2 * (1 + exactWeight);
const usualQueries = 20;
const maxQueries = 100;

const one: RequestWeight = { rate: 1, inFlight: 1 };

/** Fields of a search that weigh. A body without their names weighs 1. */
const weighingFields = ['exact', 'queries', 'rerank', 'facets'] as const;

/** Returns the searches that a search weighs, from its unvalidated fields. */
const weightOf = (search: Readonly<Record<string, unknown>>): number => {
  const { exact, queries, rerank, facets } = search;
  const count = Array.isArray(queries) ? Math.max(1, queries.length) : 1;
  const stages = [isObject(rerank), Array.isArray(facets) && facets.length > 0].filter(Boolean).length;
  return count * (exact === true ? exactWeight : 1) + stages * stageWeight;
};

/** Returns the weight of a search by its body. Field names may contain escapes. */
export const searchWeight = (body: string): RequestWeight => {
  const isPlain = !body.includes('\\u') && weighingFields.every((name) => !body.includes(name));
  const fields = isPlain ? {} : fieldsOf(body);
  const rate = weightOf(fields);
  return rate === 1 ? one : { rate, inFlight: fields['exact'] === true ? exactWeight : 1 };
};

/** Returns the weight of a batch: that of its searches, some of which run at once. */
export const batchWeight = (body: string): RequestWeight => {
  const { searches } = fieldsOf(body);
  if (!Array.isArray(searches)) return one;
  const weights = searches.map((search: unknown) => (isObject(search) ? weightOf(search) : 1));
  const rate = weights.reduce((sum, weight) => sum + weight, 0);
  return { rate: Math.max(1, rate), inFlight: Math.max(1, Math.min(batchConcurrency, searches.length)) };
};

/** Returns the weight of a recall measurement by its number of searches. */
export const recallWeight = (body: string): RequestWeight => {
  const { queries, vectors } = fieldsOf(body);
  const asked = Number(Array.isArray(vectors) ? vectors.length : (queries ?? usualQueries));
  // The validation refuses any other number without a search.
  if (!Number.isInteger(asked) || asked < 1 || asked > maxQueries) return one;
  return { rate: asked * searchesOfQuery, inFlight: recallInFlight };
};

import type { Scored } from './best.ts';
import { type Aim, cutAt, estimatePlaces } from './candidates.ts';
import { bestPicked } from './compare-rows.ts';
import type { VectorMemory } from './vector-memory.ts';

/** Numbers of candidates that are compared at most: the engine is as fast then. */
export const mostCompared = 16_000_000;
/** So many times the candidates that are wanted are as fast compared as estimated. */
const fewCandidates = 2;
/** The nearest rows are believed where they are among this part of the candidates by their estimates; else more are compared. */
const trustedPart = 1 / 4;

/** The `limit` best of the rows at some places, all of which are compared. */
export const bestAmong = (
  memory: VectorMemory,
  queryScale: number,
  among: Int32Array,
  limit: number,
): readonly Scored[] => {
  memory.picked.set(among);
  return bestPicked(memory, queryScale, among.length, limit);
};

/** The position of a number in a list of ascending ones that has it. */
const positionOf = (ascending: Int32Array, number: number): number => {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The `limit` nearest of the rows at some ascending places by their sketches; null where these are no help. What a filter
 * leaves may lie far from a question, where sketches tell rows apart less well than around it. So the estimates of the
 * rows that turn out to be the nearest tell whether there were candidates enough.
 * @param wanted How many candidates it takes of all rows.
 */
export const nearestAmong = (
  memory: VectorMemory,
  aim: () => Aim,
  queryScale: number,
  among: Int32Array,
  wanted: number,
  limit: number,
): readonly Scored[] | null => {
  if (among.length <= fewCandidates * wanted) return bestAmong(memory, queryScale, among, limit);
  const { run, at, binOf, width } = memory;
  estimatePlaces(memory, aim(), among);
  for (let candidates = wanted; candidates * width <= mostCompared; candidates /= trustedPart) {
    const count = run.collect(at.binOf, at.places, among.length, cutAt(memory, candidates), at.picked);
    const best = bestPicked(memory, queryScale, count, limit);
    const trusted = cutAt(memory, candidates * trustedPart);
    const isTrusted = ({ place }: Scored): boolean => (binOf[positionOf(among, place)] ?? 0) <= trusted;
    if (count === among.length || (best.length >= limit && best.every(isTrusted))) return best;
  }
  return null;
};

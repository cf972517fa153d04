import type { Scored } from './top-rows.ts';
import { type DistanceTable, cutAt, estimatePlaces } from './candidates.ts';
import { bestPicked } from './compare-rows.ts';
import type { VectorMemory } from './vector-memory.ts';

/** Maximum of compared numbers of candidates. Beyond, the engine is as fast. */
export const maxComparedNumbers = 16_000_000;
/** Multiple of the wanted candidates up to which comparing is as fast as estimating. */
const fewCandidates = 2;
/**
 * The nearest rows are trusted if their estimates put them in this first part of the candidates. Else more are
 * compared.
 */
const trustedPart = 1 / 4;

/** Returns the `limit` best of the rows at some positions, comparing all of them. */
export const bestAmong = (
  memory: VectorMemory,
  queryScale: number,
  among: Int32Array,
  limit: number,
): readonly Scored[] => {
  memory.picked.set(among);
  return bestPicked(memory, queryScale, among.length, limit);
};

/** Returns the index of a number in an ascending list that contains it. */
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
 * Returns the `limit` nearest of the rows at some ascending positions by their quantization codes. Null if the codes
 * are useless for them. Rows that match a filter may lie far from a query, where codes distinguish rows less well. So
 * the estimates of the nearest rows show whether there were enough candidates.
 * @param wanted Candidates that a search of all rows needs.
 */
export const nearestAmong = (
  memory: VectorMemory,
  distanceTable: () => DistanceTable,
  queryScale: number,
  among: Int32Array,
  wanted: number,
  limit: number,
): readonly Scored[] | null => {
  if (among.length <= fewCandidates * wanted) return bestAmong(memory, queryScale, among, limit);
  const { run, at, binOf, width } = memory;
  estimatePlaces(memory, distanceTable(), among);
  for (let candidates = wanted; candidates * width <= maxComparedNumbers; candidates /= trustedPart) {
    const count = run.collect(at.binOf, at.places, among.length, cutAt(memory, candidates), at.picked);
    const best = bestPicked(memory, queryScale, count, limit);
    const trusted = cutAt(memory, candidates * trustedPart);
    const isTrusted = ({ place }: Scored): boolean => (binOf[positionOf(among, place)] ?? 0) <= trusted;
    if (count === among.length || (best.length >= limit && best.every(isTrusted))) return best;
  }
  return null;
};

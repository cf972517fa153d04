import { setImmediate } from 'node:timers/promises';
import type { DistanceMetric } from '#engine';
import type { Vectors, VectorSet } from './vectors.ts';

/** Every row with `row % filterParts === n` has the metadata `part: n`: a filter on it keeps one row in a hundred. */
export const filterParts = 100;

const dot = (one: Float32Array, other: Float32Array): number => {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  // Stored lengths are multiples of four. Four independent sums are twice as fast as one.
  for (let at = 0; at < one.length; at += 4) {
    first += (one[at] ?? 0) * (other[at] ?? 0);
    second += (one[at + 1] ?? 0) * (other[at + 1] ?? 0);
    third += (one[at + 2] ?? 0) * (other[at + 2] ?? 0);
    fourth += (one[at + 3] ?? 0) * (other[at + 3] ?? 0);
  }
  return first + second + third + fourth;
};

/** Keeps the `count` rows of the highest scores. */
const keepBest = (count: number) => {
  const rows: number[] = [];
  const scores: number[] = [];
  return {
    offer: (row: number, score: number): void => {
      if (rows.length === count && score <= (scores.at(-1) ?? -Infinity)) return;
      const place = scores.findIndex((other) => other < score);
      scores.splice(place < 0 ? scores.length : place, 0, score);
      rows.splice(place < 0 ? rows.length : place, 0, row);
      if (rows.length > count) {
        rows.pop();
        scores.pop();
      }
    },
    rows,
  };
};

const norms = (vectors: Vectors): Float64Array =>
  Float64Array.from({ length: vectors.count }, (_, at) => dot(vectors.at(at), vectors.at(at)));

/**
 * Returns the true nearest rows of each query, nearest first. It compares the query with all rows, or with those whose part
 * is the query's number. After each query it yields to the event loop, so that ended connections are noticed: a later
 * request would still use them.
 */
export const trueNeighbours = async (
  { base, queries }: VectorSet,
  metric: DistanceMetric,
  count: number,
  filtered: boolean,
): Promise<readonly (readonly number[])[]> => {
  const squares = norms(base);
  const neighbours: (readonly number[])[] = [];
  for (let at = 0; at < queries.count; at += 1) {
    const query = queries.at(at);
    const best = keepBest(count);
    for (let row = filtered ? at % filterParts : 0; row < base.count; row += filtered ? filterParts : 1) {
      const product = dot(query, base.at(row));
      const square = squares[row] ?? 0;
      best.offer(row, metric === 'cosine' ? product / Math.sqrt(square) : 2 * product - square);
    }
    neighbours.push(best.rows);
    await setImmediate();
  }
  return neighbours;
};

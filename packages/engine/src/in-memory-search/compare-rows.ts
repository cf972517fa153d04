import { highestOf, type Scored } from './top-rows.ts';
import type { VectorMemory } from './vector-memory.ts';

/** Returns the score for a value of `compared` and the scale of the query. */
const scoreOf = ({ metric }: VectorMemory, near: number, queryScale: number): number =>
  metric === 'cosine' ? Math.max(-1, Math.min(1, near * queryScale)) : near;

/** Returns the `limit` best of the first `count` rows in `memory.picked` for `memory.query`. */
export const bestPicked = (
  memory: VectorMemory,
  queryScale: number,
  count: number,
  limit: number,
): readonly Scored[] => {
  const { run, at, rowBytes, metric, picked, compared } = memory;
  run.compare(at.vectors, at.scales, at.picked, count, rowBytes, at.query, at.compared, metric === 'euclidean');
  return highestOf(compared, count, limit).map((position) => ({
    place: picked[position] ?? 0,
    score: scoreOf(memory, compared[position] ?? 0, queryScale),
  }));
};

/** Memory parts of the compared vector and of the results. */
const inTurn = { question: ['query', 'compared'], measure: ['asked', 'askedCompared'] } as const;

/** Compares `count` rows from a position on with the vector of a purpose. */
export const compareFrom = (
  { run, at, rowBytes, metric }: VectorMemory,
  turn: keyof typeof inTurn,
  place: number,
  count: number,
): void => {
  const [query, compared] = inTurn[turn];
  const [rows, scales, out] = [at.vectors + place * rowBytes, at.scales + place * 4, at[compared] + place * 4];
  run.compare(rows, scales, 0, count, rowBytes, at[query], out, metric === 'euclidean');
};

/** Returns the `limit` best of all rows, which have been compared with `memory.query`. */
export const bestOfAll = (memory: VectorMemory, queryScale: number, limit: number): readonly Scored[] =>
  highestOf(memory.compared, memory.rows, limit).map((place) => ({
    place,
    score: scoreOf(memory, memory.compared[place] ?? 0, queryScale),
  }));

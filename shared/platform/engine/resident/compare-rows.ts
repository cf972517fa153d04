import { bestOf, type Scored } from './best.ts';
import type { VectorMemory } from './vector-memory.ts';

const clamped = (cosine: number): number => Math.max(-1, Math.min(1, cosine));

/** Scores of compared rows; none is that of a row that is gone. */
const scoring = ({ metric, compared, scales }: VectorMemory, queryScale: number, placeOf: (at: number) => number) =>
  metric === 'cosine'
    ? (at: number): number => clamped((compared[at] ?? 0) * (scales[placeOf(at)] ?? 0) * queryScale)
    : (at: number): number => 0 - (compared[at] ?? 0) * (scales[placeOf(at)] ?? 0);

const itself = (at: number): number => at;

/** The `limit` best of the first `count` rows in `memory.picked` for `memory.query`. */
export const bestPicked = (
  memory: VectorMemory,
  queryScale: number,
  count: number,
  limit: number,
): readonly Scored[] => {
  const { run, at, rowBytes, metric, picked } = memory;
  run.compare(at.vectors, at.picked, count, rowBytes, at.query, at.compared, metric === 'euclidean');
  const placeOf = (position: number): number => picked[position] ?? 0;
  return bestOf(count, limit, scoring(memory, queryScale, placeOf), placeOf);
};

/** Compares rows with `memory.query`, `count` of them from a place on. */
export const compareFrom = ({ run, at, rowBytes, metric }: VectorMemory, place: number, count: number): void => {
  const [rows, out] = [at.vectors + place * rowBytes, at.compared + place * 4];
  run.compare(rows, 0, count, rowBytes, at.query, out, metric === 'euclidean');
};

/** The `limit` best of all rows, which have been compared with `memory.query`. */
export const bestOfAll = (memory: VectorMemory, queryScale: number, limit: number): readonly Scored[] =>
  bestOf(memory.rows, limit, scoring(memory, queryScale, itself), itself);

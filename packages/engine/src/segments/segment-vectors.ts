import { openKernel } from '../in-memory-search/kernel.ts';
import { highestWithTies } from '../in-memory-search/top-rows.ts';
import type { DistanceMetric } from '../port.ts';
import { decodeHalves } from './half-vectors.ts';

/** A row with the score that a search gives it. Higher is better. */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

/** Tests whether a row is left out. Null: none is. */
export type IsOut = ((row: number) => boolean) | null;

/** Vectors of a segment in memory, which are compared one by one. */
export interface SegmentVectors {
  /** Returns the `limit` nearest rows, best first, and those as near as the last. */
  readonly nearest: (query: Float32Array, metric: DistanceMetric, limit: number, isOut: IsOut) => readonly ScoredRow[];
  /** Returns a copy of the vector of a row, with `dimensions` numbers. */
  readonly vectorAt: (row: number, dimensions: number) => Float32Array;
}

/** Returns numbers in memory that `fill` writes. */
const openVectors = (rows: number, width: number, fill: (into: Float32Array) => void): SegmentVectors => {
  const { run, parts, floats } = openKernel({
    vectors: rows * width * 4,
    scales: rows * 4,
    ones: rows * 4,
    query: width * 4,
    compared: rows * 4,
  });
  const [vectors, scales, compared] = [floats(parts.vectors), floats(parts.scales), floats(parts.compared)];
  const [rowBytes, asked] = [width * 4, floats(parts.query)];
  fill(vectors);
  floats(parts.ones).fill(1);
  run.squaredLengths(parts.vectors.at, rows, rowBytes, parts.scales.at);
  for (let row = 0; row < rows; row += 1) scales[row] = 1 / Math.sqrt(scales[row] ?? 1);
  return {
    nearest: (query, metric, limit, isOut) => {
      asked.fill(0);
      asked.set(query);
      const isCosine = metric === 'cosine';
      const factors = isCosine ? parts.scales.at : parts.ones.at;
      run.compare(parts.vectors.at, factors, rows, rowBytes, parts.query.at, parts.compared.at, !isCosine);
      if (isOut !== null) for (let row = 0; row < rows; row += 1) if (isOut(row)) compared[row] = Number.NaN;
      const length = isCosine ? Math.sqrt(query.reduce((sum, number) => sum + number * number, 0)) : 1;
      return highestWithTies(compared, limit).map((row) => {
        const near = (compared[row] ?? 0) / length;
        return { row, score: isCosine ? Math.max(-1, Math.min(1, near)) : near };
      });
    },
    vectorAt: (row, dimensions) => vectors.slice(row * width, row * width + dimensions),
  };
};

export const openHalves = (section: Buffer, rows: number, width: number): SegmentVectors =>
  openVectors(rows, width, (into) => decodeHalves(section, rows, width, into));

export const openSingles = (section: Buffer, rows: number, width: number): SegmentVectors =>
  openVectors(rows, width, (into) => Buffer.from(into.buffer, into.byteOffset, into.byteLength).set(section));

import { type Calibration, calibrate } from './calibrate.ts';
import type { Scored } from './best.ts';
import { aimAt, pickCandidates, type Spread, type Wanted } from './candidates.ts';
import { bestPicked, bestOfAll, compareFrom } from './compare-rows.ts';
import { fillSigns } from './sketches.ts';
import {
  memoryBytesOf,
  openVectorMemory,
  firstBytes,
  inSteps,
  type VectorMemory,
  type VectorShape,
} from './vector-memory.ts';

/** Vectors in memory, searched without asking anybody. */
export interface ResidentVectors {
  /**
   * The places of the `limit` nearest rows, best first, scored by cosine similarity or negative squared distance; null where
   * a vector of this length or a limit so large is better asked elsewhere.
   */
  readonly nearest: (vector: Float32Array, limit: number) => readonly Scored[] | null;
}

/** Vectors on their way into memory. */
export interface VectorsToKeep {
  /** Copies rows, one after the other, to the places from `place` on. */
  readonly fill: (place: number, rows: Float32Array) => void;
  /**
   * Prepares the search once all rows are there; null where these vectors are better searched otherwise: too long or too
   * short to be compared in 32 bits, or so much alike that sketches do not tell them apart.
   */
  readonly finish: (pause: () => Promise<void>) => Promise<ResidentVectors | null>;
}

/** Squared lengths between which products of 32 bits lose nothing. */
const [shortest, longest] = [1e-25, 1e25];
/** The share of rows that `Spread.reach` speaks of. */
const nearlyAll = 0.99;
/** Numbers of candidates that are compared, and rows that are estimated, at most: the engine's index is as fast then. */
const mostForTen = 4_000_000;
const mostAtAll = 16_000_000;
const mostRows = 1_000_000;

const isFit = (square: number, { metric }: VectorShape): boolean =>
  square < longest && (metric === 'euclidean' || square > shortest);

/** Sets the scale of each row; false where the length of one is not fit. */
const measure = async (memory: VectorMemory, pause: () => Promise<void>): Promise<boolean> => {
  const { run, at, rowBytes, rows, scales, metric } = memory;
  await inSteps(memory, pause, (place, count) => {
    run.squaredLengths(at.vectors + place * rowBytes, count, rowBytes, at.scales + place * 4);
  });
  for (let row = 0; row < rows; row += 1) {
    const square = scales[row] ?? 0;
    if (!isFit(square, memory)) return false;
    scales[row] = metric === 'cosine' ? 1 / Math.sqrt(square) : 1;
  }
  return true;
};

/** The mean of all rows, each times its scale. */
const findMean = async (memory: VectorMemory, pause: () => Promise<void>): Promise<void> => {
  const { run, at, rowBytes, rows, mean } = memory;
  const sums = new Float64Array(mean.length);
  await inSteps(memory, pause, (place, count) => {
    mean.fill(0);
    run.addUp(at.vectors + place * rowBytes, at.scales + place * 4, count, rowBytes, at.mean);
    for (let part = 0; part < sums.length; part += 1) sums[part] = (sums[part] ?? 0) + (mean[part] ?? 0);
  });
  mean.set(sums.map((sum) => sum / rows));
};

/** Sketches all rows. */
const sketchAll = async (memory: VectorMemory, pause: () => Promise<void>): Promise<Spread> => {
  const { run, at, rowBytes, rows, sketched, scales, radii, signs } = memory;
  if (sketched === null) throw new Error('the rows have no sketches');
  const { bits, roundBytes } = sketched;
  fillSigns(signs);
  await findMean(memory, pause);
  await inSteps(memory, pause, (place, count) => {
    for (let row = place; row < place + count; row += 1) {
      const [vector, first] = [at.vectors + row * rowBytes, at.first + row * firstBytes];
      const rest = at.rest + row * (bits / 8 - firstBytes);
      const scale = scales[row] ?? 0;
      const square = run.sketch(vector, scale, at.mean, at.signs, rowBytes, at.scratch, roundBytes, bits, first, rest);
      radii[row] = Math.sqrt(square);
    }
  });
  return { reach: radii.subarray(0, rows).toSorted()[Math.floor((rows - 1) * nearlyAll)] ?? 0 };
};

/** How many candidates a limit takes, between and beyond the two that were measured. */
const wantedFor = ({ ten, hundred }: Calibration, limit: number): Wanted => {
  const tens = Math.max(0, Math.log10(limit / 10));
  const between = (few: number, many: number): number => Math.ceil(few * Math.max(1, many / few) ** tens);
  return { first: between(ten.first, hundred.first), whole: between(ten.whole, hundred.whole) };
};

/** Puts the question into memory; what it is multiplied with, or null where its length is not fit. */
const ask = (memory: VectorMemory, vector: Float32Array): number | null => {
  const { query, metric } = memory;
  query.fill(0);
  query.set(vector);
  const square = query.reduce((sum, number) => sum + number * number, 0);
  if (!isFit(square, memory)) return null;
  return metric === 'cosine' ? 1 / Math.sqrt(square) : 1;
};

const searchAll =
  (memory: VectorMemory): ResidentVectors['nearest'] =>
  (vector, limit) => {
    const scale = ask(memory, vector);
    if (scale === null) return null;
    compareFrom(memory, 0, memory.rows);
    return bestOfAll(memory, scale, limit);
  };

const searchSketched =
  (memory: VectorMemory, spread: Spread, calibration: Calibration): ResidentVectors['nearest'] =>
  (vector, limit) => {
    const wanted = wantedFor(calibration, limit);
    const scale = wanted.whole * memory.width > mostAtAll ? null : ask(memory, vector);
    if (scale === null) return null;
    const count = pickCandidates(memory, aimAt(memory, scale, spread), wanted);
    return count === null ? null : bestPicked(memory, scale, count, limit);
  };

const finish = async (memory: VectorMemory, pause: () => Promise<void>): Promise<ResidentVectors | null> => {
  if (!(await measure(memory, pause))) return null;
  if (memory.sketched === null) return { nearest: searchAll(memory) };
  const spread = await sketchAll(memory, pause);
  const calibration = await calibrate(memory, spread, pause);
  if (calibration.ten.whole * memory.width > mostForTen || calibration.ten.whole > memory.rows / 4) return null;
  return { nearest: searchSketched(memory, spread, calibration) };
};

/**
 * Takes memory for vectors that stay as they are. A few of them are compared one by one with each question. Of more, the
 * nearest candidates by their sketches are compared as they are; how many of them is measured on the vectors themselves, so
 * that about 99 of 100 of the nearest rows are found. Scores are those of the vectors as they are stored.
 */
export const keepVectors = (shape: VectorShape): VectorsToKeep => {
  const memory = openVectorMemory(shape);
  return {
    fill: (place, rows) => memory.vectors.set(rows, place * shape.width),
    finish: (pause) => finish(memory, pause),
  };
};

/** Bytes that vectors take in memory; null for more of them than are better searched there. */
export const residentBytesOf = (shape: VectorShape): number | null =>
  shape.rows > mostRows ? null : memoryBytesOf(shape);

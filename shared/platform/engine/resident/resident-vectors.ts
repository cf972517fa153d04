import { type Calibration, calibrate } from './calibrate.ts';
import type { Scored } from './best.ts';
import { type Aim, aimAt, pickCandidates, type Spread, type Wanted } from './candidates.ts';
import { bestPicked, bestOfAll, compareFrom } from './compare-rows.ts';
import { bestAmong, mostCompared, nearestAmong } from './search-among.ts';
import { removeSketch, sketchAll, sketchRow } from './sketch-rows.ts';
import { memoryBytesOf, openVectorMemory, inSteps, type VectorMemory, type VectorShape } from './vector-memory.ts';

/** Vectors in memory, searched without asking anybody. */
export interface ResidentVectors {
  /**
   * The places of the `limit` nearest rows, best first, scored by cosine similarity or negative squared distance; null where
   * a vector of this length or a limit so large is better asked elsewhere.
   * @param among Places of the rows that count, ascending; null: all do.
   */
  readonly nearest: (vector: Float32Array, limit: number, among: Int32Array | null) => readonly Scored[] | null;
  /**
   * Puts a vector at a place within the room: of a row, or of one that is removed, or the one after the last row. False where
   * its length is not fit to be compared; nobody may ask for anything then.
   */
  readonly put: (place: number, vector: Float32Array) => boolean;
  /** Takes the row at a place away: nobody finds it any more. */
  readonly remove: (place: number) => void;
  /**
   * The vectors of all places, those of removed rows too, with room for so many and prepared anew; null where they are better
   * searched otherwise by now. Of places that change meanwhile it has the former vector, the new one or parts of both.
   */
  readonly enlarge: (room: number, pause: () => Promise<void>) => Promise<ResidentVectors | null>;
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
/** Numbers of candidates that are compared, and rows that are estimated, at most: the engine's index is as fast then. */
const mostForTen = 4_000_000;
const mostRows = 1_000_000;
const someRows = 1_000;

const isFit = (square: number, { metric }: VectorShape): boolean =>
  square < longest && (metric === 'euclidean' || square > shortest);

/** What a row of this squared length is multiplied with before it is compared. */
const scaleOf = (square: number, { metric }: VectorShape): number => (metric === 'cosine' ? 1 / Math.sqrt(square) : 1);

/** Sets the scale of each row; false where the length of one is not fit. */
const measure = async (memory: VectorMemory, pause: () => Promise<void>): Promise<boolean> => {
  const { run, at, rowBytes, rows, scales } = memory;
  await inSteps(memory, pause, (place, count) => {
    run.squaredLengths(at.vectors + place * rowBytes, count, rowBytes, at.scales + place * 4);
  });
  for (let row = 0; row < rows; row += 1) {
    const square = scales[row] ?? 0;
    if (!isFit(square, memory)) return false;
    scales[row] = scaleOf(square, memory);
  }
  return true;
};

/**
 * How many candidates a limit takes, between and beyond the two that were measured. Of more rows than were measured, as many
 * more lie between a question and its neighbours.
 */
const wantedFor = ({ ten, hundred, rows: measured }: Calibration, rows: number, limit: number): Wanted => {
  const tens = Math.max(0, Math.log10(limit / 10));
  const growth = Math.max(1, rows / measured);
  const between = (few: number, many: number): number => Math.ceil(growth * few * Math.max(1, many / few) ** tens);
  return { first: between(ten.first, hundred.first), whole: between(ten.whole, hundred.whole) };
};

/** Puts the question into memory; what it is multiplied with, or null where its length is not fit. */
const ask = (memory: VectorMemory, vector: Float32Array): number | null => {
  const { run, at, rowBytes, query, compared } = memory;
  query.fill(0);
  query.set(vector);
  run.squaredLengths(at.query, 1, rowBytes, at.compared);
  const square = compared[0] ?? 0;
  return isFit(square, memory) ? scaleOf(square, memory) : null;
};

const searchAll =
  (memory: VectorMemory): ResidentVectors['nearest'] =>
  (vector, limit, among) => {
    const scale = ask(memory, vector);
    if (scale === null) return null;
    if (among !== null) return bestAmong(memory, scale, among, limit);
    compareFrom(memory, 0, memory.rows);
    return bestOfAll(memory, scale, limit);
  };

const searchSketched =
  (memory: VectorMemory, spread: Spread, calibration: Calibration): ResidentVectors['nearest'] =>
  (vector, limit, among) => {
    const wanted = wantedFor(calibration, memory.rows, limit);
    const compared = Math.min(wanted.whole, among?.length ?? Number.POSITIVE_INFINITY);
    const scale = compared * memory.width > mostCompared ? null : ask(memory, vector);
    if (scale === null) return null;
    const aim = (): Aim => aimAt(memory, scale, spread);
    if (among !== null) return nearestAmong(memory, aim, scale, among, wanted.whole, limit);
    const count = pickCandidates(memory, aim(), wanted);
    return count === null ? null : bestPicked(memory, scale, count, limit);
  };

const put =
  (memory: VectorMemory, spread: Spread | null): ResidentVectors['put'] =>
  (place, vector) => {
    const { run, at, rowBytes, scales } = memory;
    if (place >= memory.room) throw new Error(`there is no room for row ${place}`);
    memory.vectors.set(vector, place * memory.width);
    run.squaredLengths(at.vectors + place * rowBytes, 1, rowBytes, at.scales + place * 4);
    const square = scales[place] ?? 0;
    if (!isFit(square, memory)) return false;
    scales[place] = scaleOf(square, memory);
    if (spread !== null) sketchRow(memory, spread, place);
    memory.rows = Math.max(memory.rows, place + 1);
    return true;
  };

const remove =
  (memory: VectorMemory, spread: Spread | null): ResidentVectors['remove'] =>
  (place) => {
    // No score is one.
    memory.scales[place] = Number.NaN;
    if (spread !== null) removeSketch(memory, place);
  };

const enlarge =
  (memory: VectorMemory): ResidentVectors['enlarge'] =>
  async (room, pause) => {
    const { rows, width, metric } = memory;
    const next = openVectorMemory({ rows, room, width, metric });
    await inSteps(next, pause, (place, count) => {
      next.vectors.set(memory.vectors.subarray(place * width, (place + count) * width), place * width);
    });
    return finish(next, pause);
  };

const finish = async (memory: VectorMemory, pause: () => Promise<void>): Promise<ResidentVectors | null> => {
  if (!(await measure(memory, pause))) return null;
  const others = (spread: Spread | null) => ({
    put: put(memory, spread),
    remove: remove(memory, spread),
    enlarge: enlarge(memory),
  });
  if (memory.sketched === null) return { nearest: searchAll(memory), ...others(null) };
  const spread = await sketchAll(memory, pause);
  const calibration = await calibrate(memory, spread, pause);
  if (calibration.ten.whole * memory.width > mostForTen || calibration.ten.whole > memory.rows / 4) return null;
  return { nearest: searchSketched(memory, spread, calibration), ...others(spread) };
};

/**
 * Takes memory for vectors, and room for as many as may come. A few of them are compared one by one with each question. Of
 * more, the nearest candidates by their sketches are compared as they are; how many of them is measured on the vectors
 * themselves, so that about 99 of 100 of the nearest rows are found. Scores are those of the vectors as they are stored.
 */
export const keepVectors = (shape: VectorShape): VectorsToKeep => {
  const memory = openVectorMemory(shape);
  return {
    fill: (place, rows) => memory.vectors.set(rows, place * shape.width),
    finish: (pause) => finish(memory, pause),
  };
};

/** Bytes that vectors take in memory; null for more of them than are better searched there. */
export const residentBytesOf = (shape: Omit<VectorShape, 'room'>): number | null =>
  shape.rows > mostRows ? null : memoryBytesOf({ ...shape, room: shape.rows });

/** Room for so many rows and for those that come: some, or as many again. */
export const roomFor = (rows: number): number => Math.min(mostRows, 2 * rows + someRows);

import { type Calibration, calibrate } from './calibrate.ts';
import type { Scored } from './best.ts';
import { type Aim, aimAt, pickCandidates, type Spread, type Wanted } from './candidates.ts';
import { bestPicked, bestOfAll, compareFrom } from './compare-rows.ts';
import { bestAmong, mostCompared, nearestAmong } from './search-among.ts';
import { removeSketch, sketchAll, sketchRow } from './sketch-rows.ts';
import { leastSketched } from './sketches.ts';
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
   * Puts vectors, one after the other, at a place within the room and those behind it: of rows, or of some that are removed,
   * or from the one after the last row on. False where the length of one is not fit to be compared; nobody may ask for
   * anything then.
   */
  readonly put: (place: number, vectors: Float32Array) => boolean;
  /** Takes the row at a place away: nobody finds it any more. */
  readonly remove: (place: number) => void;
  /** Whether there are so many more rows than were measured that it is worth measuring anew. */
  readonly isOutgrown: () => boolean;
  /**
   * Measures anew how searches find nearly all of the nearest rows; false where these are better searched otherwise by now.
   * Rows are searched, put and removed meanwhile.
   */
  readonly measure: (pause: () => Promise<void>) => Promise<boolean>;
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
/** Up to so many numbers in all, comparing with every row is as fast: half a millisecond. */
const comparedNumbers = 2_000_000;
/** So many times the rows that were measured are worth measuring anew. */
const outgrownBy = 2;
/** Rows find room until there are so many times those that were there at first. */
const roomForRows = 16;

/** Vectors in memory, and what tells how they are searched. */
interface Searched {
  readonly memory: VectorMemory;
  /** Null: there are no sketches. */
  readonly spread: Spread | null;
  /** Null: every row is compared. */
  calibration: Calibration | null;
}

const isFit = (square: number, { metric }: VectorShape): boolean =>
  square < longest && (metric === 'euclidean' || square > shortest);

/** What a row of this squared length is multiplied with before it is compared. */
const scaleOf = (square: number, { metric }: VectorShape): number => (metric === 'cosine' ? 1 / Math.sqrt(square) : 1);

/** Sets the scale of each row from a place on; false where the length of one is not fit. */
const scaleRows = (memory: VectorMemory, place: number, count: number): boolean => {
  const { run, at, rowBytes, scales } = memory;
  run.squaredLengths(at.vectors + place * rowBytes, count, rowBytes, at.scales + place * 4);
  for (let row = place; row < place + count; row += 1) {
    const square = scales[row] ?? 0;
    if (!isFit(square, memory)) return false;
    scales[row] = scaleOf(square, memory);
  }
  return true;
};

/** The same of all rows. */
const scaleAll = async (memory: VectorMemory, pause: () => Promise<void>): Promise<boolean> => {
  let areFit = true;
  await inSteps(memory, pause, (place, count) => {
    areFit = areFit && scaleRows(memory, place, count);
  });
  return areFit;
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

const searchAll = (
  memory: VectorMemory,
  vector: Float32Array,
  limit: number,
  among: Int32Array | null,
): readonly Scored[] | null => {
  const scale = ask(memory, vector);
  if (scale === null) return null;
  if (among !== null) return bestAmong(memory, scale, among, limit);
  compareFrom(memory, 'question', 0, memory.rows);
  return bestOfAll(memory, scale, limit);
};

const searchSketched = (
  memory: VectorMemory,
  spread: Spread,
  wanted: Wanted,
  vector: Float32Array,
  limit: number,
  among: Int32Array | null,
): readonly Scored[] | null => {
  const compared = Math.min(wanted.whole, among?.length ?? Number.POSITIVE_INFINITY);
  const scale = compared * memory.width > mostCompared ? null : ask(memory, vector);
  if (scale === null) return null;
  const aim = (): Aim => aimAt(memory, scale, spread);
  if (among !== null) return nearestAmong(memory, aim, scale, among, wanted.whole, limit);
  const count = pickCandidates(memory, aim(), wanted);
  return count === null ? null : bestPicked(memory, scale, count, limit);
};

const nearest =
  (searched: Searched): ResidentVectors['nearest'] =>
  (vector, limit, among) => {
    const { memory, spread, calibration } = searched;
    if (spread === null || calibration === null) return searchAll(memory, vector, limit, among);
    return searchSketched(memory, spread, wantedFor(calibration, memory.rows, limit), vector, limit, among);
  };

const put =
  ({ memory, spread }: Searched): ResidentVectors['put'] =>
  (place, vectors) => {
    const { width, room } = memory;
    const end = place + vectors.length / width;
    if (end > room) throw new Error(`there is no room for row ${end - 1}`);
    memory.vectors.set(vectors, place * width);
    if (!scaleRows(memory, place, end - place)) return false;
    for (let row = place; row < end; row += 1) {
      memory.changed?.add(row);
      if (spread !== null) sketchRow(memory, spread, row);
    }
    memory.rows = Math.max(memory.rows, end);
    return true;
  };

const remove =
  ({ memory, spread }: Searched): ResidentVectors['remove'] =>
  (place) => {
    memory.changed?.add(place);
    // No score is one.
    memory.scales[place] = Number.NaN;
    if (spread !== null) removeSketch(memory, place);
  };

const isOutgrown =
  (searched: Searched): ResidentVectors['isOutgrown'] =>
  () => {
    const { memory, spread, calibration } = searched;
    const measured = calibration?.rows ?? 0;
    return spread !== null && memory.rows * memory.width > comparedNumbers && memory.rows >= outgrownBy * measured;
  };

const measure =
  (searched: Searched): ResidentVectors['measure'] =>
  async (pause) => {
    const { memory, spread } = searched;
    const calibration = spread === null ? null : await calibrate(memory, spread, pause);
    // Where no row is left, there is nothing to measure.
    if (calibration === null) return true;
    const { whole } = calibration.ten;
    if (whole * memory.width > mostForTen || whole > calibration.rows / 4) return false;
    searched.calibration = calibration;
    return true;
  };

const finish = async (memory: VectorMemory, pause: () => Promise<void>): Promise<ResidentVectors | null> => {
  if (!(await scaleAll(memory, pause))) return null;
  const spread = memory.sketched === null ? null : await sketchAll(memory, pause);
  const searched: Searched = { memory, spread, calibration: null };
  const vectors: ResidentVectors = {
    nearest: nearest(searched),
    put: put(searched),
    remove: remove(searched),
    isOutgrown: isOutgrown(searched),
    measure: measure(searched),
  };
  return vectors.isOutgrown() && !(await vectors.measure(pause)) ? null : vectors;
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

/** Room for so many rows and for those that come; what nothing stands in takes none of the machine's memory. */
export const roomFor = (rows: number, width: number): number =>
  rows < leastSketched ? Math.max(rows, Math.floor(comparedNumbers / width)) : Math.min(mostRows, roomForRows * rows);

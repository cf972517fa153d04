import { type Calibration, calibrate } from './calibrate.ts';
import type { Scored } from './top-rows.ts';
import {
  type DistanceTable,
  distanceTableFor,
  pickCandidates,
  type DistanceStatistics,
  type Wanted,
} from './candidates.ts';
import { bestPicked, bestOfAll, compareFrom } from './compare-rows.ts';
import { bestAmong, maxComparedNumbers, nearestAmong } from './search-filtered.ts';
import { removeCode, quantizeAll, quantizeRow } from './quantize-rows.ts';
import { minQuantizedRows } from './quantization.ts';
import { memoryBytesOf, openVectorMemory, inSteps, type VectorMemory, type VectorShape } from './vector-memory.ts';

/** In-memory vectors that can be searched. */
export interface VectorSearch {
  /**
   * Returns the positions of the `limit` nearest rows, best first, scored by cosine similarity or negative squared
   * distance. Null if the engine searches better for a vector of this length or for so large a limit.
   * @param among Positions of the rows to search, ascending. Null: all rows.
   */
  readonly nearest: (vector: Float32Array, limit: number, among: Int32Array | null) => readonly Scored[] | null;
  /**
   * Writes vectors one after the other from a position on. The positions must be those of existing or removed rows, or
   * follow the last row, within the capacity. Returns false if the length of a vector cannot be compared. The rows must
   * not be searched after that.
   */
  readonly put: (place: number, vectors: Float32Array) => boolean;
  /** Removes the row at a position from all later searches. */
  readonly remove: (place: number) => void;
  /** Returns whether so many rows were added that a new calibration is worthwhile. */
  readonly isOutgrown: () => boolean;
  /**
   * Recalibrates the search. Returns false if the engine searches these rows better by now. Rows may be searched, added
   * and removed meanwhile.
   */
  readonly measure: (pause: () => Promise<void>) => Promise<boolean>;
}

/** Vectors that are being loaded into memory. */
export interface VectorsToLoad {
  /** Copies rows one after the other to the positions from `place` on. */
  readonly fill: (place: number, rows: Float32Array) => void;
  /**
   * Prepares the search after all rows were added. Returns null if the engine searches these vectors better: they are
   * too long or too short for 32 bits, or so similar that quantization codes do not distinguish them.
   */
  readonly finish: (pause: () => Promise<void>) => Promise<VectorSearch | null>;
}

/** Squared lengths between which products of 32 bits lose no precision. */
const [shortest, longest] = [1e-25, 1e25];
/** Maximum of compared numbers and of estimated rows. Beyond, the engine's index is as fast. */
const maxForTen = 4_000_000;
const maxRows = 1_000_000;
/** Numbers up to which comparing every row is as fast: half a millisecond. */
const comparedNumbers = 2_000_000;
/** Growth of the rows since the calibration that makes a new one worthwhile. */
const outgrownBy = 2;
/** Capacity as a multiple of the first number of rows. */
const growthCapacity = 16;

/** Vectors in memory, with the parameters of their search. */
interface Searched {
  readonly memory: VectorMemory;
  /** Null: there are no quantization codes. */
  readonly statistics: DistanceStatistics | null;
  /** Null: every row is compared. */
  calibration: Calibration | null;
}

const isFit = (square: number, { metric }: VectorShape): boolean =>
  square < longest && (metric === 'euclidean' || square > shortest);

/** Returns the factor for a row of this squared length before it is compared. */
const scaleOf = (square: number, { metric }: VectorShape): number => (metric === 'cosine' ? 1 / Math.sqrt(square) : 1);

/** Sets the scale of each row from a position on. Returns false if the length of a row cannot be compared. */
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

/** Sets the scales of all rows. */
const scaleAll = async (memory: VectorMemory, pause: () => Promise<void>): Promise<boolean> => {
  let areFit = true;
  await inSteps(memory, pause, (place, count) => {
    areFit = areFit && scaleRows(memory, place, count);
  });
  return areFit;
};

/**
 * Returns the number of candidates for a limit, interpolated from the two measured ones. It grows with the rows: more
 * rows lie between a query and its neighbours.
 */
const wantedFor = ({ ten, hundred, rows: measured }: Calibration, rows: number, limit: number): Wanted => {
  const tens = Math.max(0, Math.log10(limit / 10));
  const growth = Math.max(1, rows / measured);
  const between = (few: number, many: number): number => Math.ceil(growth * few * Math.max(1, many / few) ** tens);
  return { first: between(ten.first, hundred.first), whole: between(ten.whole, hundred.whole) };
};

/** Writes the query vector to memory and returns its factor. Null if its length cannot be compared. */
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

const searchQuantized = (
  memory: VectorMemory,
  statistics: DistanceStatistics,
  wanted: Wanted,
  vector: Float32Array,
  limit: number,
  among: Int32Array | null,
): readonly Scored[] | null => {
  const compared = Math.min(wanted.whole, among?.length ?? Number.POSITIVE_INFINITY);
  const scale = compared * memory.width > maxComparedNumbers ? null : ask(memory, vector);
  if (scale === null) return null;
  const distanceTable = (): DistanceTable => distanceTableFor(memory, scale, statistics);
  if (among !== null) return nearestAmong(memory, distanceTable, scale, among, wanted.whole, limit);
  const count = pickCandidates(memory, distanceTable(), wanted);
  return count === null ? null : bestPicked(memory, scale, count, limit);
};

const nearest =
  (searched: Searched): VectorSearch['nearest'] =>
  (vector, limit, among) => {
    const { memory, statistics, calibration } = searched;
    if (statistics === null || calibration === null) return searchAll(memory, vector, limit, among);
    return searchQuantized(memory, statistics, wantedFor(calibration, memory.rows, limit), vector, limit, among);
  };

const put =
  ({ memory, statistics }: Searched): VectorSearch['put'] =>
  (place, vectors) => {
    const { width, room } = memory;
    const end = place + vectors.length / width;
    if (end > room) throw new Error(`row ${end - 1} exceeds the capacity`);
    memory.vectors.set(vectors, place * width);
    if (!scaleRows(memory, place, end - place)) return false;
    for (let row = place; row < end; row += 1) {
      memory.changed?.add(row);
      if (statistics !== null) quantizeRow(memory, statistics, row);
    }
    memory.rows = Math.max(memory.rows, end);
    return true;
  };

const remove =
  ({ memory, statistics }: Searched): VectorSearch['remove'] =>
  (place) => {
    memory.changed?.add(place);
    // No score is NaN.
    memory.scales[place] = Number.NaN;
    if (statistics !== null) removeCode(memory, place);
  };

const isOutgrown =
  (searched: Searched): VectorSearch['isOutgrown'] =>
  () => {
    const { memory, statistics, calibration } = searched;
    const measured = calibration?.rows ?? 0;
    return statistics !== null && memory.rows * memory.width > comparedNumbers && memory.rows >= outgrownBy * measured;
  };

const measure =
  (searched: Searched): VectorSearch['measure'] =>
  async (pause) => {
    const { memory, statistics } = searched;
    const calibration = statistics === null ? null : await calibrate(memory, statistics, pause);
    // If no row is left, there is nothing to measure.
    if (calibration === null) return true;
    const { whole } = calibration.ten;
    if (whole * memory.width > maxForTen || whole > calibration.rows / 4) return false;
    searched.calibration = calibration;
    return true;
  };

const finish = async (memory: VectorMemory, pause: () => Promise<void>): Promise<VectorSearch | null> => {
  if (!(await scaleAll(memory, pause))) return null;
  const statistics = memory.quantization === null ? null : await quantizeAll(memory, pause);
  const searched: Searched = { memory, statistics, calibration: null };
  const vectors: VectorSearch = {
    nearest: nearest(searched),
    put: put(searched),
    remove: remove(searched),
    isOutgrown: isOutgrown(searched),
    measure: measure(searched),
  };
  return vectors.isOutgrown() && !(await vectors.measure(pause)) ? null : vectors;
};

/**
 * Allocates memory for vectors, with capacity for more. If there are few, each query is compared with all of them. Of
 * more, only the nearest candidates by their quantization codes are compared exactly. Calibration on the vectors
 * themselves chooses the number of candidates, so that about 99 of 100 of the nearest rows are found. Scores are those
 * of the stored vectors.
 */
export const loadVectors = (shape: VectorShape): VectorsToLoad => {
  const memory = openVectorMemory(shape);
  return {
    fill: (place, rows) => memory.vectors.set(rows, place * shape.width),
    finish: (pause) => finish(memory, pause),
  };
};

/** Returns the bytes that vectors take in memory. Null if there are too many for a search in memory. */
export const vectorBytesOf = (shape: Omit<VectorShape, 'room'>): number | null =>
  shape.rows > maxRows ? null : memoryBytesOf({ ...shape, room: shape.rows });

/** Returns the capacity for `rows` rows with growth. Unused capacity takes none of the machine's memory. */
export const capacityFor = (rows: number, width: number): number =>
  rows < minQuantizedRows
    ? Math.max(rows, Math.floor(comparedNumbers / width))
    : Math.min(maxRows, growthCapacity * rows);

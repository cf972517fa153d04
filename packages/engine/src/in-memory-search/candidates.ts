import { bins, classes, type VectorMemory } from './vector-memory.ts';

/**
 * Rows are classed by their distance from the mean, in fractions of a distance that nearly all do not exceed. Rows far
 * beyond it count as nearer, which only makes them candidates more often. Removed rows have a class of their own.
 */
const classesToReach = 200;
const lastClass = classes - 2;
export const goneClass = classes - 1;

/** Statistics of the distances of rows from the mean. */
export interface DistanceStatistics {
  /** Distance that nearly all of them do not exceed. */
  readonly reach: number;
}

/** Sets the distance of each class. */
export const setRadii = ({ radii }: VectorMemory, { reach }: DistanceStatistics): void => {
  for (let at = 0; at <= lastClass; at += 1) radii[at] = (reach * at) / classesToReach;
  radii[goneClass] = Number.POSITIVE_INFINITY;
};

/** Parameters that convert the estimates for one query to bins. */
export interface DistanceTable {
  /** Twice the distance of the query from the mean. */
  readonly twice: number;
  readonly lowest: number;
  readonly perBin: number;
}

/** Surplus of candidates beyond which an estimate is useless. */
const surplus = 4;
const surplusFloor = 1_000;

/** Returns the class of a row by its distance from the mean. */
export const classOf = (radius: number, { reach }: DistanceStatistics): number =>
  reach === 0 ? 0 : Math.min(lastClass, Math.round((radius / reach) * classesToReach));

/**
 * Quantizes `memory.query`. The last bin contains rows as far from the mean as nearly all are, at a right angle to the
 * query.
 */
export const distanceTableFor = (
  { run, at, quantization, rowBytes }: VectorMemory,
  queryScale: number,
  { reach }: DistanceStatistics,
): DistanceTable => {
  if (quantization === null) throw new Error('the rows have no quantization codes');
  const { bits, roundBytes } = quantization;
  const { query, mean, signs, scratch, querySketch } = at;
  const square = run.sketch(query, queryScale, mean, signs, rowBytes, scratch, roundBytes, bits, querySketch, 0, 0);
  const radius = Math.sqrt(square);
  const lowest = radius <= reach ? -square : reach * (reach - 2 * radius);
  return { twice: 2 * radius, lowest, perBin: (bins - 1) / Math.max(reach * reach - lowest, Number.MIN_VALUE) };
};

/** Rows to estimate: those at `places`, or the first ones of the given codes and classes. */
interface Estimated {
  readonly sketches: number;
  readonly bytes: number;
  readonly classOf: number;
  readonly places: number;
  readonly count: number;
}

/**
 * Estimates the distances of rows by their codes, or by the first part of these. Writes the bin of each row to `binOf`.
 */
const estimate = (
  { run, at, histogram }: VectorMemory,
  { twice, lowest, perBin }: DistanceTable,
  { sketches, bytes, classOf: classesAt, places, count }: Estimated,
): void => {
  histogram.fill(0);
  run.estimate(
    sketches,
    bytes,
    classesAt,
    at.radii,
    places,
    count,
    at.querySketch,
    twice,
    lowest,
    perBin,
    bins - 1,
    at.binOf,
    at.histogram,
  );
};

/** Estimates all rows, and fills `binOf` and `histogram`. */
export const estimateAll = (memory: VectorMemory, distanceTable: DistanceTable, part: 'first' | 'whole'): void => {
  const { at, rows, quantization } = memory;
  const bytes = part === 'first' ? quantization?.firstBytes : quantization?.wholeBytes;
  estimate(memory, distanceTable, {
    sketches: at[part],
    bytes: bytes ?? 0,
    classOf: at.classOf,
    places: 0,
    count: rows,
  });
};

/** Estimates the rows at the first `count` of `places` by their whole codes. */
const estimateFirst = (memory: VectorMemory, distanceTable: DistanceTable, count: number): void => {
  const { whole: sketches, classOf: classesAt, places } = memory.at;
  // The kernel reads positions in groups of eight.
  memory.places.fill(0, count, count + 8);
  estimate(memory, distanceTable, {
    sketches,
    bytes: memory.quantization?.wholeBytes ?? 0,
    classOf: classesAt,
    places,
    count,
  });
};

/** Estimates the rows at some positions. Writes their bins to `binOf`, in the order of the positions. */
export const estimatePlaces = (memory: VectorMemory, distanceTable: DistanceTable, among: Int32Array): void => {
  memory.places.set(among);
  estimateFirst(memory, distanceTable, among.length);
};

/** Returns the last bin to keep so that `wanted` rows are kept. */
export const cutAt = ({ histogram }: VectorMemory, wanted: number): number => {
  let count = 0;
  for (let last = 0; last < bins; last += 1) {
    count += histogram[last] ?? 0;
    if (count >= wanted) return last;
  }
  return bins - 1;
};

/** Estimates from the sample the distance within which `wanted` of all rows lie, rather too large than too small. */
const guessCut = (memory: VectorMemory, distanceTable: DistanceTable, wanted: number): number => {
  const { at, rows, sampled, quantization } = memory;
  const bytes = quantization?.firstBytes ?? 0;
  const sample = { sketches: at.sampleFirst, classOf: at.sampleClassOf, places: 0, count: sampled };
  estimate(memory, distanceTable, { ...sample, bytes });
  const expected = (wanted * sampled) / rows;
  // A random sample may miss about its square root.
  const last = cutAt(memory, expected + 2 * Math.sqrt(expected));
  return last === bins - 1 ? Number.POSITIVE_INFINITY : distanceTable.lowest + (last + 1) / distanceTable.perBin;
};

/**
 * Sets, for each class, the number of bits by which the first part of a code may differ for a row within a distance,
 * plus one.
 */
const setLimits = ({ limits, radii, quantization }: VectorMemory, { twice }: DistanceTable, within: number): void => {
  const firstBits = (quantization?.firstBytes ?? 0) * 8;
  for (let at = 0; at <= lastClass; at += 1) {
    const radius = radii[at] ?? 0;
    const above = radius * radius - within;
    const cosine = above === 0 ? 0 : above / (radius * twice);
    limits[at] = cosine > 1 ? 0 : Math.floor((firstBits * Math.acos(Math.max(-1, cosine))) / Math.PI) + 1;
  }
  limits[goneClass] = 0;
};

/** Numbers of rows to keep by the first part of the codes and, of these, by the whole codes. */
export interface Wanted {
  readonly first: number;
  readonly whole: number;
}

/** Writes the candidates for a query to `picked` and returns their number. Null if the codes are useless for it. */
export const pickCandidates = (memory: VectorMemory, distanceTable: DistanceTable, wanted: Wanted): number | null => {
  const { run, at, rows, quantization } = memory;
  setLimits(memory, distanceTable, guessCut(memory, distanceTable, wanted.first));
  const { first, classOf: classesAt, querySketch, limits, places, binOf } = at;
  const count = run.pick(first, quantization?.firstBytes ?? 0, classesAt, rows, querySketch, limits, places);
  // With a large surplus, the codes do not distinguish the rows.
  if (count > wanted.first * surplus + surplusFloor) return null;
  estimateFirst(memory, distanceTable, count);
  const picked = run.collect(binOf, places, count, cutAt(memory, wanted.whole), at.picked);
  return picked > wanted.whole * surplus + surplusFloor ? null : picked;
};

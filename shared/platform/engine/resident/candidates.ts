import { bins, classes, type VectorMemory } from './vector-memory.ts';

/**
 * Rows are classed by their distance from the mean, as multiples of a share of what nearly all do not exceed; those far
 * beyond it are taken as if they were nearer, which only makes them candidates more often. Those that are gone have a class
 * of their own.
 */
const classesToReach = 200;
const lastClass = classes - 2;
export const goneClass = classes - 1;

/** What the distances of rows from the mean are like. */
export interface Spread {
  /** What nearly all of them do not exceed. */
  readonly reach: number;
}

/** Sets what each class stands for. */
export const setRadii = ({ radii }: VectorMemory, { reach }: Spread): void => {
  for (let at = 0; at <= lastClass; at += 1) radii[at] = (reach * at) / classesToReach;
  radii[goneClass] = Number.POSITIVE_INFINITY;
};

/** How estimates for one question become bins. */
export interface Aim {
  /** Twice the distance of the question from the mean. */
  readonly twice: number;
  readonly lowest: number;
  readonly perBin: number;
}

/** More candidates than wanted by this much are too many. */
const surplus = 4;
const surplusFloor = 1_000;

/** The class of a row by its distance from the mean. */
export const classOf = (radius: number, { reach }: Spread): number =>
  reach === 0 ? 0 : Math.min(lastClass, Math.round((radius / reach) * classesToReach));

/**
 * Sketches `memory.query`. A row that lies as far from the mean as nearly all do, at a right angle to the question, is in
 * the last bin.
 */
export const aimAt = ({ run, at, sketched, rowBytes }: VectorMemory, queryScale: number, { reach }: Spread): Aim => {
  if (sketched === null) throw new Error('the rows have no sketches');
  const { bits, roundBytes } = sketched;
  const { query, mean, signs, scratch, querySketch } = at;
  const square = run.sketch(query, queryScale, mean, signs, rowBytes, scratch, roundBytes, bits, querySketch, 0, 0);
  const radius = Math.sqrt(square);
  const lowest = radius <= reach ? -square : reach * (reach - 2 * radius);
  return { twice: 2 * radius, lowest, perBin: (bins - 1) / Math.max(reach * reach - lowest, Number.MIN_VALUE) };
};

/** Which rows are estimated: those at `places`, or the first ones of which sketches and classes stand here. */
interface Estimated {
  readonly sketches: number;
  readonly bytes: number;
  readonly classOf: number;
  readonly places: number;
  readonly count: number;
}

/** Estimates rows by their sketches or the first part of these, which leaves the bin of each in `binOf`. */
const estimate = (
  { run, at, histogram }: VectorMemory,
  { twice, lowest, perBin }: Aim,
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

/** Estimates all rows, for whoever looks at `binOf` and `histogram`. */
export const estimateAll = (memory: VectorMemory, aim: Aim, part: 'first' | 'whole'): void => {
  const { at, rows, sketched } = memory;
  const bytes = part === 'first' ? sketched?.firstBytes : sketched?.wholeBytes;
  estimate(memory, aim, { sketches: at[part], bytes: bytes ?? 0, classOf: at.classOf, places: 0, count: rows });
};

/** Estimates the rows at the first `count` of `places` by their whole sketches. */
const estimateFirst = (memory: VectorMemory, aim: Aim, count: number): void => {
  const { whole: sketches, classOf: classesAt, places } = memory.at;
  // The kernel reads places in groups of eight.
  memory.places.fill(0, count, count + 8);
  estimate(memory, aim, { sketches, bytes: memory.sketched?.wholeBytes ?? 0, classOf: classesAt, places, count });
};

/** Estimates the rows at some places, of which the bin of each is left in `binOf`, by its position. */
export const estimatePlaces = (memory: VectorMemory, aim: Aim, among: Int32Array): void => {
  memory.places.set(among);
  estimateFirst(memory, aim, among.length);
};

/** The bin at which to cut so that `wanted` rows are kept. */
export const cutAt = ({ histogram }: VectorMemory, wanted: number): number => {
  let count = 0;
  for (let last = 0; last < bins; last += 1) {
    count += histogram[last] ?? 0;
    if (count >= wanted) return last;
  }
  return bins - 1;
};

/** The distance that the sample tells as that within which `wanted` of all rows lie; rather too large than too small. */
const guessCut = (memory: VectorMemory, aim: Aim, wanted: number): number => {
  const { at, rows, sampled, sketched } = memory;
  const bytes = sketched?.firstBytes ?? 0;
  const sample = { sketches: at.sampleFirst, classOf: at.sampleClassOf, places: 0, count: sampled };
  estimate(memory, aim, { ...sample, bytes });
  const expected = (wanted * sampled) / rows;
  // Chance leaves a sample its root more or less.
  const last = cutAt(memory, expected + 2 * Math.sqrt(expected));
  return last === bins - 1 ? Number.POSITIVE_INFINITY : aim.lowest + (last + 1) / aim.perBin;
};

/** Sets how many bits at most, and one, the first part of a row's sketch may differ in so that it lies within a distance. */
const setLimits = ({ limits, radii, sketched }: VectorMemory, { twice }: Aim, within: number): void => {
  const firstBits = (sketched?.firstBytes ?? 0) * 8;
  for (let at = 0; at <= lastClass; at += 1) {
    const radius = radii[at] ?? 0;
    const above = radius * radius - within;
    const cosine = above === 0 ? 0 : above / (radius * twice);
    limits[at] = cosine > 1 ? 0 : Math.floor((firstBits * Math.acos(Math.max(-1, cosine))) / Math.PI) + 1;
  }
  limits[goneClass] = 0;
};

/** How many rows the first part of sketches and, of these, the whole ones are to leave. */
export interface Wanted {
  readonly first: number;
  readonly whole: number;
}

/** Leaves the candidates of a question in `picked`, and tells how many they are; null where sketches are no help. */
export const pickCandidates = (memory: VectorMemory, aim: Aim, wanted: Wanted): number | null => {
  const { run, at, rows, sketched } = memory;
  setLimits(memory, aim, guessCut(memory, aim, wanted.first));
  const { first, classOf: classesAt, querySketch, limits, places, binOf } = at;
  const count = run.pick(first, sketched?.firstBytes ?? 0, classesAt, rows, querySketch, limits, places);
  // Far more than wanted say that sketches cannot tell the rows apart.
  if (count > wanted.first * surplus + surplusFloor) return null;
  estimateFirst(memory, aim, count);
  const picked = run.collect(binOf, places, count, cutAt(memory, wanted.whole), at.picked);
  return picked > wanted.whole * surplus + surplusFloor ? null : picked;
};

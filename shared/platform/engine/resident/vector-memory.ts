import type { DistanceMetric } from '../port.ts';
import { extentOf, openKernel } from './kernel.ts';
import { type SketchShape, sketchShapeOf } from './sketches.ts';

/** What vectors are kept in memory. */
export interface VectorShape {
  readonly rows: number;
  /** Rows that find a place in time; memory that no row has touched takes none of the machine. */
  readonly room: number;
  /** Numbers of a row, a multiple of 8. */
  readonly width: number;
  readonly metric: DistanceMetric;
}

/** Bins of an estimate: fine enough to tell two differing signs in a thousand apart. */
export const bins = 4_096;
/** Rows are grouped by their distance from the mean into so many classes. */
export const classes = 256;
/** Rows, evenly spread, that are asked what the distances of all are like. */
const mostSampled = 4_096;

const sampledOf = ({ room }: Pick<VectorShape, 'room'>): number => Math.min(room, mostSampled);

const sketchSizes = (shape: VectorShape, sketched: SketchShape | null) => {
  const { room, width } = shape;
  const sampled = sampledOf(shape);
  const { bits = 0, firstBytes = 0, roundBytes = 0, rounds = 0 } = sketched ?? {};
  const each = sketched === null ? 0 : 1;
  return {
    first: each * room * firstBytes,
    whole: each * room * (bits / 8),
    classOf: each * (room + 8),
    radii: each * classes * 4,
    limits: each * classes * 2,
    sampleFirst: each * sampled * firstBytes,
    sampleClassOf: each * (sampled + 8),
    mean: each * width * 4,
    signs: rounds * roundBytes,
    scratch: roundBytes,
    querySketch: bits / 8,
    // The kernel reads them in groups of eight.
    binOf: each * (room + 8) * 2,
    histogram: each * bins * 4,
    asked: each * width * 4,
    askedCompared: each * room * 4,
  };
};

const sizesOf = (shape: VectorShape, sketched: SketchShape | null) => ({
  vectors: shape.room * shape.width * 4,
  scales: shape.room * 4,
  query: shape.width * 4,
  places: (shape.room + 8) * 4,
  picked: shape.room * 4,
  compared: shape.room * 4,
  ...sketchSizes(shape, sketched),
});

/** Bytes that vectors of a shape take in memory, once there are as many as there is room for. */
export const memoryBytesOf = (shape: VectorShape): number =>
  extentOf(sizesOf(shape, sketchShapeOf(shape.rows, shape.width)));

/** Memory for vectors of a shape, all zero. Throws a RangeError where the machine has no such memory. */
export const openVectorMemory = (shape: VectorShape) => {
  const sketched = sketchShapeOf(shape.rows, shape.width);
  const { run, parts, floats, integers, halves, bytes } = openKernel(sizesOf(shape, sketched));
  return {
    ...shape,
    /** Bytes of a row. */
    rowBytes: shape.width * 4,
    /** Null: every row is compared. */
    sketched,
    /** Rows of which the first part of the sketch and the class stand together once more, as they were when all were measured. */
    sampled: 0,
    mostSampled: sampledOf(shape),
    run,
    /** Where each stretch begins, for the kernel. */
    at: Object.fromEntries(Object.entries(parts).map(([name, { at }]) => [name, at])) as Record<
      keyof typeof parts,
      number
    >,
    vectors: floats(parts.vectors),
    /** What a row is multiplied with before it is compared by its angle: 1 over its length; 1 under `euclidean`. */
    scales: floats(parts.scales),
    query: floats(parts.query),
    places: integers(parts.places),
    picked: integers(parts.picked),
    /** How near rows are to the query: higher is nearer, NaN is that of a row that is gone. */
    compared: floats(parts.compared),
    /** The distance from the mean that each class stands for. */
    radii: floats(parts.radii),
    classOf: bytes(parts.classOf),
    limits: halves(parts.limits),
    /** The first parts of all sketches, once more. */
    firsts: bytes(parts.first),
    sampleFirsts: bytes(parts.sampleFirst),
    sampleClassOf: bytes(parts.sampleClassOf),
    mean: floats(parts.mean),
    signs: floats(parts.signs),
    binOf: halves(parts.binOf),
    histogram: integers(parts.histogram),
    /** What all are compared with while they are measured, and how near they are to it; searches go on meanwhile. */
    asked: floats(parts.asked),
    askedCompared: floats(parts.askedCompared),
    /** Places whose rows have changed since that began; null while nothing is measured. */
    changed: null as Set<number> | null,
  };
};

export type VectorMemory = ReturnType<typeof openVectorMemory>;

/** Rows that one step takes: about a millisecond of work. */
const stepRowsOf = ({ width }: VectorShape): number => Math.max(1, Math.floor(1_000_000 / width));

/** Works on all rows, some at a time, and pauses after each step. */
export const inSteps = async (
  memory: VectorMemory,
  pause: () => Promise<void>,
  work: (place: number, count: number) => void,
): Promise<void> => {
  const step = stepRowsOf(memory);
  for (let place = 0; place < memory.rows; place += step) {
    work(place, Math.min(step, memory.rows - place));
    await pause();
  }
};

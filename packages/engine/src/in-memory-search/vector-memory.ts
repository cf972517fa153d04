import type { DistanceMetric } from '../port.ts';
import { extentOf, openKernel } from './kernel.ts';
import { type QuantizationShape, quantizationShapeOf } from './quantization.ts';

/** Sizes of vectors in memory. */
export interface VectorShape {
  readonly rows: number;
  /** Capacity in rows. Memory that no row has used takes none of the machine's memory. */
  readonly room: number;
  /** Numbers of a row, a multiple of 8. */
  readonly width: number;
  readonly metric: DistanceMetric;
}

/** Bins of an estimate: fine enough to distinguish two differing bits in a thousand. */
export const bins = 4_096;
/** Number of classes of rows by their distance from the mean. */
export const classes = 256;
/** Rows in the sample for estimating distances, at even intervals. */
const maxSampled = 4_096;

const sampledOf = ({ room }: Pick<VectorShape, 'room'>): number => Math.min(room, maxSampled);

const codeSizes = (shape: VectorShape, quantization: QuantizationShape | null) => {
  const { room, width } = shape;
  const sampled = sampledOf(shape);
  const { bits = 0, firstBytes = 0, roundBytes = 0, rounds = 0 } = quantization ?? {};
  const each = quantization === null ? 0 : 1;
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

const sizesOf = (shape: VectorShape, quantization: QuantizationShape | null) => ({
  vectors: shape.room * shape.width * 4,
  scales: shape.room * 4,
  query: shape.width * 4,
  places: (shape.room + 8) * 4,
  picked: shape.room * 4,
  compared: shape.room * 4,
  ...codeSizes(shape, quantization),
});

/** Returns the bytes that vectors of a shape take in memory at full capacity. */
export const memoryBytesOf = (shape: VectorShape): number =>
  extentOf(sizesOf(shape, quantizationShapeOf(shape.rows, shape.width)));

/**
 * Allocates memory for vectors of a shape, all zero. Throws a RangeError if the machine does not have that much memory.
 */
export const openVectorMemory = (shape: VectorShape) => {
  const quantization = quantizationShapeOf(shape.rows, shape.width);
  const { run, parts, floats, integers, halves, bytes } = openKernel(sizesOf(shape, quantization));
  return {
    ...shape,
    /** Bytes of a row. */
    rowBytes: shape.width * 4,
    /** Null: every row is compared. */
    quantization,
    /**
     * Rows in the sample: copies of the first part of the code and of the class, as of the last quantization of all
     * rows.
     */
    sampled: 0,
    sampleCapacity: sampledOf(shape),
    run,
    /** Start of each part, for the kernel. */
    at: Object.fromEntries(Object.entries(parts).map(([name, { at }]) => [name, at])) as Record<
      keyof typeof parts,
      number
    >,
    vectors: floats(parts.vectors),
    /** Factor of a row before it is compared: 1 over its length, or 1 under `euclidean`. */
    scales: floats(parts.scales),
    query: floats(parts.query),
    places: integers(parts.places),
    picked: integers(parts.picked),
    /** Proximity of rows to the query: higher is nearer, NaN if the row is removed. */
    compared: floats(parts.compared),
    /** Distance from the mean for each class. */
    radii: floats(parts.radii),
    classOf: bytes(parts.classOf),
    limits: halves(parts.limits),
    /** The first parts of all codes, once more. */
    firsts: bytes(parts.first),
    sampleFirsts: bytes(parts.sampleFirst),
    sampleClassOf: bytes(parts.sampleClassOf),
    mean: floats(parts.mean),
    signs: floats(parts.signs),
    binOf: halves(parts.binOf),
    histogram: integers(parts.histogram),
    /** Vector that all rows are compared with during calibration, and the results. Searches go on meanwhile. */
    asked: floats(parts.asked),
    askedCompared: floats(parts.askedCompared),
    /** Positions whose rows have changed since the calibration began. Null if none is running. */
    changed: null as Set<number> | null,
  };
};

export type VectorMemory = ReturnType<typeof openVectorMemory>;

/** Rows of one step: about a millisecond of work. */
const stepRowsOf = ({ width }: VectorShape): number => Math.max(1, Math.floor(1_000_000 / width));

/** Processes all rows in steps and yields after each. */
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

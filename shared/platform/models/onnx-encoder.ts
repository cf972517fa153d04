import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { oneSpelling } from '../../kernel/text.ts';
import { lazy } from '../../kernel/memoize.ts';
import { unigramFile } from './assets.ts';
import { type EmbeddingConfig, FolderFault, readEmbeddingConfig } from './model-folder.ts';
import type { Embedding, TextUse } from './port.ts';
import { toUnit } from './project.ts';
import { openUnigram, type TextTokenizer } from './unigram-tokenizer.ts';

/** Sentence encoder of a model folder. */
export interface OnnxEncoder {
  readonly config: EmbeddingConfig;
  /**
   * Returns the vector of each text at the model's own size. It has unit length, or is all 0 for a text without tokens.
   * It does not depend on the other texts. Yields to the event loop after each window.
   */
  encode(texts: readonly string[], use: TextUse): Promise<Embedding>;
  /** Returns the vectors of the tokens of a text, with unit length. What is beyond the first window is left out. */
  encodeTokens(text: string, use: TextUse): Promise<readonly Float32Array[]>;
}

type TokenIds = readonly number[];

/** Runs of characters longer than this are cut: tokenizers for words read longer ones as one unknown token. */
const longRun = /\S{100}(?=\S)/gu;

/** Returns a text as tokenizers read it: in one spelling of each character, and without long runs. */
export const tokenizedForm = (text: string): string => oneSpelling(text).replaceAll(longRun, '$& ');

/** Returns the fault of a file that cannot be read or is of another kind. */
const unusable =
  (file: string) =>
  (error: unknown): never => {
    throw new FolderFault(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  };

export const readTokenizer = async (folder: string): Promise<Tokenizer> => {
  const description = JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')) as object;
  return new Tokenizer(description, {});
};

/** Opens a tokenizer of the package. Special tokens are those that it puts around any text. */
const openJsonTokenizer = async (folder: string): Promise<TextTokenizer> => {
  const tokenizer = await readTokenizer(folder).catch(unusable('tokenizer.json'));
  const idsOf = (text: string): TokenIds => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const [inner, framed] = [idsOf('a'), tokenizer.encode('a').ids];
  const at = framed.indexOf(inner[0] ?? -1);
  return {
    begin: framed.slice(0, at),
    end: framed.slice(at + inner.length),
    idsOf: (text) => idsOf(tokenizedForm(text)),
  };
};

const openTokenizer = async (folder: string, config: EmbeddingConfig) => {
  const unigram = join(folder, unigramFile);
  const { begin, end, idsOf } = existsSync(unigram)
    ? await openUnigram(unigram).catch(unusable(unigramFile))
    : await openJsonTokenizer(folder);
  const prefixes = { query: idsOf(config.query_prefix.trim()), document: idsOf(config.document_prefix.trim()) };
  const sizeOf = (use: TextUse): number => config.max_tokens - begin.length - prefixes[use].length - end.length;
  if (Math.min(sizeOf('query'), sizeOf('document')) < 1)
    throw new FolderFault('max_tokens leaves no room for a text beside its prefix');
  return {
    idsOf,
    /** Splits tokens into windows of nearly equal size that the model reads. */
    windowsOf: (ids: TokenIds, use: TextUse): readonly TokenIds[] => {
      const size = Math.ceil(ids.length / Math.ceil(ids.length / sizeOf(use)));
      const starts = Array.from({ length: ids.length === 0 ? 0 : Math.ceil(ids.length / size) }, (_, n) => n * size);
      return starts.map((start) => ids.slice(start, start + size));
    },
    frame: (window: TokenIds, use: TextUse): TokenIds => [...begin, ...prefixes[use], ...window, ...end],
    /** Returns the first tokens that the model reads at once, and the number of tokens before them in a frame. */
    headOf: (ids: TokenIds, use: TextUse) => ({
      head: ids.slice(0, sizeOf(use)),
      before: begin.length + prefixes[use].length,
    }),
  };
};

/** Values of the known inputs for one text of a number of tokens. */
const inputValues: Readonly<Record<string, (ids: BigInt64Array, types: BigInt64Array) => BigInt64Array>> = {
  input_ids: (ids) => ids,
  attention_mask: (ids) => new BigInt64Array(ids.length).fill(1n),
  token_type_ids: (_, types) => types,
};

/** Combines the vectors of all tokens (mean) or takes that of the first one (cls). */
const pool = (output: Tensor, tokens: number, { pooling, dimensions }: EmbeddingConfig): Float64Array => {
  if (!(output.data instanceof Float32Array) || output.data.length !== tokens * dimensions)
    throw new FolderFault(`model.onnx does not return ${dimensions} numbers for each token`);
  const sum = new Float64Array(dimensions);
  const rows = pooling === 'cls' ? 1 : tokens;
  for (let index = 0; index < rows * dimensions; index += 1)
    sum[index % dimensions] = (sum[index % dimensions] ?? 0) + (output.data[index] ?? 0);
  return toUnit(sum);
};

/**
 * Opens the graph of a model folder. Returns a function that runs it on the tokens of one text or pair.
 * @param outputs Names of its output by preference. Default: its first one.
 * @param threads By default one: the other processor is left to other functions.
 */
export const openGraph = async (folder: string, outputs: readonly string[], threads = 1) => {
  const { InferenceSession: Session, Tensor: Values } = await import('onnxruntime-node');
  // Nodes run one after another: the result is the same at every run.
  const options: InferenceSession.SessionOptions = { intraOpNumThreads: threads, interOpNumThreads: 1 };
  const session = await Session.create(join(folder, 'model.onnx'), options).catch(unusable('model.onnx'));
  const unknown = session.inputNames.find((name) => !Object.hasOwn(inputValues, name));
  if (unknown !== undefined) throw new FolderFault(`model.onnx has the input ${unknown}, which is not supported`);
  const names = [...outputs, session.outputNames[0] ?? ''];
  const output = names.find((name) => session.outputNames.includes(name)) ?? '';
  return async (ids: TokenIds, types?: TokenIds): Promise<Tensor> => {
    const values = BigInt64Array.from(ids, BigInt);
    const typeValues = types === undefined ? new BigInt64Array(ids.length) : BigInt64Array.from(types, BigInt);
    const inputs: Record<string, Tensor> = {};
    for (const name of session.inputNames)
      inputs[name] = new Values('int64', inputValues[name]?.(values, typeValues) ?? values, [1, ids.length]);
    const found = (await session.run(inputs, [output]))[output];
    if (found === undefined) throw new Error('the model returned no output');
    return found;
  };
};

/**
 * Loads the model of a folder: 0.2 s and 90 or 180 MB of memory for the embedded ones. Throws `FolderFault`.
 */
const openOnnxEncoder = async (folder: string): Promise<OnnxEncoder> => {
  const config = await readEmbeddingConfig(folder);
  const tokenizer = await openTokenizer(folder, config);
  const run = await openGraph(folder, ['last_hidden_state', 'token_embeddings']);
  const encodeText = async (text: string, use: TextUse) => {
    const ids = tokenizer.idsOf(text);
    const sum = new Float64Array(config.dimensions);
    // One window at a time: an int8 model scales each batch as a whole, so that texts would depend on their neighbours.
    for (const window of tokenizer.windowsOf(ids, use)) {
      const frame = tokenizer.frame(window, use);
      const vector = pool(await run(frame), frame.length, config);
      for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value * window.length;
      await nextTurn();
    }
    return { vector: Float32Array.from(toUnit(sum)), tokens: ids.length };
  };
  return {
    config,
    encode: async (texts, use) => {
      const vectors: Float32Array[] = [];
      let total = 0;
      for (const text of texts) {
        const { vector, tokens } = await encodeText(text, use);
        vectors.push(vector);
        total += tokens;
      }
      return { vectors, tokens: total };
    },
    encodeTokens: async (text, use) => {
      const { head, before } = tokenizer.headOf(tokenizer.idsOf(text), use);
      if (head.length === 0) return [];
      const frame = tokenizer.frame(head, use);
      const { data } = await run(frame);
      const { dimensions } = config;
      if (!(data instanceof Float32Array) || data.length !== frame.length * dimensions)
        throw new FolderFault(`model.onnx does not return ${dimensions} numbers for each token`);
      await nextTurn();
      return head.map((_, at) => {
        const from = (before + at) * dimensions;
        return Float32Array.from(toUnit(Float64Array.from(data.subarray(from, from + dimensions))));
      });
    },
  };
};

/**
 * Returns an encoder that is loaded at its first use. A failed load is tried again.
 * @param name The name that the model must have. A folder may have been changed since its name was configured.
 */
export const lazyOnnxEncoder = (folder: string, name?: string): Omit<OnnxEncoder, 'config'> => {
  const load = lazy(async () => {
    const encoder = await openOnnxEncoder(folder);
    if (name !== undefined && encoder.config.name !== name)
      throw new FolderFault(`it has the model ${encoder.config.name}, and ${name} is configured`);
    return encoder;
  });
  return {
    encode: async (texts, use) => (await load()).encode(texts, use),
    encodeTokens: async (text, use) => (await load()).encodeTokens(text, use),
  };
};

import { inParallel } from '../../kernel/in-parallel.ts';
import { type CallPolicy, createCaller, defaultCallPolicy } from './call-model.ts';
import type { Embedder, Embedding, TextUse } from './port.ts';
import { project, toUnit } from './project.ts';

/** Limits of one request to a model. */
export interface RequestLimits {
  readonly texts: number;
  /** Maximum tokens of all texts together. */
  readonly tokens: number;
  /**
   * Maximum UTF-8 bytes of one text, which are at least as many as its tokens.
   * A longer text is split into windows, whose vectors are averaged by length.
   */
  readonly textBytes: number;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
}

/** Embedding model behind requests. */
export interface RemoteModel {
  /** Name stored with an index. */
  readonly model: string;
  readonly limits: RequestLimits;
  /**
   * Sends one request. Returns one vector for each text, in order, all of one size; `dimensions` is the preferred size.
   * Throws `ModelFault`.
   */
  request(texts: readonly string[], dimensions: number, use: TextUse): Promise<Embedding>;
}

/** Overestimates the tokens of a text, so that a request is never too large. */
const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2);

const encoder = new TextEncoder();

const windowsOf = (text: string, bytes: number): readonly string[] => {
  const windows: string[] = [];
  const window = new Uint8Array(bytes);
  for (let at = 0; at < text.length;) {
    // `encodeInto` writes as many whole characters as fit.
    const { read } = encoder.encodeInto(text.slice(at, at + bytes), window);
    windows.push(text.slice(at, at + read).toWellFormed());
    at += read;
  }
  return windows;
};

const batchesOf = (texts: readonly string[], limits: RequestLimits): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  let tokens = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    const more = tokensOf(text);
    if (last === undefined || last.length >= limits.texts || tokens + more > limits.tokens) {
      batches.push([text]);
      tokens = more;
    } else {
      last.push(text);
      tokens += more;
    }
  }
  return batches;
};

const average = (parts: readonly { readonly vector: Float32Array; readonly weight: number }[]): Float64Array => {
  const sum = new Float64Array(parts[0]?.vector.length ?? 0);
  for (const { vector, weight } of parts) {
    for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value * weight;
  }
  return toUnit(sum);
};

/** Converts a model's vector to the dimensions of an index. A zero vector becomes the fixed one. */
const fit = (vector: Float64Array, dimensions: number): Float32Array => {
  const unit = toUnit(vector.length === dimensions ? vector : project(vector, dimensions));
  return unit.some((value) => value !== 0) ? Float32Array.from(unit) : fixed(dimensions);
};

const fixed = (dimensions: number): Float32Array => new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));

/** Creates the embedder of a remote model, with batches, windows, retries and projection to the size of the index. */
export const createRemoteEmbedder = (remote: RemoteModel, policy: CallPolicy = defaultCallPolicy): Embedder => {
  const call = createCaller(policy);
  const { model, limits } = remote;
  const read = async (windows: readonly string[], dimensions: number, use: TextUse) => {
    const batches = batchesOf(windows, limits);
    const answers = await inParallel(batches, limits.concurrency, (texts) =>
      call(() => remote.request(texts, dimensions, use)),
    );
    const vectors = answers.flatMap((answer) => answer.vectors);
    if (vectors.length !== windows.length)
      throw new Error(`${model} returned ${vectors.length} vectors for ${windows.length} texts`);
    const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
    return { known: new Map(windows.map((text, at) => [text, vectors[at] ?? new Float32Array()])), tokens };
  };
  return {
    model,
    embed: async (texts, dimensions, use = 'document') => {
      const windows = texts.map((text) => (text.trim() === '' ? [] : windowsOf(text, limits.textBytes)));
      const { known, tokens } = await read([...new Set(windows.flat())], dimensions, use);
      const vectors = windows.map((parts) => {
        if (parts.length === 0) return fixed(dimensions);
        const weighed = parts.map((text) => ({ vector: known.get(text) ?? new Float32Array(), weight: text.length }));
        return fit(average(weighed), dimensions);
      });
      return { vectors, tokens };
    },
  };
};

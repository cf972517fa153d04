import { hashWords } from './hash-words.ts';
import type { Embedder } from './port.ts';
import { rotate } from './rotate.ts';
import { encoderDimensions, loadSentenceEncoder, type SentenceEncoder } from './sentence-encoder.ts';

/** Name that indexes record; another way of making vectors needs another name. */
export const embeddedModel = 'embedded-use-v1';

const hashDimensions = 1024;
const nativeDimensions = encoderDimensions + hashDimensions;

const normalize = (vector: Float64Array): Float64Array => {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
};

/** Both parts at equal weight, side by side, as one unit vector. */
const join = (meaning: Float64Array, words: Float64Array): Float64Array => {
  const joined = new Float64Array(meaning.length + words.length);
  joined.set(normalize(meaning));
  joined.set(normalize(words), meaning.length);
  return normalize(joined);
};

/** Fewer than 512 numbers: half of them for the meaning, cut from its evenly spread form, half for the words. */
const compact = (meaning: Float64Array, text: string, dimensions: number): Float64Array => {
  const kept = Math.ceil(dimensions / 2);
  const spread = rotate(meaning, encoderDimensions).subarray(0, kept);
  return join(Float64Array.from(spread), dimensions > kept ? hashWords(text, dimensions - kept) : new Float64Array(0));
};

const toDimensions = (meaning: Float64Array, text: string, dimensions: number): Float64Array => {
  if (dimensions < encoderDimensions) return compact(meaning, text, dimensions);
  if (dimensions >= nativeDimensions) return rotate(join(meaning, hashWords(text, hashDimensions)), dimensions);
  return dimensions === encoderDimensions
    ? compact(meaning, text, dimensions)
    : join(meaning, hashWords(text, dimensions - encoderDimensions));
};

/** What stands for a text without any word: a direction of its own, because zero has none. */
const blank = (dimensions: number): Float32Array => {
  const vector = new Float32Array(dimensions);
  vector[0] = 1;
  return vector;
};

const embedOne = async (encoder: SentenceEncoder, text: string, dimensions: number): Promise<{ readonly vector: Float32Array; readonly tokens: number }> => {
  const tokens = text.trim() === '' ? [] : encoder.tokenize(text);
  const meaning = await encoder.encode(tokens);
  if (meaning === null) return { vector: blank(dimensions), tokens: 0 };
  const vector = Float32Array.from(toDimensions(meaning, text, dimensions));
  return { vector: vector.some((value) => value !== 0) ? vector : blank(dimensions), tokens: tokens.length };
};

/**
 * Embeds with a model that comes along with the project: Universal Sentence Encoder joined with hashed word stems. Needs
 * no account and no network; weaker than a cloud model, and its vectors cannot be compared with those of another.
 * @param options `assetsDirectory` holds the model's files as `node_modules` does.
 */
export const createEmbeddedEmbedder = (options: { readonly assetsDirectory: string }): Embedder => {
  let loading: Promise<SentenceEncoder> | null = null;
  return {
    model: embeddedModel,
    embed: async (texts, dimensions) => {
      loading ??= loadSentenceEncoder(options.assetsDirectory);
      const encoder = await loading;
      const vectors: Float32Array[] = [];
      let tokens = 0;
      for (const text of texts) {
        const embedded = await embedOne(encoder, text, dimensions);
        vectors.push(embedded.vector);
        tokens += embedded.tokens;
      }
      return { vectors, tokens };
    },
  };
};

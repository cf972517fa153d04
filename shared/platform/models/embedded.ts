import { LRUCache } from 'lru-cache';
import { maxDimensions } from '../../kernel/bounds.ts';
import { lazy } from '../../kernel/memoize.ts';
import { oneSpelling } from '../../kernel/text.ts';
import { hashStems, stemsOf, wordsOf } from './hash-stems.ts';
import { encoderDimensions, loadSentenceEncoder, type SentenceEncoder } from './load-sentence-encoder.ts';
import { embeddedModel } from './model-names.ts';
import type { Embedder } from './port.ts';
import { project, toUnit } from './project.ts';
import { encodeTexts, type TextEncoding } from './encode-texts.ts';

// A vector of up to this size is computed directly. A larger one is this one, projected into more dimensions.
const fullDimensions = 1_536;

// Encoding a query takes about 10 ms. Queries tend to repeat: next page, other filter, hybrid after dense.
const cachedTexts = 256;
const cachedCharacters = 400;

/**
 * Combines the sentence encoding (a third of the dimensions) with hashed words (the rest), at equal weight and unit
 * length.
 */
const compose = async (text: string, encoding: Float64Array, dimensions: number): Promise<Float32Array> => {
  const words = wordsOf(text);
  if (words.length === 0) return new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const size = Math.min(dimensions, fullDimensions);
  const encodingSize = Math.ceil(size / 3);
  const joined = new Float64Array(size);
  joined.set(encodingSize < encoderDimensions ? project(encoding, encodingSize) : encoding);
  if (encodingSize < size) joined.set(toUnit(hashStems(await stemsOf(words), size - encodingSize)), encodingSize);
  const vector = toUnit(joined);
  return Float32Array.from(dimensions > size ? project(vector, dimensions) : vector);
};

/** Creates an encoder that caches recent texts. Each distinct text of a call is encoded once. */
const createReader = (load: () => Promise<SentenceEncoder>) => {
  const cache = new LRUCache<string, TextEncoding>({ max: cachedTexts });
  return async (texts: readonly string[]): Promise<ReadonlyMap<string, TextEncoding>> => {
    const encodings = new Map<string, TextEncoding>();
    const unknown: string[] = [];
    for (const text of new Set(texts)) {
      const encoding = cache.get(text);
      if (encoding === undefined) unknown.push(text);
      else encodings.set(text, encoding);
    }
    const read = unknown.length === 0 ? [] : await encodeTexts(await load(), unknown);
    for (const [index, encoding] of read.entries()) encodings.set(unknown[index] ?? '', encoding);
    for (const [text, encoding] of encodings) if (text.length <= cachedCharacters) cache.set(text, encoding);
    return encodings;
  };
};

const checkDimensions = (dimensions: number): void => {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= maxDimensions) return;
  throw new RangeError(`A vector has 1 to ${maxDimensions} dimensions, not ${dimensions}`);
};

/**
 * Creates the embedder that runs inside the process: Universal Sentence Encoder combined with hashed word stems.
 * It understands English; texts in other languages match by words only. Its vectors cannot be compared with those of
 * other models.
 * The model is loaded once, on first use. Encoding yields to the event loop between batches.
 * @param options `assetsDirectory` contains `embeddingModelFiles`: `node_modules`, or the directory beside a bundle.
 */
export const createEmbeddedEmbedder = (options: { readonly assetsDirectory: string }): Embedder => {
  const read = createReader(lazy(() => loadSentenceEncoder(options.assetsDirectory)));
  return {
    model: embeddedModel,
    embed: async (texts, dimensions) => {
      checkDimensions(dimensions);
      // Both parts of a vector expect normalized spelling.
      const spelled = texts.map(oneSpelling);
      const encodings = await read(spelled);
      const vectors: Float32Array[] = [];
      let tokens = 0;
      for (const text of spelled) {
        const encoding = encodings.get(text);
        if (encoding === undefined) throw new Error('The encoder returned no vector for a text');
        vectors.push(await compose(text, encoding.vector, dimensions));
        tokens += encoding.tokens;
      }
      return { vectors, tokens };
    },
  };
};

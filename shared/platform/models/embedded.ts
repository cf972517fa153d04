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

// Up to here a vector is made of its own parts; a larger one is this one, turned into more dimensions.
const fullDimensions = 1_536;

// A question costs about 10 ms and tends to be asked again: next page, other filter, hybrid after dense.
const rememberedTexts = 256;
const rememberedChars = 400;

/** A third of the dimensions for the meaning, the rest for the words, both of equal weight; of unit length. */
const compose = async (text: string, meaning: Float64Array, dimensions: number): Promise<Float32Array> => {
  const words = wordsOf(text);
  if (words.length === 0) return new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const size = Math.min(dimensions, fullDimensions);
  const meaningSize = Math.ceil(size / 3);
  const joined = new Float64Array(size);
  joined.set(meaningSize < encoderDimensions ? project(meaning, meaningSize) : meaning);
  if (meaningSize < size) joined.set(toUnit(hashStems(await stemsOf(words), size - meaningSize)), meaningSize);
  const vector = toUnit(joined);
  return Float32Array.from(dimensions > size ? project(vector, dimensions) : vector);
};

/** Reads texts, those lately asked for from memory; each different text of a call once. */
const createReader = (load: () => Promise<SentenceEncoder>) => {
  const remembered = new LRUCache<string, TextEncoding>({ max: rememberedTexts });
  return async (texts: readonly string[]): Promise<ReadonlyMap<string, TextEncoding>> => {
    const meanings = new Map<string, TextEncoding>();
    const unknown: string[] = [];
    for (const text of new Set(texts)) {
      const meaning = remembered.get(text);
      if (meaning === undefined) unknown.push(text);
      else meanings.set(text, meaning);
    }
    const read = unknown.length === 0 ? [] : await encodeTexts(await load(), unknown);
    for (const [index, meaning] of read.entries()) meanings.set(unknown[index] ?? '', meaning);
    for (const [text, meaning] of meanings) if (text.length <= rememberedChars) remembered.set(text, meaning);
    return meanings;
  };
};

const checkDimensions = (dimensions: number): void => {
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= maxDimensions) return;
  throw new RangeError(`a vector has 1 to ${maxDimensions} dimensions, not ${dimensions}`);
};

/**
 * The model that runs inside the process, with no service anywhere: Universal Sentence Encoder beside hashed word stems.
 * English; other languages are found by their words alone. Its vectors compare with each other, not with those of any
 * other model. Loaded on first use, once; gives way to the event loop between batches.
 * @param options `assetsDirectory` holds the files of `embeddingModelFiles`: `node_modules`, or where they lie beside a
 * bundle.
 */
export const createEmbeddedEmbedder = (options: { readonly assetsDirectory: string }): Embedder => {
  const read = createReader(lazy(() => loadSentenceEncoder(options.assetsDirectory)));
  return {
    model: embeddedModel,
    embed: async (texts, dimensions) => {
      checkDimensions(dimensions);
      // Neither part of a vector knows any other spelling: of a word in one, both would say little.
      const spelled = texts.map(oneSpelling);
      const meanings = await read(spelled);
      const vectors: Float32Array[] = [];
      let tokens = 0;
      for (const text of spelled) {
        const meaning = meanings.get(text);
        if (meaning === undefined) throw new Error('the encoder left out a text');
        vectors.push(await compose(text, meaning.vector, dimensions));
        tokens += meaning.tokens;
      }
      return { vectors, tokens };
    },
  };
};

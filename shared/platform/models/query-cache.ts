import { LRUCache } from 'lru-cache';
import type { Embedder, Embedding } from './port.ts';

const maxQueries = 256;
const maxCharacters = 400;

/** Queries of a batch whose vectors are kept. */
const maxOfBatches = 1_024;

/**
 * Embeds queries in batches for searches that follow one by one: the vectors of a batch are kept, and a query that is among
 * them costs no tokens again.
 */
export const keepBatches = (embedder: Embedder): Embedder => {
  const kept = new LRUCache<string, Float32Array>({ max: maxOfBatches });
  return {
    model: embedder.model,
    embed: async (texts, dimensions, use) => {
      if (use !== 'query') return embedder.embed(texts, dimensions, use);
      const keyOf = (text: string): string => `${dimensions} ${text}`;
      const missing = [...new Set(texts)].filter((text) => !kept.has(keyOf(text)));
      const embedded = missing.length === 0 ? null : await embedder.embed(missing, dimensions, use);
      const fresh = new Map(missing.map((text, at) => [text, embedded?.vectors[at]]));
      for (const [text, vector] of fresh) if (vector !== undefined) kept.set(keyOf(text), vector);
      const vectors = texts.flatMap((text) => fresh.get(text) ?? kept.get(keyOf(text)) ?? []);
      return { vectors, tokens: embedded?.tokens ?? 0 };
    },
  };
};

/** Keeps the vectors of recent queries, which tend to repeat: next page, other filter, hybrid after dense. */
export const cacheQueries = (embedder: Embedder): Embedder => {
  const recent = new LRUCache<string, Embedding>({ max: maxQueries });
  return {
    model: embedder.model,
    embed: async (texts, dimensions, use) => {
      const [text = ''] = texts;
      if (use !== 'query' || texts.length !== 1 || text.length > maxCharacters)
        return embedder.embed(texts, dimensions, use);
      const key = `${dimensions} ${text}`;
      const known = recent.get(key);
      if (known !== undefined) return known;
      const embedding = await embedder.embed(texts, dimensions, use);
      recent.set(key, embedding);
      return embedding;
    },
  };
};

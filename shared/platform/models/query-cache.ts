import { LRUCache } from 'lru-cache';
import type { Embedder, Embedding } from './port.ts';

const maxQueries = 256;
const maxCharacters = 400;

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

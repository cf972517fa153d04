import type { Embedder } from '../../shared/platform/models/port.ts';

export const letterDimensions = 8;

/** Vectors by the letters of a text, for tests that don't look at what a model says. */
export const letterEmbedder: Embedder = {
  model: 'embedded-minilm-l6-v2',
  embed: (texts) =>
    Promise.resolve({
      vectors: texts.map((text) =>
        Float32Array.from({ length: letterDimensions }, (_, at) => 1 + (text.charCodeAt(at % text.length) % 7)),
      ),
      tokens: texts.length,
    }),
};

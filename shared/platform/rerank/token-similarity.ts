import type { OnnxEncoder } from '../models/onnx-encoder.ts';
import type { ScoreTexts } from './cross-encoder.ts';

const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/** Returns the mean, over the tokens of a query, of the best cosine with a token of a text. */
const maxSimilarity = (query: readonly Float32Array[], text: readonly Float32Array[]): number => {
  if (query.length === 0 || text.length === 0) return -1;
  const best = query.map((token) => text.reduce((most, other) => Math.max(most, dot(token, other)), -1));
  return best.reduce((sum, similarity) => sum + similarity, 0) / best.length;
};

/** Scores texts by late interaction (MaxSim) over the token vectors of a sentence encoder, scaled from -1…1 to 0…1. */
export const tokenSimilarityOf =
  ({ encodeTokens }: Pick<OnnxEncoder, 'encodeTokens'>): ScoreTexts =>
  async (query, texts, isOver) => {
    const tokens = await encodeTokens(query, 'query');
    const scores: number[] = [];
    for (const text of texts) {
      if (isOver()) throw new Error('the time of the request is over');
      scores.push((1 + maxSimilarity(tokens, await encodeTokens(text, 'document'))) / 2);
    }
    return { scores, units: texts.length };
  };

import { setImmediate as nextTurn } from 'node:timers/promises';
import { encoderDimensions, windowTokens, type SentenceEncoder } from './load-sentence-encoder.ts';
import { toUnit } from './project.ts';

/** What the sentence encoder says of a text. */
export interface Meaning {
  /** Unit length, `encoderDimensions` numbers; all 0 for a text without tokens. */
  readonly vector: Float64Array;
  readonly tokens: number;
}

type Tokens = readonly number[];

// Four windows at once are a tenth faster than four calls and hold the event loop for a quarter of a second.
const batchWindows = 4;

const createTokenizer = (encoder: SentenceEncoder): ((text: string) => readonly Tokens[]) => {
  const known = new Map<string, Tokens>();
  const tokenizeWord = (word: string): Tokens => {
    const tokens = known.get(word) ?? encoder.tokenize(word);
    known.set(word, tokens);
    return tokens;
  };
  // The pieces of a word never reach into the next one, and their number grows with the square of the length.
  return (text) => (text.normalize('NFKC').match(/\S{1,100}/gu) ?? []).map(tokenizeWord);
};

/** Windows of nearly equal size, cut between words. */
const cutWindows = (words: readonly Tokens[]): readonly Tokens[] => {
  const total = words.reduce((sum, word) => sum + word.length, 0);
  const goal = Math.min(windowTokens, Math.ceil(total / Math.ceil(total / windowTokens)) + 4);
  const windows: number[][] = [];
  let window: number[] = [];
  for (const word of words) {
    if (window.length > 0 && window.length + word.length > goal) {
      windows.push(window);
      window = [];
    }
    window.push(...word);
  }
  return window.length > 0 ? [...windows, window] : windows;
};

/**
 * Encodes texts of any length: in windows as long as the model can see, averaged by their number of tokens. Gives way to
 * the event loop after each batch.
 */
export const readMeanings = async (encoder: SentenceEncoder, texts: readonly string[]): Promise<readonly Meaning[]> => {
  const tokenize = createTokenizer(encoder);
  const sums = texts.map(() => ({ vector: new Float64Array(encoderDimensions), tokens: 0 }));
  const work = sums.flatMap((sum, index) => cutWindows(tokenize(texts[index] ?? '')).map((window) => ({ sum, window })));
  for (let first = 0; first < work.length; first += batchWindows) {
    const batch = work.slice(first, first + batchWindows);
    const vectors = await encoder.encode(batch.map(({ window }) => window));
    for (const [row, { sum, window }] of batch.entries()) {
      const vector = vectors[row];
      sum.tokens += window.length;
      sum.vector = sum.vector.map((value, index) => value + (vector?.[index] ?? 0) * window.length);
    }
    await nextTurn();
  }
  return sums.map(({ vector, tokens }) => ({ vector: toUnit(vector), tokens }));
};

import { setImmediate as nextTurn } from 'node:timers/promises';
import { encoderDimensions, windowTokens, type SentenceEncoder } from './load-sentence-encoder.ts';
import { toUnit } from './project.ts';

/** Encoding of a text by the sentence encoder. */
export interface TextEncoding {
  /** Unit length, `encoderDimensions` numbers; all 0 for a text without tokens. */
  readonly vector: Float64Array;
  readonly tokens: number;
}

type Tokens = readonly number[];

const createTokenizer = (encoder: SentenceEncoder): ((text: string) => readonly Tokens[]) => {
  const known = new Map<string, Tokens>();
  const tokenizeWord = (word: string): Tokens => {
    const tokens = known.get(word) ?? encoder.tokenize(word);
    known.set(word, tokens);
    return tokens;
  };
  // Word pieces never span words, and tokenizing time grows with the square of the length.
  return (text) => (text.normalize('NFKC').match(/\S{1,100}/gu) ?? []).map(tokenizeWord);
};

/** Splits words into windows of nearly equal size. */
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
 * Encodes a text of any length: the average of its windows, weighted by tokens. Yields to the event loop after each
 * window.
 */
const encodeText = async (encoder: SentenceEncoder, words: readonly Tokens[]): Promise<TextEncoding> => {
  const sum = new Float64Array(encoderDimensions);
  for (const window of cutWindows(words)) {
    const vector = await encoder.encode(window);
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value * window.length;
    await nextTurn();
  }
  return { vector: toUnit(sum), tokens: words.reduce((total, word) => total + word.length, 0) };
};

/** Encodes texts, in order. */
export const encodeTexts = async (
  encoder: SentenceEncoder,
  texts: readonly string[],
): Promise<readonly TextEncoding[]> => {
  const tokenize = createTokenizer(encoder);
  const encodings: TextEncoding[] = [];
  for (const text of texts) encodings.push(await encodeText(encoder, tokenize(text)));
  return encodings;
};

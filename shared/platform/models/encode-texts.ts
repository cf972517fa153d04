import { setImmediate as nextTurn } from 'node:timers/promises';
import { encoderDimensions, windowTokens, type SentenceEncoder } from './load-sentence-encoder.ts';
import { toUnit } from './project.ts';

/** What the sentence encoder says of a text. */
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
 * What a text of any length says: its windows, each as long as the model can see, averaged by their number of tokens.
 * Gives way to the event loop after each window.
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

/** What each of some texts says, in order. */
export const encodeTexts = async (
  encoder: SentenceEncoder,
  texts: readonly string[],
): Promise<readonly TextEncoding[]> => {
  const tokenize = createTokenizer(encoder);
  const meanings: TextEncoding[] = [];
  for (const text of texts) meanings.push(await encodeText(encoder, tokenize(text)));
  return meanings;
};

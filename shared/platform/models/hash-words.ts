import stem from 'wink-porter2-stemmer';

const stopWords = new Set(
  'a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its may more most no not of on or our s she should so some such t than that the their them then there these they this those to was we were what when where which while who whom why will with would you your'
    .split(' ')
    .map((word) => stem(word)),
);

/** FNV-1a over UTF-16 code units with the finalizer of MurmurHash3, both public domain; 32 bits. */
const hash = (text: string): number => {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
};

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Stems of the words of a text without stop words, in order; words of other scripts stay as they are. */
const stems = (text: string): readonly string[] =>
  [...words.segment(text.normalize('NFKC').toLowerCase())]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment }) => (/^[a-z']+$/.test(segment) ? stem(segment.replace(/'s$/, '')) : segment))
    .filter((word) => !stopWords.has(word));

/** The words of a text as a vector: each stem adds the root of its count, with a sign, at the place of its hash. */
export const hashWords = (text: string, dimensions: number): Float64Array => {
  const counts = new Map<string, number>();
  for (const word of stems(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const vector = new Float64Array(dimensions);
  for (const [word, count] of counts) {
    const place = hash(word);
    const at = place % dimensions;
    vector[at] = (vector[at] ?? 0) + (place >>> 31 === 0 ? 1 : -1) * Math.sqrt(count);
  }
  return vector;
};

/** Finds borders between the characters that a reader sees, so that no accent or emoji is torn apart. */
export type Graphemes = Intl.Segments;

/** The graphemes of a text. */
export const graphemesOf = (text: string): Graphemes =>
  new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);

/** Whether a cut at `index` leaves every grapheme whole. */
export const isBorder = (graphemes: Graphemes, index: number): boolean => {
  const grapheme = graphemes.containing(index);
  return grapheme === undefined || grapheme.index === index;
};

const lastAfter = (pattern: RegExp, text: string, from: number, to: number): number[] =>
  [...text.slice(from, to).matchAll(pattern)].map((match) => from + match.index + match[0].length);

/**
 * Where to cut a text that must be cut between `from` and `from + maxChars`: after a line, else after a word, both in the
 * second half, else between graphemes. A single grapheme beyond `maxChars` is cut between code points.
 */
const findCut = (text: string, graphemes: Graphemes, from: number, maxChars: number): number => {
  const limit = from + maxChars;
  const half = from + Math.ceil(maxChars / 2);
  for (const pattern of [/\n/g, /\s/g]) {
    const cut = lastAfter(pattern, text, half, limit).findLast((index) => isBorder(graphemes, index));
    if (cut !== undefined) return cut;
  }
  const border = graphemes.containing(limit)?.index ?? limit;
  if (border > from) return border;
  const insidePair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(limit));
  return insidePair && maxChars > 1 ? limit - 1 : limit;
};

/** Positions, in order, at which `text` from `start` to `end` is to be cut so that no piece exceeds `maxChars`. */
export const cutsOf = (
  text: string,
  graphemes: Graphemes,
  range: { start: number; end: number },
  maxChars: number,
): readonly number[] => {
  const cuts: number[] = [];
  let from = range.start;
  while (range.end - from > maxChars) {
    from = findCut(text, graphemes, from, maxChars);
    cuts.push(from);
  }
  return cuts;
};

/** Pieces of at most `maxChars` UTF-16 code units that make up `text`; `[text]` where it is short enough. */
export const splitLongText = (text: string, maxChars: number): readonly string[] => {
  if (text.length <= maxChars) return [text];
  const cuts = cutsOf(text, graphemesOf(text), { start: 0, end: text.length }, maxChars);
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index]));
};

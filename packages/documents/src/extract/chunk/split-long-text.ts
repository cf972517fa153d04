import { sentenceEnds } from './sentence-ends.ts';

/** Finds the borders of grapheme clusters, so that no accent or emoji is split. */
export type Graphemes = Intl.Segments;

export const graphemesOf = (text: string): Graphemes =>
  new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);

/** Whether a cut at `index` leaves every grapheme whole. */
export const isBorder = (graphemes: Graphemes, index: number): boolean => {
  const grapheme = graphemes.containing(index);
  return grapheme === undefined || grapheme.index === index;
};

/** Positions, in order, after which a segment of text may be cut. */
type EndsIn = (segment: string) => readonly number[];

const after =
  (pattern: RegExp): EndsIn =>
  (segment) =>
    Array.from(segment.matchAll(pattern), (match) => match.index + match[0].length);

const lineEnds = after(/\n/g);
const wordEnds = after(/\s/g);

// The end of the segment need not be the end of a sentence.
const endsOfSentences: EndsIn = (segment) => Array.from(sentenceEnds(segment), ({ at }) => at).slice(0, -1);

// A table row or list item may consist of several sentences.
const endsOfRows: EndsIn = (segment) => endsOfSentences(segment).filter((end) => segment.charAt(end - 1) === '\n');

/**
 * Finds where to cut a text between `from` and `from + maxChars`. In the second half it takes the last end of the first
 * kind that occurs; else it cuts between graphemes. A single grapheme beyond `maxChars` is cut between code points.
 */
const findCut = (
  text: string,
  graphemes: Graphemes,
  from: number,
  maxChars: number,
  kinds: readonly EndsIn[],
): number => {
  const limit = from + maxChars;
  const half = from + Math.ceil(maxChars / 2);
  const segment = text.slice(half, limit);
  for (const endsIn of kinds) {
    const cut = endsIn(segment).findLast((end) => isBorder(graphemes, half + end));
    if (cut !== undefined) return half + cut;
  }
  const border = graphemes.containing(limit)?.index ?? limit;
  if (border > from) return border;
  const insidePair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(limit));
  return insidePair && maxChars > 1 ? limit - 1 : limit;
};

interface Segment {
  readonly start: number;
  readonly end: number;
}

const cutsAt = (
  text: string,
  graphemes: Graphemes,
  { start, end }: Segment,
  maxChars: number,
  kinds: readonly EndsIn[],
): readonly number[] => {
  const cuts: number[] = [];
  let from = start;
  while (end - from > maxChars) {
    from = findCut(text, graphemes, from, maxChars, kinds);
    cuts.push(from);
  }
  return cuts;
};

/**
 * Positions, in order, at which a sentence of `text`, from `start` to `end`, is cut so that no piece exceeds
 * `maxChars`: after a line, else after a word, else between graphemes.
 */
export const cutsOf = (text: string, graphemes: Graphemes, sentence: Segment, maxChars: number): readonly number[] =>
  cutsAt(text, graphemes, sentence, maxChars, [lineEnds, wordEnds]);

/**
 * Splits `text` into pieces of at most `maxChars` UTF-16 code units. A piece ends after a line that ends a sentence,
 * else after a sentence, a line or a word. Returns `[text]` if it is short enough.
 */
export const splitLongText = (text: string, maxChars: number): readonly string[] => {
  if (text.length <= maxChars) return [text];
  const whole = { start: 0, end: text.length };
  const cuts = cutsAt(text, graphemesOf(text), whole, maxChars, [endsOfRows, endsOfSentences, lineEnds, wordEnds]);
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index]));
};

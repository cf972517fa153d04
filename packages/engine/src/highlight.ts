import { analysisOf, commonWordsOf, type TextAnalysis } from './lance/text-analysis.ts';
import { parseText } from './parse-text.ts';
import type { IndexRef } from './port.ts';
import { analysedText } from './searched-text.ts';
import { rulesOf, type TextRules } from './text-language.ts';
import { tokenizeAll } from './tokenizer.ts';
import { wordsInside } from './words-inside.ts';

/** Part of a text with its matches. Positions are those in the whole text, in code points. */
export interface Highlight {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface HighlightOptions {
  /** Maximum parts of a text. */
  readonly fragments: number;
  /** Maximum code points of a part. */
  readonly maxChars: number;
}

/** A term at its position among those of a text. */
interface Term {
  readonly term: string;
  readonly position: number;
}

/** Terms and phrases that a query looks for. */
interface Wanted {
  readonly analysis: TextAnalysis;
  readonly terms: ReadonlySet<string>;
  readonly phrases: readonly (readonly Term[])[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A match in a text. Equal keys are of the same word or phrase. */
interface Match extends Span {
  readonly key: string;
}

/** Returns the terms of texts, each with positions relative to each other. */
const termsOfAll = (texts: readonly string[], analysis: TextAnalysis): readonly (readonly Term[])[] =>
  // What divides two texts takes a position.
  tokenizeAll(texts, analysis).map((tokens, at) =>
    tokens.map(({ text, position }) => ({ term: text, position: position - at })),
  );

const termsOf = (text: string, analysis: TextAnalysis): readonly Term[] => termsOfAll([text], analysis)[0] ?? [];

const wantedOf = (text: string, rules: TextRules): Wanted => {
  const { scored, loose, required } = parseText(text, rules);
  const analysis = analysisOf(rules);
  const phrases = required.map((phrase) => termsOf(phrase, analysis)).filter(({ length }) => length > 0);
  const termsIn = (words: string, by: TextAnalysis): ReadonlySet<string> =>
    new Set(termsOf(words, by).map(({ term }) => term));
  const terms = termsIn(loose, analysis);
  if (terms.size > 0 || phrases.length > 0) return { analysis, terms, phrases };
  // Stop words are searched only if a text has no other words.
  const complete = { ...analysis, removeStopWords: false };
  return { analysis: complete, terms: termsIn(commonWordsOf(analysis, scored).join(' '), complete), phrases };
};

const wordSegments = new Intl.Segmenter('und', { granularity: 'word' });
const printed = /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/su;

/** Span of a piece of text without the punctuation around it. */
const coreOf = (piece: string, start: number): Span => {
  const found = printed.exec(piece);
  const from = start + (found?.index ?? 0);
  return { start: from, end: from + (found?.[0].length ?? piece.length) };
};

/** Returns the spans of the terms of a word-like piece: those of a word that has several are looked for in it. */
const spansWithin = (piece: string, start: number, terms: readonly Term[]): readonly Span[] => {
  if (terms.length <= 1) return terms.map(() => coreOf(piece, start));
  const lower = piece.toLowerCase();
  let from = 0;
  return terms.map(({ term }) => {
    const at = lower.length === piece.length ? lower.indexOf(term, from) : -1;
    if (at === -1) return coreOf(piece, start);
    from = at + 1;
    return { start: start + at, end: start + at + term.length };
  });
};

/** A piece of a text without white space, in the text and as it is analysed. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly analysed: string;
  readonly terms: readonly Term[];
}

const piecesOf = (text: string, rules: TextRules, analysis: TextAnalysis): readonly Piece[] => {
  const found = [...text.matchAll(/\S+/gu)].map((match) => ({ text: match[0], start: match.index }));
  const analysed = found.map((piece) => analysedText(piece.text, rules));
  const terms = termsOfAll(analysed, analysis);
  return found.map((piece, at) => ({ ...piece, analysed: analysed[at] ?? '', terms: terms[at] ?? [] }));
};

/** Returns the spans of the terms of a piece. */
const spansOf = ({ text, start, terms }: Piece, rules: TextRules, analysis: TextAnalysis): readonly Span[] => {
  const words = [...wordSegments.segment(text)].filter(({ isWordLike }) => isWordLike === true);
  const found = termsOfAll(
    words.map(({ segment }) => analysedText(segment, rules)),
    analysis,
  );
  const flat = found.flat();
  const areSame = flat.length === terms.length && flat.every(({ term }, at) => term === terms[at]?.term);
  return areSame
    ? words.flatMap(({ segment, index }, at) => spansWithin(segment, start + index, found[at] ?? []))
    : spansWithin(text, start, terms);
};

/** Returns where a phrase occurs among terms: the indexes of its first and its last term. */
const occurrencesOf = (phrase: readonly Term[], terms: readonly Term[]): readonly (readonly [number, number])[] => {
  const [first] = phrase;
  if (first === undefined) return [];
  const at = new Map(terms.map(({ term, position }, index) => [`${position} ${term}`, index]));
  return terms.flatMap(({ term, position }, index) => {
    if (term !== first.term) return [];
    const found = phrase.map((one) => at.get(`${position + one.position - first.position} ${one.term}`));
    const last = found.at(-1);
    return last === undefined || found.includes(undefined) ? [] : [[index, last] as const];
  });
};

/** Returns matches of the words inside the words of a piece, which are searched too. */
const innerMatches = (piece: Piece, { analysis, terms, phrases }: Wanted, rules: TextRules): readonly Match[] => {
  const parts = wordsInside(piece.analysed, rules, 'text');
  const lower = piece.text.toLowerCase();
  return termsOfAll(parts, analysis).flatMap((inner, at) => {
    const words = (parts[at] ?? '').split(' ');
    const ofPhrases = phrases
      .filter((phrase) => occurrencesOf(phrase, inner).length > 0)
      .map((phrase) => ({ ...coreOf(piece.text, piece.start), key: phrase.map(({ term }) => term).join(' ') }));
    const ofTerms = words.flatMap((word) =>
      termsOf(word, analysis)
        .filter(({ term }) => terms.has(term))
        .map(({ term }) => {
          const from = lower.length === piece.text.length ? lower.indexOf(word.toLowerCase()) : -1;
          const span =
            from === -1
              ? coreOf(piece.text, piece.start)
              : { start: piece.start + from, end: piece.start + from + word.length };
          return { ...span, key: term };
        }),
    );
    return [...ofPhrases, ...ofTerms];
  });
};

const matchesIn = (text: string, wanted: Wanted, rules: TextRules): readonly Match[] => {
  const { analysis, terms, phrases } = wanted;
  const pieces = piecesOf(text, rules, analysis);
  const flat = pieces.flatMap((piece) => piece.terms.map((term, index) => ({ ...term, piece, index })));
  const spans = new Map<Piece, readonly Span[]>();
  const spanOf = ({ piece, index }: { readonly piece: Piece; readonly index: number }): Span => {
    const known = spans.get(piece) ?? spansOf(piece, rules, analysis);
    spans.set(piece, known);
    return known[index] ?? coreOf(piece.text, piece.start);
  };
  const ofTerms = flat.filter(({ term }) => terms.has(term)).map((one) => ({ ...spanOf(one), key: one.term }));
  const ofPhrases = phrases.flatMap((phrase) =>
    occurrencesOf(phrase, flat).flatMap(([first, last]): readonly Match[] => {
      const [from, to] = [flat[first], flat[last]];
      if (from === undefined || to === undefined) return [];
      return [{ start: spanOf(from).start, end: spanOf(to).end, key: phrase.map(({ term }) => term).join(' ') }];
    }),
  );
  return [...ofTerms, ...ofPhrases, ...pieces.flatMap((piece) => innerMatches(piece, wanted, rules))];
};

/** Joins matches that overlap. The longest gives the key. */
const joined = (matches: readonly Match[]): readonly Match[] => {
  const all: Match[] = [];
  for (const match of matches.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = all.at(-1);
    if (last !== undefined && match.start < last.end)
      all[all.length - 1] = { ...last, end: Math.max(last.end, match.end) };
    else all.push(match);
  }
  return all;
};

/** Chooses the parts with the most different matches, without what is around them. */
const chooseWindows = (matches: readonly Match[], { fragments, maxChars }: HighlightOptions): readonly Span[] => {
  const windows: Span[] = [];
  let left = matches;
  while (windows.length < fragments && left.length > 0) {
    const candidates = left.map((first, at) => {
      const { start } = first;
      const within = left.slice(at).filter(({ end }, offset) => offset === 0 || end <= start + maxChars);
      const end = Math.min(start + maxChars, within.at(-1)?.end ?? start);
      const isFree = windows.every((window) => end <= window.start || start >= window.end);
      return { start, end, score: isFree ? new Set(within.map(({ key }) => key)).size + within.length / 1_000 : 0 };
    });
    const best = candidates.reduce((one, other) => (other.score > one.score ? other : one));
    if (best.score === 0) break;
    windows.push(best);
    left = left.filter(({ start, end }) => end <= best.start || start >= best.end);
  }
  return windows.toSorted((one, other) => one.start - other.start);
};

// Characters by which a part becomes shorter so that it ends between two words.
const maxTrim = 30;

/** Returns parts with text around them, up to the maximum, that begin and end between words if possible. */
const widened = (windows: readonly Span[], points: readonly string[], maxChars: number): readonly Span[] => {
  const isSpace = (at: number): boolean => (points[at] ?? ' ').trim() === '';
  let before = 0;
  return windows.map(({ start, end }, index) => {
    const max = windows[index + 1]?.start ?? points.length;
    const room = maxChars - (end - start);
    const behind = Math.min(max - end, Math.max(room >> 1, room - (start - before)));
    let from = Math.max(before, start - (room - behind));
    let to = end + behind;
    const isWithin = (at: number): boolean => at > 0 && at < points.length && !isSpace(at - 1) && !isSpace(at);
    const firstSpace = points.slice(from, Math.min(start, from + maxTrim)).findIndex((point) => point.trim() === '');
    if (isWithin(from) && firstSpace !== -1) from += firstSpace;
    const tail = points.slice(Math.max(end, to - maxTrim), to);
    const lastSpace = tail.findLastIndex((point) => point.trim() === '');
    if (isWithin(to) && lastSpace !== -1) to -= tail.length - lastSpace;
    while (from < start && isSpace(from)) from += 1;
    while (to > end && isSpace(to - 1)) to -= 1;
    before = to;
    return { start: from, end: to };
  });
};

/**
 * Returns a function that finds what the text index matches of some queries in a text: words by their terms, also inside
 * words, and phrases as a whole. A text without a match has no highlights.
 */
export const openHighlighter = (
  ref: Pick<IndexRef, 'textLanguage'>,
  queries: readonly string[],
): ((text: string, options: HighlightOptions) => readonly Highlight[]) => {
  const rules = rulesOf(ref);
  const wanted = queries.map((query) => wantedOf(query, rules));
  return (text, options) => {
    const found = joined(wanted.flatMap((one) => matchesIn(text, one, rules)));
    if (found.length === 0) return [];
    const points = Array.from(text);
    const numbers = new Map<number, number>();
    let unit = 0;
    for (const [number, point] of points.entries()) {
      numbers.set(unit, number);
      unit += point.length;
    }
    numbers.set(unit, points.length);
    const matches = found.map(({ start, end, key }) => ({
      start: numbers.get(start) ?? 0,
      end: numbers.get(end) ?? points.length,
      key,
    }));
    return widened(chooseWindows(matches, options), points, options.maxChars).map(({ start, end }) => ({
      text: points.slice(start, end).join(''),
      start,
      end,
      marks: matches
        .filter((match) => match.end > start && match.start < end)
        .map((match) => [Math.max(start, match.start), Math.min(end, match.end)] as const),
    }));
  };
};

import type { Chunk, Mark, Place, Section, TableSpan } from '../port.ts';
import { joinHeadings } from './join-headings.ts';
import { regionsOf } from './regions.ts';
import { sentenceEnds, type SentenceEnd } from './sentence-ends.ts';
import { cutsOf, graphemesOf, isBorder, type Graphemes } from './split-long-text.ts';

/** Bounds of a chunk, in UTF-16 code units. */
export interface ChunkLimits {
  readonly maxChars: number;
  /** Characters of the previous chunk's end that a chunk may repeat; less than half of `maxChars`. */
  readonly overlapChars: number;
}

export const defaultChunkLimits: ChunkLimits = { maxChars: 1_200, overlapChars: 150 };

/**
 * Positions at which a chunk may end, at most `pieceChars` apart. The last is the text's end. A row of a table ends like
 * a paragraph.
 */
const findBreaks = (
  text: string,
  graphemes: Graphemes,
  pieceChars: number,
  tables: readonly TableSpan[],
): readonly SentenceEnd[] => {
  const breaks: SentenceEnd[] = [];
  const endsRow = (at: number): boolean =>
    text.charAt(at - 1) === '\n' && tables.some(({ rows, end }) => at > rows && at < end);
  for (const sentenceEnd of sentenceEnds(text)) {
    if (!isBorder(graphemes, sentenceEnd.at)) continue;
    const piece = { start: breaks.at(-1)?.at ?? 0, end: sentenceEnd.at };
    for (const cut of cutsOf(text, graphemes, piece, pieceChars)) breaks.push({ at: cut, endsParagraph: false });
    breaks.push(endsRow(sentenceEnd.at) ? { ...sentenceEnd, endsParagraph: true } : sentenceEnd);
  }
  return breaks;
};

/** Table whose head a chunk repeats that begins at a position. */
const tableAt = (tables: readonly TableSpan[], start: number): TableSpan | undefined =>
  tables.find((table) => (start >= table.rows || start > table.start) && start < table.end);

const repeatedChars = (table: Pick<TableSpan, 'head'> | undefined): number =>
  table === undefined ? 0 : table.head.length + 1;

interface Span {
  readonly start: number;
  readonly end: number;
}

const nearest = (breaks: readonly SentenceEnd[], goal: number): SentenceEnd | undefined =>
  breaks.reduce<SentenceEnd | undefined>(
    (best, next) => (best !== undefined && Math.abs(best.at - goal) <= Math.abs(next.at - goal) ? best : next),
    undefined,
  );

/**
 * Chooses the end of the chunk from `start`: the paragraph end, else the sentence end, that leaves chunks of even size.
 */
const chooseEnd = (
  candidates: readonly SentenceEnd[],
  start: number,
  textEnd: number,
  maxChars: number,
): SentenceEnd | undefined => {
  const goal = start + (textEnd - start) / Math.ceil((textEnd - start) / maxChars);
  const paragraphs = candidates.filter(({ endsParagraph }) => endsParagraph);
  const from = (minChars: number): readonly SentenceEnd[] => paragraphs.filter(({ at }) => at - start >= minChars);
  // A short chunk is better than one that ends within a row; a very short one is not.
  return nearest(from(maxChars / 2), goal) ?? nearest(from(maxChars * 0.35), goal) ?? nearest(candidates, goal);
};

const packSpans = (
  breaks: readonly SentenceEnd[],
  { maxChars, overlapChars }: ChunkLimits,
  tables: readonly TableSpan[],
): readonly Span[] => {
  const spans: Span[] = [];
  const breakAt = (index: number): number => breaks[index]?.at ?? Number.POSITIVE_INFINITY;
  const textEnd = breaks.at(-1)?.at ?? 0;
  let start = 0;
  let next = 0;
  while (next < breaks.length) {
    let beyond = next;
    const ownChars = maxChars - repeatedChars(tableAt(tables, start));
    while (breakAt(beyond) <= start + ownChars) beyond += 1;
    const end = chooseEnd(breaks.slice(next, beyond), start, textEnd, ownChars)?.at ?? textEnd;
    while (breakAt(next) <= end) next += 1;
    spans.push({ start, end });
    let overlap = next - 1;
    while (overlap > 0 && breakAt(overlap - 1) > start && breakAt(overlap - 1) >= end - overlapChars) overlap -= 1;
    start = breakAt(overlap);
  }
  return spans;
};

/** Trims white space at both ends, and never splits a grapheme. */
const trimSpan = (graphemes: Graphemes, span: Span): Span => {
  let { start, end } = span;
  const isSpace = (index: number): boolean => graphemes.containing(index)?.segment.trim() === '';
  while (start < end && isSpace(start)) start += graphemes.containing(start)?.segment.length ?? 1;
  while (end > start && isSpace(end - 1)) end -= graphemes.containing(end - 1)?.segment.length ?? 1;
  return { start, end };
};

/** Place of a span of text: the start of its first mark that has a place, and the end of the last such mark. */
const placeOf = (marks: readonly Mark[], { start, end }: Span): Place => {
  const open = marks.findLast(({ at }) => at <= start) ?? marks[0];
  const within = marks.filter((mark) => mark === open || (mark.at > start && mark.at < end));
  const isSomewhere = ({ first }: Mark): boolean => Object.keys(first).length > 0;
  return { ...within.find(isSomewhere)?.first, ...within.findLast(isSomewhere)?.last };
};

/** Whether a text has visible characters: more than white space, joiners and direction marks. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(text);

/** Text of a chunk: the head of the table in which it begins, then its part of the section. */
const chunkText = (text: string, tables: readonly TableSpan[], { start, end }: Span): string => {
  const table = tableAt(tables, start);
  if (table === undefined || end <= table.rows) return text.slice(start, end);
  return `${table.head}\n${text.slice(Math.max(start, table.rows), end)}`;
};

const chunkSection = (
  { marks = [], tables = [], textPlaces = [], ...section }: Section,
  limits: ChunkLimits,
): readonly Chunk[] => {
  const { text } = section;
  const graphemes = graphemesOf(text);
  const freeChars = limits.maxChars - limits.overlapChars;
  // A head that would take more than half of the space is not repeated.
  const repeated = tables.filter((table) => repeatedChars(table) * 2 <= freeChars);
  const pieceChars = freeChars - Math.max(0, ...repeated.map(repeatedChars));
  const breaks = findBreaks(text, graphemes, pieceChars, tables);
  return packSpans(breaks, limits, repeated)
    .map((span) => trimSpan(graphemes, span))
    .filter(({ start, end }) => isVisible(text.slice(start, end)))
    .map((span) => ({
      ...section,
      place: { ...section.place, ...placeOf(marks, span) },
      text: chunkText(text, repeated, span),
      ...(textPlaces.length > 0 && { regions: regionsOf(textPlaces, span) }),
      ...span,
    }));
};

/** A section as it is cut, with its chunks. */
export interface CutSection {
  readonly section: Section;
  readonly chunks: readonly Chunk[];
}

const requireLimits = ({ maxChars, overlapChars }: ChunkLimits): void => {
  if (!(maxChars >= 2 && overlapChars >= 0 && overlapChars * 2 < maxChars))
    throw new RangeError(`chunks of ${maxChars} characters can't overlap by ${overlapChars}`);
};

/** Cuts sections that were cut before, so that headings without text are part of others already. */
export const cutAgain = (sections: readonly Section[], limits: ChunkLimits): readonly CutSection[] => {
  requireLimits(limits);
  return sections.map((section) => ({ section, chunks: chunkSection(section, limits) }));
};

/** Cuts sections as `chunkSections` does, and returns each with its chunks. Some sections have none. */
export const cutSections = (
  sections: readonly Section[],
  limits: ChunkLimits = defaultChunkLimits,
): readonly CutSection[] => cutAgain(joinHeadings(sections), limits);

/**
 * Cuts sections into chunks for the index: at paragraphs first, then at sentences, then by size. A chunk spans no two
 * sections with text, so its heading path and pages are exact. Only invisible characters are dropped. Deterministic.
 * @returns Chunks in order. `section.text.slice(start, end)` is the chunk's text, which begins with the head of a table
 * if the chunk begins within its rows. Headings without text are part of the section after them.
 * @throws RangeError for invalid bounds.
 */
export const chunkSections = (
  sections: readonly Section[],
  limits: ChunkLimits = defaultChunkLimits,
): readonly Chunk[] => cutSections(sections, limits).flatMap(({ chunks }) => chunks);

import type { Block } from '../../cut-units.ts';
import { tableBlocks } from '../../table.ts';
import { countHeadRows } from '../../table-header.ts';
import { UnreadableFile, type Region, type TextPlace } from '../../port.ts';
import { LetterCount } from '../letter-count.ts';
import type { OpenPdf, PageContent } from '../open-pdf.ts';
import type { PageCharacter } from '../page-characters.ts';
import { layoutPage } from './layout-page.ts';
import { textOfLines } from './line-of.ts';
import type { LayoutBlock } from './paragraphs.ts';
import { findRunningLines, readEdges, type PageEdges, type RunningLine } from './running-heads.ts';
import type { TableBox } from './table-box.ts';
import { placesOfCells, placesOfLines, type Box, type PlacedBox } from './text-places.ts';

/** Paragraph or table of a page as text. */
export type PageBlock =
  | { readonly kind: 'table'; readonly table: TableBox; readonly turns: number; readonly parts: readonly Block[] }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly textPlaces: readonly TextPlace[];
      readonly lines: number;
      readonly size: number;
      readonly isBold: boolean;
      readonly isItalic: boolean;
      readonly font: string;
      readonly top: number;
    };

export type TextBlock = Extract<PageBlock, { readonly kind: 'text' }>;

/** Start of a page that ends the last sentence of the page before, with its places. */
export interface Continuation {
  readonly text: string;
  readonly textPlaces: readonly TextPlace[];
}

/** Text of a page in reading order, with what continues on other pages. */
export interface PageText {
  readonly blocks: readonly PageBlock[];
  /** Running heads and footers that no page before has. */
  readonly heads: readonly Block[];
  readonly footers: readonly Block[];
  /** Text of the next page that ends the last sentence of this one; empty if there is none. */
  readonly continuation: Continuation;
  /** All text of the page alone, with the part that is given with the page before. */
  readonly ownText: string;
  /** Whether `ownText` is reliable. */
  readonly isReliable: boolean;
  /** Letters that the page must show: its own without those of repeated lines, and with those that it takes over. */
  readonly letters: LetterCount;
}

/** Pages of a document, each considered together with its neighbours. */
export interface DocumentLayout {
  /** Throws `UnreadableFile` if the page can't be loaded. */
  content(number: number): PageContent;
  page(number: number): PageText;
}

/** Text blocks of a paragraph or table. */
export const toBlocks = (block: PageBlock): readonly Block[] =>
  block.kind === 'table' ? block.parts : [{ text: block.text, level: null, textPlaces: block.textPlaces }];

/** Page on which text is placed. */
interface Frame {
  readonly number: number;
  readonly width: number;
  readonly height: number;
}

/** Returns a box of text that was turned to be upright to its place on the page. */
const turnedBack = ({ left, top, right, bottom }: Box, turns: number, { width, height }: Frame): Box => {
  if (turns === 1) return { left: top, right: bottom, top: height - right, bottom: height - left };
  if (turns === 2) return { left: width - right, right: width - left, top: height - bottom, bottom: height - top };
  return turns === 3
    ? { left: width - bottom, right: width - top, top: left, bottom: right }
    : { left, top, right, bottom };
};

const share = (value: number): number => Math.max(0, Math.min(1, value));

const toRegion = (box: Box, turns: number, frame: Frame): Region => {
  const { left, top, right, bottom } = turnedBack(box, turns, frame);
  const { number: page, width, height } = frame;
  const [x, y] = [share(left / width), share(top / height)];
  return { page, left: x, top: y, width: share(right / width) - x, height: share(bottom / height) - y };
};

const toPlaces = (places: readonly PlacedBox[], turns: number, frame: Frame): readonly TextPlace[] =>
  places.map(({ at, ...box }) => ({ at, region: toRegion(box, turns, frame) }));

const tableOf = (table: TableBox, turns: number, frame: Frame): PageBlock => {
  const parts = tableBlocks(table);
  const places = placesOfCells(parts, table.rows, table.boxes);
  return {
    kind: 'table',
    table,
    turns,
    parts: parts.map((part, at) => ({ ...part, textPlaces: toPlaces(places[at] ?? [], turns, frame) })),
  };
};

const toPageBlocks = (block: LayoutBlock, frame: Frame): readonly PageBlock[] => {
  const { turns = 0 } = block;
  if (block.kind === 'table') return [tableOf(block, turns, frame)];
  const { lines, size, isBold, isItalic, font, top, box } = block;
  const text = textOfLines(lines);
  if (text === '') return [];
  const places = box === undefined ? placesOfLines(text, lines) : [{ at: 0, ...box }];
  const textPlaces = toPlaces(places, turns, frame);
  return [{ kind: 'text', text, textPlaces, lines: lines.length, size, isBold, isItalic, font, top }];
};

// Pages before and after the one that is read stay in memory.
const maxKept = 12;

/** Caches a function of page numbers, for the last pages only. */
const keepLast = <Result>(compute: (number: number) => Result): ((number: number) => Result) => {
  const kept = new Map<number, Result>();
  return (number) => {
    if (kept.has(number)) return kept.get(number) as Result;
    const result = compute(number);
    kept.set(number, result);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return result;
  };
};

interface Body extends Omit<PageText, 'continuation' | 'letters'> {
  /** Characters of the text. */
  readonly placed: readonly PageCharacter[];
}

const noFrame = { width: 1, height: 1 };

export const noContinuation: Continuation = { text: '', textPlaces: [] };

const noText: Body = {
  blocks: [],
  heads: [],
  footers: [],
  ownText: '',
  isReliable: false,
  placed: [],
};

const sentenceEnd = /[.!?:;…。！？][\])"'”’»›]*$/;
const firstSentence = /^[\s\S]*?[.!?…][\])"'”’»›]*(?=\s|$)/;

/** Part of a paragraph that ends the sentence before it: up to its first sentence end. Null if it has none. */
const restOfSentence = (text: string): string | null => {
  for (let from = 0; ;) {
    const match = firstSentence.exec(text.slice(from));
    if (match === null) return null;
    const end = from + match[0].length;
    // "approx. 5" goes on.
    if (!/^\s+[\p{Ll}\p{N}]/u.test(text.slice(end))) return text.slice(0, end);
    from = end;
  }
};

/**
 * Start of a page that ends the sentence of the page before. A paragraph without a sentence end is taken whole only if
 * others remain: the page might end within the same sentence, and could then not show what it takes from the next one.
 */
const takenFrom = (first: TextBlock, others: number): string =>
  restOfSentence(first.text) ?? (others > 0 ? first.text : '');

const isClose = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((x, index) => Math.abs(x - (other[index] ?? 0)) <= 12);

/**
 * Whether two tables have the same columns. The middle of a gutter moves where no wide head narrows it, so gutters need
 * only overlap if the second table has no head of its own.
 */
const haveSameColumns = (before: TableBox, next: TableBox): boolean => {
  if (isClose(before.columns, next.columns)) return true;
  const [first, second] = [before.gutters ?? [], next.gutters ?? []];
  return (
    first.length > 0 &&
    first.length === second.length &&
    Math.abs(before.left - next.left) <= 12 &&
    Math.abs(before.size - next.size) <= 0.05 * before.size &&
    first.every(({ left, right }, at) => left < (second[at]?.right ?? left) && right > (second[at]?.left ?? right)) &&
    countHeadRows(next.rows) === 0
  );
};

/** Whether the last paragraph of a page goes on with the first of the next one. */
const goesOn = (last: PageBlock | undefined, next: PageBlock | undefined): next is TextBlock =>
  last?.kind === 'text' &&
  next?.kind === 'text' &&
  !sentenceEnd.test(last.text) &&
  Math.abs(last.size - next.size) <= 0.05 * last.size &&
  last.isBold === next.isBold &&
  /[\p{L},\p{Pd})]$/u.test(last.text) &&
  /^\p{Ll}/u.test(next.text);

type IsReadable = (page: PageContent, text: string) => boolean;

/** Text of a page without its running lines. */
const bodyOf = (number: number, page: PageContent, running: readonly RunningLine[], isReadable: IsReadable): Body => {
  const { text, rules } = page;
  const frame = { number, width: text.width, height: text.height };
  const without = (lines: readonly RunningLine[]): readonly PageCharacter[] =>
    text.characters.filter(({ originY }) => !lines.some(({ baseline }) => Math.abs(originY - baseline) < 1));
  const rest = running.length === 0 ? text.characters : without(running);
  const isEmpty = rest.every((one) => one.isGenerated || one.text.trim() === '');
  const kept = running.filter(({ isRepeated }) => !isRepeated);
  const textsOf = (lines: readonly RunningLine[]): readonly string[] => lines.map((line) => line.text);
  // A page of nothing but a page number or a repeated head is empty.
  if (isEmpty && running.length > 0 && kept.length === 0)
    return { ...noText, isReliable: isReadable(page, textsOf(running).join('\n')) };
  const linesAt = (wanted: boolean): readonly Block[] =>
    kept
      .filter(({ isTop }) => !isEmpty && isTop === wanted)
      .map(({ text: line, box }) => ({
        text: line,
        level: null,
        textPlaces: [{ at: 0, region: toRegion(box, 0, frame) }],
      }));
  const [heads, footers] = [linesAt(true), linesAt(false).toReversed()];
  const placed = isEmpty ? without(running.filter(({ isRepeated }) => isRepeated)) : rest;
  const blocks = layoutPage({ ...text, characters: placed }, rules).flatMap((block) => toPageBlocks(block, frame));
  const ownText = [...heads, ...blocks.flatMap(toBlocks), ...footers].map((block) => block.text).join('\n\n');
  return { blocks, heads, footers, ownText, isReliable: isReadable(page, ownText), placed };
};

/** First block of a page without what ends the page before, and with the head of the table that it continues. */
const beginOf = (
  first: PageBlock,
  taken: string,
  head: readonly (readonly string[])[],
  frame: Frame,
): readonly PageBlock[] => {
  if (first.kind === 'table') {
    const { table } = first;
    if (head.length === 0) return [first];
    const rows = [...head, ...table.rows];
    return [
      tableOf(
        { ...table, rows, boxes: [...head.map(() => []), ...table.boxes], headRows: head.length },
        first.turns,
        frame,
      ),
    ];
  }
  const rest = first.text.slice(taken.length);
  const text = rest.trim();
  const skipped = taken.length + rest.length - rest.trimStart().length;
  // The line in which the rest begins has its place too.
  const from = first.textPlaces.findLast(({ at }) => at <= skipped)?.at ?? 0;
  const textPlaces = first.textPlaces
    .filter(({ at }) => at >= from)
    .map((place) => ({ ...place, at: Math.max(0, place.at - skipped) }));
  return text === '' ? [] : [{ ...first, text, textPlaces }];
};

/** Opens the layout of a document. @param isReadable Whether the text of a page is reliable. */
// oxlint-disable-next-line max-lines-per-function -- its caches refer to each other
export const openLayout = (pdf: OpenPdf, isReadable: IsReadable): DocumentLayout => {
  const content = keepLast((number) => pdf.readPage(number));
  /** Content of a neighbour: null beyond the ends of the document or if it is damaged. */
  const neighbour = (number: number): PageContent | null => {
    if (number < 1 || number > pdf.pages) return null;
    try {
      return content(number);
    } catch (error) {
      if (error instanceof UnreadableFile) return null;
      throw error;
    }
  };
  const edges = keepLast((number): PageEdges | null => {
    const page = neighbour(number);
    return page === null ? null : readEdges(page.text);
  });
  const runningLines = (number: number): readonly RunningLine[] =>
    pdf.pages < 2 ? [] : findRunningLines(number, (offset) => edges(number + offset));
  const body = keepLast((number): Body => {
    const page = neighbour(number);
    if (page === null || page.text.characters.length === 0) return noText;
    return bodyOf(number, page, runningLines(number), isReadable);
  });
  /** Start of the next page's text that ends the last sentence of a page. */
  const continuation = keepLast((number): Continuation => {
    const page = body(number);
    if (!page.isReliable || number >= pdf.pages) return noContinuation;
    const next = body(number + 1);
    const [first, ...others] = next.blocks;
    if (!next.isReliable || !goesOn(page.blocks.at(-1), first)) return noContinuation;
    const text = takenFrom(first, others.length);
    return { text, textPlaces: first.textPlaces.filter(({ at }) => at < text.length) };
  });
  const headOf = (number: number, depth: number): readonly (readonly string[])[] => {
    const last = body(number).blocks.at(-1);
    if (last?.kind !== 'table') return [];
    const count = last.table.headRows ?? countHeadRows(last.table.rows);
    const isWhole = body(number).blocks.length === 1;
    const inherited = isWhole && depth > 0 ? inheritedHead(number, depth - 1) : [];
    return inherited.length > 0 ? inherited : last.table.rows.slice(0, count);
  };
  /** Head of the table of the page before, if the table that begins a page goes on with it and has no head. */
  const inheritedHead = (number: number, depth: number): readonly (readonly string[])[] => {
    const [first] = body(number).blocks;
    const before = number > 1 ? body(number - 1).blocks.at(-1) : undefined;
    if (first?.kind !== 'table' || before?.kind !== 'table' || !haveSameColumns(before.table, first.table)) return [];
    if ((first.table.headRows ?? 0) > 0) return [];
    const head = headOf(number - 1, depth);
    return head.some((row) => row.join() === first.table.rows[0]?.join()) ? [] : head;
  };
  return {
    content,
    page: (number) => {
      const { blocks, placed, ...rest } = body(number);
      const taken = number > 1 ? continuation(number - 1).text : '';
      const letters = new LetterCount().addCharacters(placed).add(taken, -1).add(continuation(number).text);
      for (const { text } of [...rest.heads, ...rest.footers]) letters.add(text);
      const head = inheritedHead(number, 4);
      const [first, ...others] = blocks;
      const { width, height } = head.length === 0 ? noFrame : content(number).text;
      const start = first === undefined ? [] : beginOf(first, taken, head, { number, width, height });
      return { ...rest, blocks: [...start, ...others], continuation: continuation(number), letters };
    },
  };
};

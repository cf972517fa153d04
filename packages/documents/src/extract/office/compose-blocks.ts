import { oneLine } from '../../../../../shared/kernel/text.ts';
import type { Block } from '../cut-units.ts';
import { tableBlocks, type TableGrid } from '../table.ts';

/** Appearance of a paragraph, by which headings without a heading style are found. */
export interface Look {
  readonly isBold: boolean;
  /** Font size in half-points; null if it varies or is not stated. */
  readonly size: number | null;
}

/** Paragraph of a word processor. */
export interface Paragraph extends Block {
  /** Absent: it is never taken for a heading. */
  readonly look?: Look;
  /** Whether it is an item of a list. */
  readonly isItem?: boolean;
  /** Number of an item, as it is shown: `2.` or `(b)`. */
  readonly mark?: string;
  /** Whether it is the caption of a table. */
  readonly isCaption?: boolean;
}

/** Paragraph or table of a document, in order. */
export type Piece = Paragraph | Table;

interface Table {
  readonly grid: TableGrid;
  readonly level?: undefined;
}

const itemOf = ({ mark, text }: Paragraph): string => `${mark ?? '-'} ${text}`;

const isTable = (piece: Piece | undefined): piece is Table => piece !== undefined && 'grid' in piece;

const maxHeadingChars = 120;
const maxHeadingWords = 15;
// Half a point is no heading.
const minLarger = 2;

const keyOf = ({ isBold, size }: Look): string => `${size ?? ''} ${isBold ? 'bold' : ''}`;

/** The most frequent value, weighted by characters. */
const usual = <Value>(texts: readonly (readonly [Value, number])[], otherwise: Value): Value => {
  const sums = new Map<Value, number>();
  for (const [value, chars] of texts) sums.set(value, (sums.get(value) ?? 0) + chars);
  let best: readonly [Value, number] = [otherwise, 0];
  for (const entry of sums) if (entry[1] > best[1]) best = entry;
  return best[0];
};

const isCaptionText = (text: string): boolean =>
  /^(?:table|tab\.|tabelle|tabel|tableau|tabla|tabella|figure|fig\.|abbildung|abb\.)\s*\d/i.test(text);

const hasHeadingForm = (text: string): boolean =>
  text.length <= maxHeadingChars &&
  !text.includes('\n') &&
  /\p{L}/u.test(text) &&
  !/[.!?;,…。！？]["'”’»)]?$/u.test(text) &&
  text.split(/\s+/).length <= maxHeadingWords;

/**
 * Looks that stand out from the body, by the index of their paragraph. A heading is a short line in bold or larger type
 * that does not end like a sentence.
 */
const findCandidates = (pieces: readonly Piece[]): ReadonlyMap<number, Look> => {
  const texts = pieces.flatMap((piece) =>
    isTable(piece) || piece.level !== null || piece.look === undefined ? [] : [{ ...piece, look: piece.look }],
  );
  const bodySize = usual(
    texts.map(({ look, text }) => [look.size, text.length]),
    null,
  );
  const isBodyBold = usual(
    texts.map(({ look, text }) => [look.isBold, text.length]),
    false,
  );
  const candidates = new Map<number, Look>();
  for (const [at, piece] of pieces.entries()) {
    if (isTable(piece) || piece.level !== null || piece.look === undefined || piece.isCaption === true) continue;
    if (!hasHeadingForm(piece.text) || isCaptionText(piece.text)) continue;
    const { isBold, size } = piece.look;
    const isLarger = size !== null && bodySize !== null && size >= bodySize + minLarger;
    const isSmaller = size !== null && bodySize !== null && size < bodySize;
    if (isLarger || (isBold && !isBodyBold && !isSmaller)) candidates.set(at, piece.look);
  }
  return candidates;
};

/** Whether text or a table follows that the heading may introduce, rather than a heading or a line of the same look. */
const isFollowed = (pieces: readonly Piece[], at: number, candidates: ReadonlyMap<number, Look>): boolean => {
  const [piece, look, own] = [pieces[at + 1], candidates.get(at + 1), candidates.get(at)];
  if (piece === undefined || own === undefined || typeof piece.level === 'number') return false;
  return look === undefined || keyOf(look) !== keyOf(own);
};

/** Whether an item belongs to a list of several items, rather than being a numbered heading. */
const isListed = (pieces: readonly Piece[], at: number): boolean => {
  const isItemAt = (index: number): boolean => {
    const piece = pieces[index];
    return piece !== undefined && !isTable(piece) && piece.isItem === true;
  };
  return isItemAt(at) && (isItemAt(at - 1) || isItemAt(at + 1));
};

/** Gives headings without a heading style their level: by size, and below the headings with a style before them. */
const withHeadings = (pieces: readonly Piece[]): readonly Piece[] => {
  const candidates = findCandidates(pieces);
  const found = new Map([...candidates].filter(([at]) => isFollowed(pieces, at, candidates) && !isListed(pieces, at)));
  const looks = [...new Map(found.values().map((look) => [keyOf(look), look])).values()].toSorted(
    (one, other) => (other.size ?? 0) - (one.size ?? 0) || Number(other.isBold) - Number(one.isBold),
  );
  const ranks = new Map(looks.map((look, rank) => [keyOf(look), rank]));
  let outer = 0;
  return pieces.map((piece, at) => {
    if (isTable(piece)) return piece;
    outer = piece.level ?? outer;
    const look = found.get(at);
    if (look === undefined) return piece;
    const text = piece.mark === undefined ? piece.text : `${piece.mark} ${piece.text}`;
    return { ...piece, text, isItem: false, level: Math.min(6, outer + 1 + (ranks.get(keyOf(look)) ?? 0)) };
  });
};

/** Returns the title of a table: its own, or the paragraph before it if that is one line and no sentence. */
const titleOf = ({ grid }: Table, before: Piece | undefined): string | undefined => {
  if (grid.title !== undefined || before === undefined || isTable(before)) return grid.title;
  const { text, level, isItem, isApart, isCaption } = before;
  if (level !== null || isItem === true || isApart === true) return undefined;
  return isCaption === true || hasHeadingForm(text) ? text : undefined;
};

/**
 * Converts the paragraphs and tables of a document to blocks. Items of a list are joined. Lines in bold or larger type
 * become headings, and a line above a table is its title.
 */
export const composeBlocks = (source: readonly Piece[]): readonly Block[] => {
  const blocks: Block[] = [];
  const pieces = withHeadings(source);
  let items: string[] = [];
  const endList = (): void => {
    if (items.length > 0) blocks.push({ text: items.join('\n'), level: null });
    items = [];
  };
  for (const [at, piece] of pieces.entries()) {
    if (isTable(piece)) {
      endList();
      const title = titleOf(piece, pieces[at - 1]);
      // One by one: a table may have more blocks than a call allows arguments.
      for (const block of tableBlocks({ ...piece.grid, ...(title !== undefined && { title }) })) blocks.push(block);
    } else if (piece.isItem === true) items.push(itemOf(piece));
    else {
      endList();
      const next = pieces[at + 1];
      const isTitle = isTable(next) && next.grid.title === undefined && titleOf(next, piece) !== undefined;
      const { look: _look, isItem: _isItem, mark: _mark, isCaption: _isCaption, ...block } = piece;
      if (!isTitle) blocks.push(block);
    }
  }
  endList();
  return blocks;
};

/** Text of pieces in one line. Cells of a nested table are separated by commas, since ` | ` separates the outer ones. */
export const lineOf = (pieces: readonly Piece[]): string =>
  oneLine(
    pieces
      .map((piece) => (isTable(piece) ? tableLine(piece) : piece.isItem === true ? itemOf(piece) : piece.text))
      .join(' '),
  );

const tableLine = ({ grid }: Table): string =>
  grid.rows
    .map((row) => row.filter((cell) => cell !== '').join(', '))
    .filter((row) => row !== '')
    .join('; ');

/** The piece, which is not taken for a heading. */
export const withoutLook = (piece: Piece): Piece => {
  if (isTable(piece)) return piece;
  const { look: _look, ...rest } = piece;
  return rest;
};

import type { MadeDocument } from './make-documents.ts';

/** Text that a reader returned, in the pieces that are searched, and its headings. */
export interface Reading {
  readonly pieces: readonly string[];
  readonly text: string;
  readonly headings: readonly string[];
}

/** Shares from 0 to 1. Null: the document has none of this. */
export interface Scores {
  readonly words: number;
  readonly order: number;
  readonly cells: number | null;
  readonly headings: number;
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Share of words that occur, each as often as it should. */
const shareOf = (expected: readonly string[], found: readonly string[]): number => {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  const present = expected.filter((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left > 0;
  });
  return expected.length === 0 ? 1 : present.length / expected.length;
};

/** One minus the normalized edit distance of two lists of words. */
const likeness = (one: readonly string[], other: readonly string[]): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, word] of one.entries()) {
    const line = [row + 1];
    for (const [at, candidate] of other.entries()) {
      const changed = (above[at] ?? 0) + (word === candidate ? 0 : 1);
      line.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1));
    }
    above = line;
  }
  return 1 - (above.at(-1) ?? 0) / Math.max(1, one.length, other.length);
};

const plainCell = (cell: string): string =>
  cell
    .replace(/\*\*|<br>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Cells of a piece of text as `row, column, value`, from lines under a head or lines `column: value`. */
export const cellsIn = (piece: string, head: readonly string[]): readonly string[] => {
  const cells: string[] = [];
  let names: readonly string[] = [];
  let key = '';
  for (const line of piece.split('\n')) {
    const named = /^([^:|]+): (.+)$/.exec(line);
    if (named !== null && named[1] === head[0]) key = named[2] ?? '';
    else if (named !== null) cells.push([key, named[1], named[2]].join('\t'));
    if (!line.includes('|')) continue;
    const values = line
      .replace(/^\s*\|/, '')
      .replace(/\|\s*$/, '')
      .split('|')
      .map(plainCell);
    if (head.every((name) => values.includes(name))) names = values;
    else for (const [at, value] of values.entries()) cells.push([values[0], names[at], value].join('\t'));
  }
  return cells;
};

/** Compares what a reader returned with the content of the document. */
export const measure = ({ heading, table, words }: MadeDocument, { pieces, text, headings }: Reading): Scores => {
  const [head = [], ...rows] = table;
  const found = new Set(pieces.flatMap((piece) => cellsIn(piece, head)));
  const cells = rows.flatMap(([key, ...values]) =>
    values.flatMap((value, at) => (value === '' ? [] : [[key, head[at + 1], value].join('\t')])),
  );
  const [expected, read] = [words.flatMap(wordsOf), wordsOf(text)];
  return {
    words: shareOf(expected, read),
    order: likeness(expected, read),
    cells: cells.length === 0 ? null : cells.filter((cell) => found.has(cell)).length / cells.length,
    headings: headings.some((one) => wordsOf(one).join(' ') === heading) ? 1 : 0,
  };
};

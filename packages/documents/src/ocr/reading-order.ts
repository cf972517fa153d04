import { medianOf } from '../../../../shared/platform/median.ts';
import { type Box, boundsOf, heightOf } from './ink.ts';
import { inSpokenOrder, isRightToLeft } from './other-scripts.ts';
import type { Word } from './word.ts';

/** Words on one line of the page, from left to right. */
type Row = readonly Word[];

/** Gap between words in heights of a line from which they may stand at different heights. */
const wideGap = 1.6;
/** Lines of a column of prose: enough of them, of several words, most of them as wide as the column. */
const prose = { lines: 3, words: 4, fill: 0.6 } as const;
/** Share of the words of prose that are figures, and of its lines that contain a wide gap. */
const maxOfProse = { figures: 0.35, gaps: 0.25 } as const;
/** Width of the gap between columns in heights of a line; a wider one if there are few lines. */
const gutter = { width: 0.8, ofFew: 1.2, few: 6 } as const;
/** Rows beyond which columns are not looked for. */
const maxRows = 1_000;

const middleOf = ({ top, bottom }: Box): number => (top + bottom) / 2;

const textOf = (row: Row): string => {
  const gap = medianOf(row.map(heightOf)) * wideGap;
  return row.reduce((text, word, at) => {
    const before = row[at - 1];
    if (before === undefined) return word.text;
    const isJoined = word.isJoined === true && word.left - before.right < gap;
    return `${text}${isJoined ? '' : ' '}${word.text}`;
  }, '');
};

/** Divides the engine's lines at wide gaps. */
const segmentsOf = (words: readonly Word[]): readonly Row[] =>
  [...Map.groupBy(words, ({ line }) => line).values()].flatMap((line) => {
    const height = medianOf(line.map(heightOf));
    const parts: Word[][] = [];
    for (const word of line.toSorted((a, b) => a.left - b.left)) {
      const part = parts.at(-1);
      const last = part?.at(-1);
      if (part !== undefined && last !== undefined && word.left - last.right < height * wideGap) part.push(word);
      else parts.push([word]);
    }
    return parts;
  });

/** Joins segments whose middles are at the same height. */
const rowsOf = (segments: readonly Row[], lineHeight: number): readonly Row[] => {
  const rows: { middle: number; height: number; segments: { bounds: Box; words: Row }[] }[] = [];
  const tall = lineHeight * 4;
  const placed = segments.map((words) => ({ words, bounds: boundsOf(words) }));
  for (const segment of placed.toSorted((a, b) => middleOf(a.bounds) - middleOf(b.bounds))) {
    // A dash is as high as a letter, and what is much higher is no line beside others.
    const height = Math.max(lineHeight * 0.6, heightOf(segment.bounds));
    const row = height > tall ? undefined : rows.at(-1);
    const isBeside = ({ bounds }: (typeof placed)[number]): boolean =>
      Math.min(bounds.right, segment.bounds.right) - Math.max(bounds.left, segment.bounds.left) < lineHeight;
    if (
      row !== undefined &&
      row.height <= tall &&
      middleOf(segment.bounds) - row.middle < 0.5 * Math.min(height, row.height) &&
      row.segments.every(isBeside)
    ) {
      row.segments.push(segment);
      row.middle = row.segments.reduce((sum, { bounds }) => sum + middleOf(bounds), 0) / row.segments.length;
    } else rows.push({ middle: middleOf(segment.bounds), height, segments: [segment] });
  }
  return rows.map((row) =>
    row.segments.toSorted((a, b) => a.bounds.left - b.bounds.left).flatMap(({ words }) => words),
  );
};

type Gap = readonly [left: number, right: number];

/** Gaps that remain free beside the segments of a row. */
const narrow = (gaps: readonly Gap[], row: Row, minWidth: number): readonly Gap[] =>
  row
    .reduce<readonly Gap[]>(
      (free, { left, right }) =>
        free.flatMap(([from, to]) =>
          right <= from || left >= to
            ? [[from, to] as const]
            : [[from, Math.min(to, left)] as const, [Math.max(from, right), to] as const],
        ),
      gaps,
    )
    .filter(([from, to]) => to - from >= minWidth);

const isProse = (rows: readonly Row[]): boolean => {
  if (rows.length < prose.lines) return false;
  const { left, right } = boundsOf(rows.flat());
  const fill = medianOf(rows.map(boundsOf).map((row) => (row.right - row.left) / (right - left)));
  const words = rows.flat();
  const figures = words.filter(({ text }) => !/\p{L}/u.test(text)).length;
  const withGap = rows.filter((row) =>
    row.some((word, at) => at > 0 && word.left - (row[at - 1]?.right ?? 0) > heightOf(word) * wideGap),
  ).length;
  return (
    fill >= prose.fill &&
    medianOf(rows.map(({ length }) => length)) >= prose.words &&
    figures <= words.length * maxOfProse.figures &&
    withGap <= rows.length * maxOfProse.gaps
  );
};

const sideOf = (rows: readonly Row[], isInside: (word: Word) => boolean): readonly Row[] =>
  rows.map((row) => row.filter(isInside)).filter(({ length }) => length > 0);

/** Short rows at the end, such as a page number, that can keep the rows before them from being prose. */
const maxTail = 3;

interface Columns {
  readonly left: readonly Row[];
  readonly right: readonly Row[];
  /** Rows that they take. */
  readonly taken: number;
}

/** Whether rows are a column of prose or, to the last but one, several of them. */
const isColumns = (rows: readonly Row[], lineHeight: number): boolean =>
  isProse(rows) || (splitColumns(rows, lineHeight)?.taken ?? 0) >= Math.max(prose.lines, rows.length - 1);

/** Finds columns of prose that begin with the first row. Returns both sides of a gap, and how many rows they have. */
const splitColumns = (rows: readonly Row[], lineHeight: number): Columns | null => {
  let gaps: readonly Gap[] = [[0, Infinity]];
  const steps: { readonly taken: number; readonly gaps: readonly Gap[] }[] = [];
  for (const row of rows) {
    gaps = narrow(gaps, row, lineHeight * gutter.width);
    if (!gaps.some(([from, to]) => from > 0 && to < Infinity)) break;
    steps.push({ taken: steps.length + 1, gaps });
  }
  for (const { taken, gaps: free } of steps.slice(-maxTail - 1).toReversed()) {
    if (taken < prose.lines) break;
    const part = rows.slice(0, taken);
    for (const [from, to] of free) {
      if (from === 0 || to === Infinity) continue;
      if (taken < gutter.few && to - from < lineHeight * gutter.ofFew) continue;
      const left = sideOf(part, (word) => word.right <= from);
      const right = sideOf(part, (word) => word.left >= to);
      if (isProse(left) && isColumns(right, lineHeight)) return { left, right, taken };
    }
  }
  return null;
};

const paragraphGap = 1.1;
/** Heights of a line that a full line may lack at its end. */
const fullLine = 2;
/** Running text in signs of languages without spaces, rather than a cell, and such a sign at the start of the next line. */
const denseEnd = /\S{7}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、，]$/u;
const denseStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;

/** A written text with the boxes of its lines. */
export interface WrittenText {
  readonly text: string;
  readonly lines: readonly (Box & { readonly at: number })[];
}

const writeRows = (rows: readonly Row[], lineHeight: number): WrittenText => {
  let text = '';
  let last: Box | null = null;
  const edge = boundsOf(rows.flat()).right - lineHeight * fullLine;
  const lines: WrittenText['lines'][number][] = [];
  for (const row of rows) {
    const bounds = boundsOf(row);
    const line = textOf(row);
    if (last !== null && bounds.top - last.bottom > lineHeight * paragraphGap) text += '\n\n';
    // A line in the middle of a sentence often ends within a word.
    else if (last !== null && !(last.right > edge && denseEnd.test(text) && denseStart.test(line))) text += '\n';
    lines.push({ at: text.length, ...bounds });
    text += line;
    last = bounds;
  }
  return { text, lines };
};

const joinBlocks = (blocks: readonly WrittenText[]): WrittenText => {
  let text = '';
  const lines = blocks.flatMap((block, index) => {
    text += index === 0 ? '' : '\n\n';
    const start = text.length;
    text += block.text;
    return block.lines.map((line) => ({ ...line, at: start + line.at }));
  });
  return { text, lines };
};

const write = (rows: readonly Row[], lineHeight: number): WrittenText => {
  if (rows.length > maxRows) return writeRows(rows, lineHeight);
  const blocks: WrittenText[] = [];
  let single: Row[] = [];
  const flush = (): void => {
    if (single.length > 0) blocks.push(writeRows(single, lineHeight));
    single = [];
  };
  for (let at = 0; at < rows.length;) {
    const split = splitColumns(rows.slice(at), lineHeight);
    if (split === null) {
      single.push(...rows.slice(at, at + 1));
      at += 1;
    } else {
      flush();
      blocks.push(write(split.left, lineHeight), write(split.right, lineHeight));
      at += split.taken;
    }
  }
  flush();
  return joinBlocks(blocks);
};

const mirror = <Placed extends Box>(box: Placed, width: number): Placed => ({
  ...box,
  left: width - box.right,
  right: width - box.left,
});

/**
 * Writes the words of a page in reading order, line by line. Columns of prose follow each other, while an amount at the
 * far margin stays in the line of its item. A page from right to left is ordered like its image in a mirror.
 */
export const writeInOrder = (words: readonly Word[]): WrittenText => {
  const width = isRightToLeft(words) ? boundsOf(words).right : null;
  const segments = segmentsOf(width === null ? words : words.map((word) => mirror(word, width)));
  const lineHeight = Math.max(1, medianOf(segments.map((segment) => heightOf(boundsOf(segment)))));
  const rows = rowsOf(segments, lineHeight).map((row) => inSpokenOrder(row, width !== null));
  const { text, lines } = write(rows, lineHeight);
  return { text, lines: width === null ? lines : lines.map((line) => mirror(line, width)) };
};

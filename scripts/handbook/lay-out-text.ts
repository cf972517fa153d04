import type { Run } from './read-runs.ts';
import { colors, fonts, leading } from './styles.ts';

type Pdf = PDFKit.PDFDocument;

/** A piece of a line: text of one look with its place. */
interface Piece extends Run {
  readonly x: number;
  readonly width: number;
}

type Line = readonly Piece[];

/** Text cut into lines; all sizes in points. */
export interface TextBlock {
  readonly lines: readonly Line[];
  readonly size: number;
  readonly lineHeight: number;
  readonly height: number;
}

// Courier looks larger than Helvetica of the same size.
const codeScale = 0.93;

const sizeOf = (run: Pick<Run, 'font'>, size: number): number => (run.font === fonts.code ? size * codeScale : size);

const widthOf = (pdf: Pdf, run: Run, text: string, size: number): number =>
  pdf.font(run.font).fontSize(sizeOf(run, size)).widthOfString(text);

/** Words with the space that follows them; one that is wider than a line is cut where it must be. */
const wordsOf = (pdf: Pdf, run: Run, size: number, width: number): readonly string[] =>
  (run.text.match(/ +|[^ ]+ */g) ?? []).flatMap((word) => {
    if (widthOf(pdf, run, word.trimEnd(), size) <= width) return [word];
    const perLine = Math.max(1, Math.floor((word.length * width) / widthOf(pdf, run, word, size)) - 1);
    return word.match(new RegExp(`.{1,${perLine}}`, 'g')) ?? [];
  });

const joinPieces = (pieces: readonly Piece[]): Line => {
  const line: Piece[] = [];
  for (const piece of pieces) {
    const last = line.at(-1);
    if (last !== undefined && last.font === piece.font && last.link === piece.link) {
      line[line.length - 1] = { ...last, text: last.text + piece.text, width: last.width + piece.width };
    } else line.push(piece);
  }
  return line;
};

interface Word {
  readonly run: Run;
  readonly text: string;
}

/** Words that belong on one line: a full stop behind a code word stays with it. */
const bindWords = (words: readonly Word[]): readonly (readonly Word[])[] => {
  const bound: Word[][] = [];
  for (const word of words) {
    const before = bound.at(-1);
    const isBound = before?.at(-1)?.text.endsWith(' ') === false && !word.text.startsWith(' ');
    if (before !== undefined && isBound) before.push(word);
    else bound.push([word]);
  }
  return bound;
};

/** Cuts runs into lines of at most `width` points, between words. */
export const layOutText = (pdf: Pdf, runs: readonly Run[], size: number, width: number): TextBlock => {
  const lines: Line[] = [];
  let pieces: Piece[] = [];
  let x = 0;
  const endLine = (): void => {
    if (pieces.length > 0) lines.push(joinPieces(pieces));
    pieces = [];
    x = 0;
  };
  const words = runs.flatMap((run) => wordsOf(pdf, run, size, width).map((text): Word => ({ run, text })));
  for (const group of bindWords(words)) {
    const widths = group.map(({ run, text }) => widthOf(pdf, run, text.trimEnd(), size));
    const together = widths.reduce((sum, own) => sum + own, 0);
    if (together <= width && x + together > width) endLine();
    for (const [at, word] of group.entries()) {
      if (x + (widths[at] ?? 0) > width) endLine();
      const text = x === 0 ? word.text.trimStart() : word.text;
      if (text === '') continue;
      const pieceWidth = widthOf(pdf, word.run, text, size);
      pieces.push({ ...word.run, text, x, width: pieceWidth });
      x += pieceWidth;
    }
  }
  endLine();
  const lineHeight = size * leading;
  return { lines, size, lineHeight, height: lines.length * lineHeight };
};

/** Draws one line with its top at `y`. */
export const drawLine = (
  pdf: Pdf,
  line: Line,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly color: string },
): void => {
  for (const piece of line) {
    const size = sizeOf(piece, at.size);
    const color = piece.link === null ? at.color : colors.accent;
    const options = { lineBreak: false, ...(piece.link === null ? {} : { link: piece.link }) };
    pdf.font(piece.font).fontSize(size).fillColor(color);
    pdf.text(piece.text, at.x + piece.x, at.y + (at.size - size) * 0.9, options);
  }
};

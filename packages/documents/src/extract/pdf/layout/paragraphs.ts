import { toLine, type Line } from './line-of.ts';
import type { Band } from './fragments.ts';
import type { TableBox } from './table-box.ts';
import type { Box } from './text-places.ts';

/** Paragraph or table of a page, in reading order. */
export type LayoutBlock = (({ readonly kind: 'text' } & Paragraph) | ({ readonly kind: 'table' } & TableBox)) & {
  /** Quarters by which its lines are turned clockwise on the page. Default 0. */
  readonly turns?: number;
};

export interface Paragraph {
  readonly lines: readonly Line[];
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** Name of the font of its first line. */
  readonly font: string;
  readonly top: number;
  readonly bottom: number;
  /** Set if its lines have no places of their own. */
  readonly box?: Box;
}

const toParagraph = (lines: readonly Line[]): LayoutBlock => ({
  kind: 'text',
  lines,
  size: Math.max(...lines.map(({ size }) => size)),
  isBold: lines.every(({ isBold }) => isBold),
  isItalic: lines.every(({ isItalic }) => isItalic),
  font: lines[0]?.font ?? '',
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(({ bottom }) => bottom)),
});

// In font sizes.
const indent = { least: 0.8, most: 5 } as const;
const looseLines = 1.9;

/** Most frequent distance between lines of the same size, in font sizes. */
const usualPitch = (lines: readonly Line[]): number => {
  const counts = new Map<number, number>();
  let usual = 1.2;
  let most = 1;
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined || Math.abs(above.size - line.size) > 0.05 * line.size) continue;
    const pitch = Math.round(((line.baseline - above.baseline) / line.size) * 20) / 20;
    if (pitch <= 0 || pitch > looseLines) continue;
    const count = (counts.get(pitch) ?? 0) + 1;
    counts.set(pitch, count);
    if (count > most) {
      most = count;
      usual = pitch;
    }
  }
  return usual;
};

const begins = (above: Line, line: Line, pitch: number, margin: number): boolean => {
  const size = Math.max(above.size, line.size);
  if (Math.abs(above.size - line.size) > (above.font === line.font ? 0.12 : 0.04) * size) return true;
  if (above.isBold !== line.isBold && above.fragments.length > 0) return true;
  const distance = (line.baseline - above.baseline) / size;
  if (distance > Math.max(pitch + 0.2, pitch * 1.18) || distance < 0) return true;
  const indented = (line.left - above.left) / size;
  return (
    indented >= indent.least &&
    indented <= indent.most &&
    above.left - margin < 0.3 * size &&
    above.right > line.right - indent.most * size
  );
};

const maxTitleShare = 0.7;

/** Whether a line is a title in italics: short, with upright text below. */
const isItalicTitle = (line: Line, below: Line): boolean =>
  line.isItalic && !below.isItalic && line.right - line.left < maxTitleShare * (below.right - below.left);

/** Groups lines to paragraphs: by the space between them, indents, font size and weight. */
const groupLines = (lines: readonly Line[]): readonly LayoutBlock[] => {
  const pitch = usualPitch(lines);
  const margin = Math.min(...lines.map(({ left }) => left));
  const groups: Line[][] = [];
  for (const line of lines) {
    const above = groups.at(-1)?.at(-1);
    const isBelowTitle = groups.at(-1)?.length === 1 && above !== undefined && isItalicTitle(above, line);
    if (above === undefined || isBelowTitle || begins(above, line, pitch, margin)) groups.push([line]);
    else groups.at(-1)?.push(line);
  }
  return groups.map(toParagraph);
};

/** Paragraphs and ruled tables of bands without columns. */
export const toParagraphs = (bands: readonly Band[]): readonly LayoutBlock[] => {
  const blocks: LayoutBlock[] = [];
  let lines: Line[] = [];
  const close = (): void => {
    if (lines.length > 0) blocks.push(...groupLines(lines));
    lines = [];
  };
  for (const { fragments } of bands) {
    const texts = fragments.filter(({ table }) => table === undefined);
    if (texts.length > 0) lines.push(toLine(texts));
    for (const { table } of fragments) {
      if (table === undefined) continue;
      close();
      blocks.push({ kind: 'table', ...table });
    }
  }
  close();
  return blocks;
};

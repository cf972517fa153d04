import type { Tokens } from 'marked';
import { beginPage, roomLeft, skip, type Flow } from './flow.ts';
import { drawLine, layOutText, type TextBlock } from './lay-out-text.ts';
import { plainLook, readRuns } from './read-runs.ts';
import { colors, contentWidth, page, sizes } from './styles.ts';

const padX = 5;
const padY = 3.5;
const narrowest = 54;
/** A table of this height or less stays on one page. */
const wholeUpTo = page.height / 3;

const textOf = (flow: Flow, cell: Tokens.TableCell, width: number, bold: boolean): TextBlock =>
  layOutText(flow.pdf, readRuns(cell.tokens, { ...plainLook, bold }), sizes.table, width);

const naturalWidth = (flow: Flow, cell: Tokens.TableCell, bold: boolean): number => {
  const [line] = textOf(flow, cell, 10_000, bold).lines;
  const last = line?.at(-1);
  return (last === undefined ? 0 : last.x + last.width) + 2 * padX + 1;
};

/** Columns that need little get it; the others share the rest by the square root of what they would like to have. */
const columnWidths = (flow: Flow, { header, rows }: Tokens.Table): readonly number[] => {
  const natural = header.map((cell, column) =>
    Math.max(
      narrowest,
      naturalWidth(flow, cell, true),
      ...rows.map((row) => {
        const own = row[column];
        return own === undefined ? 0 : naturalWidth(flow, own, false);
      }),
    ),
  );
  const fair = contentWidth / header.length;
  const fixed = natural.map((width) => (width <= fair ? width : null));
  const left = contentWidth - fixed.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const shares = natural.map((width, column) => (fixed[column] === null ? Math.sqrt(width) : 0));
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total === 0) return natural.map((width) => (width * contentWidth) / natural.reduce((sum, own) => sum + own, 0));
  return natural.map((_, column) => fixed[column] ?? (left * (shares[column] ?? 0)) / total);
};

interface Row {
  readonly cells: readonly TextBlock[];
  readonly height: number;
  readonly isHead: boolean;
}

const layOutRow = (flow: Flow, cells: readonly Tokens.TableCell[], widths: readonly number[], isHead: boolean): Row => {
  const blocks = cells.map((cell, column) => textOf(flow, cell, (widths[column] ?? narrowest) - 2 * padX, isHead));
  return { cells: blocks, height: Math.max(...blocks.map(({ height }) => height)) + 2 * padY, isHead };
};

const drawRow = (flow: Flow, row: Row, widths: readonly number[]): void => {
  const { pdf } = flow;
  if (row.isHead) pdf.rect(page.marginX, flow.y, contentWidth, row.height).fill(colors.headFill);
  let x: number = page.marginX;
  for (const [column, block] of row.cells.entries()) {
    for (const [at, line] of block.lines.entries()) {
      const y = flow.y + padY + at * block.lineHeight + 1;
      drawLine(pdf, line, { x: x + padX, y, size: block.size, color: colors.text });
    }
    x += widths[column] ?? 0;
  }
  flow.y += row.height;
  const right = page.marginX + contentWidth;
  pdf.moveTo(page.marginX, flow.y).lineTo(right, flow.y).lineWidth(0.5).strokeColor(colors.rule).stroke();
};

/** Draws a table; its head comes again on each page, and no row is cut in two. */
export const drawTable = (flow: Flow, table: Tokens.Table): void => {
  const widths = columnWidths(flow, table);
  const head = layOutRow(flow, table.header, widths, true);
  const rows = table.rows.map((cells) => layOutRow(flow, cells, widths, false));
  const whole = rows.reduce((sum, { height }) => sum + height, head.height);
  const least = whole <= wholeUpTo ? whole : head.height + (rows[0]?.height ?? 0) + (rows[1]?.height ?? 0);
  if (roomLeft(flow) < least) beginPage(flow);
  drawRow(flow, head, widths);
  for (const row of rows) {
    if (roomLeft(flow) < row.height) {
      beginPage(flow);
      drawRow(flow, head, widths);
    }
    drawRow(flow, row, widths);
  }
  skip(flow, 11);
};

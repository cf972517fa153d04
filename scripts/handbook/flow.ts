import { drawLine, type TextBlock } from './lay-out-text.ts';
import { colors, page } from './styles.ts';

type Pdf = PDFKit.PDFDocument;

/** Where the next thing goes; begins a new page when there is no room. */
export interface Flow {
  readonly pdf: Pdf;
  /** Top of the next thing, in points from the top of the page. */
  y: number;
}

const bottom = page.height - page.marginBottom;

/** Points left on the page. */
export const roomLeft = (flow: Flow): number => bottom - flow.y;

export const beginPage = (flow: Flow): void => {
  flow.pdf.addPage();
  flow.y = page.marginTop;
};

/** Begins a new page unless `height` points are left on this one. */
export const needRoom = (flow: Flow, height: number): void => {
  if (roomLeft(flow) < height) beginPage(flow);
};

/** Leaves a gap, but none at the top of a page. */
export const skip = (flow: Flow, height: number): void => {
  if (flow.y > page.marginTop) flow.y += height;
};

/** Number of the present page, from 1. */
export const pageNumber = ({ pdf }: Flow): number => {
  const { start, count } = pdf.bufferedPageRange();
  return start + count;
};

const loneLine = 1;

/** Draws text line by line; a page never begins or ends with a single line of a longer paragraph. */
export const drawText = (flow: Flow, block: TextBlock, x: number, color: string = colors.text): void => {
  const { lines, lineHeight } = block;
  for (const [at, line] of lines.entries()) {
    const isStart = at === 0 && lines.length > loneLine;
    const isBeforeLast = at === lines.length - 2;
    needRoom(flow, isStart || isBeforeLast ? 2 * lineHeight : lineHeight);
    drawLine(flow.pdf, line, { x, y: flow.y, size: block.size, color });
    flow.y += lineHeight;
  }
};

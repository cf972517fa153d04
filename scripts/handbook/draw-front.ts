import type { Flow } from './flow.ts';
import type { Heading } from './read-chapters.ts';
import { colors, contentWidth, fonts, leading, page, sizes } from './styles.ts';

/** One line of the contents. */
export interface Entry extends Heading {
  /** From 1. */
  readonly page: number;
  /** Name of the place that the line leads to. */
  readonly destination: string;
}

const lineHeight = { chapter: 21, part: 13.4 } as const;
const firstLine = page.marginTop + 52;

const heightOf = ({ depth }: Pick<Entry, 'depth'>): number => (depth === 1 ? lineHeight.chapter : lineHeight.part);

/** Contents page by page, a chapter never parted from its first line. */
export const paginate = <Line extends Pick<Entry, 'depth'>>(entries: readonly Line[]): readonly (readonly Line[])[] => {
  const pages: Line[][] = [];
  let y: number = page.height;
  for (const entry of entries) {
    const needed = heightOf(entry) + (entry.depth === 1 ? lineHeight.part : 0);
    if (y + needed > page.height - page.marginBottom) {
      pages.push([]);
      y = firstLine;
    }
    pages.at(-1)?.push(entry);
    y += heightOf(entry);
  }
  return pages;
};

/** Draws the title page on the present page. */
export const drawCover = ({ pdf }: Flow, version: string): void => {
  pdf.rect(0, 0, page.width, 14).fill(colors.accent);
  pdf.font(fonts.bold).fontSize(44).fillColor(colors.accent);
  pdf.text('Strata', page.marginX, 250, { lineBreak: false });
  pdf.font(fonts.regular).fontSize(17).fillColor(colors.text);
  pdf.text('Handbook for users and operators', page.marginX, 308, { lineBreak: false });
  pdf
    .moveTo(page.marginX, 346)
    .lineTo(page.marginX + 120, 346)
    .lineWidth(2)
    .strokeColor(colors.accent)
    .stroke();
  pdf.font(fonts.regular).fontSize(sizes.body).fillColor(colors.quiet);
  const lines = [
    'Vector storage and retrieval in your own AWS account,',
    'or whole on one machine.',
    '',
    `Version ${version}`,
  ];
  for (const [at, line] of lines.entries()) {
    if (line !== '') pdf.text(line, page.marginX, 366 + at * sizes.body * leading, { lineBreak: false });
  }
};

const drawEntry = (pdf: PDFKit.PDFDocument, entry: Entry, y: number): void => {
  const isChapter = entry.depth === 1;
  const x = page.marginX + (isChapter ? 0 : 16);
  const right = page.marginX + contentWidth;
  const baseline = y + (isChapter ? 7 : 0);
  pdf
    .font(isChapter ? fonts.bold : fonts.regular)
    .fontSize(isChapter ? 10.5 : 9.2)
    .fillColor(colors.text);
  const number = String(entry.page);
  const numberX = right - pdf.widthOfString(number);
  pdf.text(entry.title, x, baseline, { lineBreak: false });
  pdf.text(number, numberX, baseline, { lineBreak: false });
  const from = x + pdf.widthOfString(entry.title) + 6;
  if (from < numberX - 12) {
    pdf.moveTo(from, baseline + 8).lineTo(numberX - 6, baseline + 8);
    pdf.lineWidth(0.6).dash(0.6, { space: 3 }).strokeColor(colors.rule).stroke().undash();
  }
  pdf.goTo(x, y, right - x, heightOf(entry), entry.destination);
};

/** Fills the pages from index `first` with the contents. */
export const drawContents = ({ pdf }: Flow, entries: readonly Entry[], first: number): void => {
  for (const [at, lines] of paginate(entries).entries()) {
    pdf.switchToPage(first + at);
    pdf.font(fonts.bold).fontSize(24).fillColor(colors.accent);
    if (at === 0) pdf.text('Contents', page.marginX, page.marginTop, { lineBreak: false });
    let y = firstLine;
    for (const entry of lines) {
      drawEntry(pdf, entry, y);
      y += heightOf(entry);
    }
  }
};

/** Draws page numbers, but none on the title page. */
export const drawFooters = ({ pdf }: Flow): void => {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = start + 1; index < start + count; index += 1) {
    pdf.switchToPage(index);
    pdf.font(fonts.regular).fontSize(sizes.small).fillColor(colors.quiet);
    const number = String(index + 1);
    const x = (page.width - pdf.widthOfString(number)) / 2;
    // Below the margin text would begin a new page.
    pdf.page.margins.bottom = 0;
    pdf.text(number, x, page.height - 46, { lineBreak: false });
  }
};

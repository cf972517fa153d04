import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Token } from 'marked';
import PdfDocument from 'pdfkit';
import { drawBlock } from './draw-blocks.ts';
import { drawContents, drawCover, drawFooters, type Entry, paginate } from './draw-front.ts';
import { beginPage, pageNumber, roomLeft, skip, type Flow } from './flow.ts';
import { headingOf, readChapters } from './read-chapters.ts';
import { page } from './styles.ts';

interface Rendered {
  readonly pages: number;
}

const newDocument = (): PDFKit.PDFDocument =>
  new PdfDocument({
    size: [page.width, page.height],
    margins: { left: page.marginX, right: page.marginX, top: page.marginTop, bottom: page.marginBottom },
    bufferPages: true,
    autoFirstPage: false,
    lang: 'en',
    info: { Title: 'Strata: Handbook for users and operators', Author: 'The Strata authors' },
  });

type Outline = Pick<PDFKit.PDFOutline, 'addItem'>;

/** Draws a chapter, from a new page on where little of the present one is left; returns its lines for the contents. */
const drawChapter = (flow: Flow, blocks: readonly Token[], chapter: number): readonly Entry[] => {
  const entries: Entry[] = [];
  if (roomLeft(flow) < page.height / 2) beginPage(flow);
  else skip(flow, 36);
  let outline: Outline = flow.pdf.outline;
  for (const block of blocks) {
    drawBlock(flow, block);
    const heading = headingOf(block);
    if (heading === null) continue;
    const destination = `chapter-${chapter + 1}-${entries.length + 1}`;
    flow.pdf.addNamedDestination(destination);
    const item = outline.addItem(heading.title);
    if (heading.depth === 1) outline = item;
    entries.push({ ...heading, page: pageNumber(flow), destination });
  }
  return entries;
};

/**
 * Renders the Markdown files of a folder into one PDF with a title page, contents and page numbers.
 * @throws Error that names the file, the markup or the character that can't be rendered.
 */
export const renderHandbook = async (options: {
  readonly sourceDirectory: string;
  readonly file: string;
  readonly version: string;
}): Promise<Rendered> => {
  const chapters = await readChapters(options.sourceDirectory);
  const pdf = newDocument();
  await mkdir(dirname(options.file), { recursive: true });
  const output = createWriteStream(options.file);
  pdf.pipe(output);
  const flow: Flow = { pdf, y: page.marginTop };
  beginPage(flow);
  drawCover(flow, options.version);
  // The contents come before the pages that they name: their pages are kept free and filled at the end.
  const lines = chapters.flat().flatMap((block) => headingOf(block) ?? []);
  for (const _ of paginate(lines)) beginPage(flow);
  beginPage(flow);
  const entries = chapters.flatMap((blocks, chapter) => drawChapter(flow, blocks, chapter));
  drawContents(flow, entries, 1);
  drawFooters(flow);
  const { count } = pdf.bufferedPageRange();
  pdf.end();
  await finished(output);
  return { pages: count };
};

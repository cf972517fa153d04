import { readFile } from 'node:fs/promises';
import { lazy } from '../../../../../shared/kernel/memoize.ts';
import { cleanPageText } from './clean-page-text.ts';
import { toParts } from '../cut-units.ts';
import { encodePng, type GreyImage } from './encode-png.ts';
import type { OpenedFile, ReadContext } from '../format.ts';
import { noContinuation, openLayout, type DocumentLayout } from './layout/document-layout.ts';
import { LetterCount } from './letter-count.ts';
import { trackHeadings, type HeadingTracker } from './layout/page-sections.ts';
import { openAttachments, type OpenedAttachments } from './pdf-attachments.ts';
import { withPdf, type OpenPdf, type PageContent } from './open-pdf.ts';
import {
  pictureBounds,
  shownBounds,
  UnreadableFile,
  type PageDrawer,
  type InnerFile,
  type Part,
  type UnitRange,
} from '../port.ts';

const spaces = /\s/g;
const guessed = /[\uE000-\uF8FF]/g;
const latinWord = /(?<![\p{L}\p{N}])\p{Lu}?[a-z\u00DF-\u017F]{2,}(?![\p{L}\p{N}])/gu;

// Text over a scan, such as a stamp or a page number, that does not replace the text of the picture. Over a picture of
// the whole page it may be a court's line with case, document and page, or several stamps. Those are at the edges; a
// slide with a background picture has text elsewhere too.
const stamps = [
  { share: 0.85, chars: 200, atEdges: true },
  { share: 0.5, chars: 60, atEdges: false },
] as const;

const dotsPerInch = 200;

const xfaNote = 'The PDF is an XFA form, whose fields were not read; print it to a PDF and upload that.';

/**
 * Whether the page's text is reliable; if not, the page needs OCR. Fonts without a Unicode map
 * often yield correct text. Then at least half of it is ordinary lower-case words, which held for every legible and no
 * garbled page of 60 such PDFs.
 */
const isReadable = (page: PageContent, text: string): boolean => {
  const visibleChars = text.length - (text.match(spaces)?.length ?? 0);
  if (visibleChars === 0 || page.isGarbled) return false;
  const doubtfulChars = page.unmappedChars + (text.match(guessed)?.length ?? 0);
  if (doubtfulChars * 2 <= visibleChars) return true;
  const wordChars = text.match(latinWord)?.join('').length ?? 0;
  return wordChars * 2 >= visibleChars;
};

/** Whether a page needs OCR. @param text Its reliable text, if any. */
const isScan = (page: PageContent, text: string | null): boolean =>
  text === null
    ? !page.isBlank
    : stamps.some(
        ({ share, chars, atEdges }) =>
          page.pictureShare > share && text.length < chars && !(atEdges && page.hasInnerText),
      );

const isEmpty = ({ pixels }: GreyImage): boolean => {
  const paper = pixels[0] ?? 255;
  return pixels.every((pixel) => Math.abs(pixel - paper) < 16);
};

/**
 * Encodes the first of several ever smaller renderings of a page that is within bounds. Null if there is none.
 * @param draw Renders the page at a share of the wanted size and with a maximum of pixels.
 */
const encodeWithin = (
  bounds: { readonly pixels: number; readonly bytes: number },
  draw: (share: number, maxPixels: number) => GreyImage | null,
): Uint8Array | null => {
  let maxPixels = bounds.pixels;
  for (let share = 1; ; share *= 0.7) {
    const image = draw(share, maxPixels);
    if (image === null) return null;
    const png = encodePng(image);
    if (png.length <= bounds.bytes) return png;
    maxPixels = Math.floor((image.width * image.height) / 2);
  }
};

/** Renders the page as a PNG within `pictureBounds`; null if it is blank. */
const drawPng = (pdf: OpenPdf, number: number): Uint8Array | null =>
  encodeWithin(pictureBounds, (share, maxPixels) => {
    const image = pdf.drawPage(number, dotsPerInch * share, maxPixels);
    return isEmpty(image) ? null : image;
  });

interface ReadPage {
  readonly parts: readonly Part[];
  /** Letters and digits of the page that its parts do not show. */
  readonly lostLetters: number;
}

const readPage = (pdf: OpenPdf, layout: DocumentLayout, headings: HeadingTracker, number: number): ReadPage => {
  const page = layout.content(number);
  const laidOut = layout.page(number);
  const { ownText, isReliable } = laidOut;
  // Annotations are read in addition: a scan with form fields is still a scan.
  const notes = cleanPageText(page.annotations.join('\n'));
  const shown = isReliable ? laidOut : { heads: [], footers: [], blocks: [], continuation: noContinuation };
  const section = { pageStart: number, pageEnd: number, headingPath: [], place: {} };
  const png = isScan(page, isReliable ? ownText : null) ? drawPng(pdf, number) : null;
  const sections = headings.sections(number, shown, notes === '' ? [] : [{ text: notes, level: null }]);
  const shownLetters = new LetterCount();
  for (const { text } of sections) shownLetters.add(text);
  return {
    parts: [
      ...toParts(sections),
      ...(png === null
        ? []
        : [{ kind: 'picture' as const, mediaType: 'image/png' as const, bytes: png, isWholePage: true, section }]),
    ],
    lostLetters: isReliable ? laidOut.letters.missingIn(shownLetters) : 0,
  };
};

// Fewer are left over from the making of a page: a separator, a marker.
const minNotedLetters = 3;
const maxNamedPages = 10;

const pageNames = new Intl.ListFormat('en', { type: 'conjunction' });

/** Note on pages of whose text some is not read. */
const pagesNote = (pages: readonly number[], what: string): readonly Part[] => {
  if (pages.length === 0) return [];
  const named = pages.slice(0, maxNamedPages).map(String);
  const rest = pages.length - named.length;
  const names = pageNames.format(rest > 0 ? [...named, `${rest} more`] : named);
  return [{ kind: 'unread', reason: `Page${pages.length > 1 ? 's' : ''} ${names}: ${what}.` }];
};

const readPages = (pdf: OpenPdf, range: UnitRange): readonly Part[] => {
  const parts: Part[] = [];
  const withHidden: number[] = [];
  const withLost: number[] = [];
  const layout = openLayout(pdf, isReadable);
  const headings = trackHeadings(pdf.outline());
  for (let number = range.start; number <= Math.min(range.end, pdf.pages); number += 1) {
    const page = readPage(pdf, layout, headings, number);
    parts.push(...page.parts);
    if (layout.content(number).hiddenLetters >= minNotedLetters) withHidden.push(number);
    if (page.lostLetters >= minNotedLetters) withLost.push(number);
  }
  return [
    ...parts,
    ...pagesNote(withHidden, 'invisible text was left out'),
    ...pagesNote(withLost, 'some text could not be placed and was left out'),
  ];
};

const survey = (pdf: OpenPdf): Pick<OpenedFile, 'units' | 'notes'> & { readonly attachments: number } => {
  if (pdf.pages < 1) throw new UnreadableFile('The PDF has no pages');
  // The file may state a wrong page count, which reading its last page reveals.
  pdf.readPage(pdf.pages);
  return { units: pdf.pages, notes: pdf.isXfa ? [xfaNote] : [], attachments: pdf.attachments };
};

const noAttachments: OpenedAttachments = { notes: [], read: async () => [] };

/** Opens the files in a PDF in an instance of their own: one that needs too much memory leaves the pages readable. */
const attachmentsOf = async (
  wasm: WebAssembly.Module,
  bytes: Uint8Array,
  openInner: ReadContext['openInner'],
): Promise<OpenedAttachments> => {
  try {
    return await openAttachments(await withPdf(wasm, bytes, (pdf) => pdf.readAttachments()), openInner);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ...noAttachments, notes: [`The files in the PDF were not read: ${error.message}.`] };
  }
};

/** Opens a PDF. The files in it are read by `openInner`, if it is given. */
type PdfReader = (file: Pick<InnerFile, 'bytes'>, context?: Pick<ReadContext, 'openInner'>) => Promise<OpenedFile>;

const compileLazily = (wasmPath: string): (() => Promise<WebAssembly.Module>) =>
  lazy(async () => WebAssembly.compile(await readFile(wasmPath)));

/**
 * Draws pages of PDFs as people see them.
 * @param wasmPath Path of `pdfium.wasm`.
 */
export const pdfDrawer = (wasmPath: string): PageDrawer => {
  const compiled = compileLazily(wasmPath);
  return async (bytes, { page, width }) =>
    withPdf(await compiled(), bytes, (pdf) => ({
      pages: pdf.pages,
      png:
        page > pdf.pages
          ? null
          : encodeWithin(shownBounds, (share, maxPixels) => pdf.showPage(page, width * share, maxPixels)),
    }));
};

/**
 * Reads PDFs page by page: the text of a page, or its picture if the text is unreliable, and the values of its fields
 * and comments. The files that a PDF contains follow its last page.
 * @param wasmPath Path of `pdfium.wasm`.
 */
export const pdfReader = (wasmPath: string): PdfReader => {
  const compiled = compileLazily(wasmPath);
  return async ({ bytes }, context) => {
    const wasm = await compiled();
    const { units, notes, attachments } = await withPdf(wasm, bytes, survey);
    const isRead = attachments > 0 && context !== undefined;
    const files = isRead ? await attachmentsOf(wasm, bytes, context.openInner) : noAttachments;
    return {
      units,
      notes: [...notes, ...files.notes],
      paged: true,
      read: async (range) => {
        const parts = await withPdf(wasm, bytes, (pdf) => readPages(pdf, range));
        return range.start <= units && range.end >= units ? [...parts, ...(await files.read())] : parts;
      },
    };
  };
};

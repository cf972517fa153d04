import { readFile } from 'node:fs/promises';
import { lazy } from '../../../kernel/memoize.ts';
import { cleanPageText } from './clean-page-text.ts';
import { encodePng, type GreyImage } from './encode-png.ts';
import type { OpenedFile } from '../format.ts';
import { withPdf, type OpenPdf, type PageContent } from './open-pdf.ts';
import { pictureBounds, UnreadableFile, type Part, type SourceFile, type UnitRange } from '../port.ts';

const guessed = /[\uE000-\uF8FF]/g;
const latinWord = /(?<![\p{L}\p{N}])\p{Lu}?[a-z\u00DF-\u017F]{2,}(?![\p{L}\p{N}])/gu;

// A stamp or a page number over a scan: words that stand in for none of those in the picture. Over a picture that is the
// whole page it may be the line of a court with its case, its document and its pages, or several stamps; but those stand at
// the edges of the page, where a slide before its background has but few of its words.
const stamps = [
  { share: 0.85, chars: 200, atEdges: true },
  { share: 0.5, chars: 60, atEdges: false },
] as const;

const dotsPerInch = 200;

const xfaNote = 'The PDF is a form of the kind XFA, whose fields were not read; printed to a PDF they would be.';

/**
 * The page's text, or null where it has none that can be trusted: such a page is legible from its image alone, which
 * makes it one for character recognition. Fonts without a Unicode map often spell text right all the same; then half
 * of it or more is ordinary lower-case words, which held for every legible and no garbled page of 60 such PDFs.
 */
const textOf = (page: PageContent): string | null => {
  const text = cleanPageText(page.text);
  const visibleChars = text.replace(/\s/g, '').length;
  if (visibleChars === 0) return null;
  const doubtfulChars = page.unmappedChars + (text.match(guessed)?.length ?? 0);
  const wordChars = text.match(latinWord)?.join('').length ?? 0;
  return doubtfulChars * 2 > visibleChars && wordChars * 2 < visibleChars ? null : text;
};

/** Whether a page is to be recognized from its image. @param text Its own, where it has any that can be trusted. */
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

/** The page as a PNG within the bounds of a picture; null where there is nothing on it to see. */
const drawPng = (pdf: OpenPdf, number: number): Uint8Array | null => {
  let mostPixels = pictureBounds.pixels;
  for (let dpi = dotsPerInch; ; dpi *= 0.7) {
    const image = pdf.drawPage(number, dpi, mostPixels);
    if (isEmpty(image)) return null;
    const png = encodePng(image);
    if (png.length <= pictureBounds.bytes) return png;
    mostPixels = Math.floor((image.width * image.height) / 2);
  }
};

const readPage = (pdf: OpenPdf, number: number): readonly Part[] => {
  const page = pdf.readPage(number);
  const own = textOf(page);
  // What is laid on a page is read beside it: a scan with fields to fill in is still a scan.
  const text = [own ?? '', cleanPageText(page.annotations.join('\n'))].filter((words) => words !== '').join('\n\n');
  const section = { pageStart: number, pageEnd: number, headingPath: [], place: {} };
  const png = isScan(page, own) ? drawPng(pdf, number) : null;
  return [
    ...(text === '' ? [] : [{ kind: 'text' as const, text, ...section }]),
    ...(png === null ? [] : [{ kind: 'picture' as const, mediaType: 'image/png' as const, bytes: png, section }]),
  ];
};

const readPages = (pdf: OpenPdf, range: UnitRange): readonly Part[] => {
  const parts: Part[] = [];
  for (let number = range.start; number <= Math.min(range.end, pdf.pages); number += 1) {
    parts.push(...readPage(pdf, number));
  }
  return parts;
};

const survey = (pdf: OpenPdf): Pick<OpenedFile, 'units' | 'notes'> => {
  if (pdf.pages < 1) throw new UnreadableFile('The PDF has no pages');
  // The page count is a number that the file states; its last page shows whether it is true.
  pdf.readPage(pdf.pages);
  return { units: pdf.pages, notes: pdf.isXfa ? [xfaNote] : [] };
};

/**
 * Reads PDFs page by page: the text of a page, or its picture where it has no text that can be trusted, and beside both
 * what is filled into its fields and what comments say.
 * @param wasmPath Where `pdfium.wasm` lies.
 */
export const pdfReader = (wasmPath: string): ((file: Pick<SourceFile, 'bytes'>) => Promise<OpenedFile>) => {
  const wasm = lazy(async () => WebAssembly.compile(await readFile(wasmPath)));
  return async ({ bytes }) => ({
    ...(await withPdf(await wasm(), bytes, survey)),
    paged: true,
    read: async (range) => withPdf(await wasm(), bytes, (pdf) => readPages(pdf, range)),
  });
};

import { readFile } from 'node:fs/promises';
import { cleanPageText } from './clean-page-text.ts';
import type { FormatReader, UnitRange } from './format.ts';
import { withPdf, type OpenPdf, type PageContent } from './open-pdf.ts';
import { UnreadableFile, type Part } from './port.ts';

const guessed = /[\uE000-\uF8FF]/g;
const latinWord = /(?<![\p{L}\p{N}])\p{Lu}?[a-z\u00DF-\u017F]{2,}(?![\p{L}\p{N}])/gu;

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

const readPages = (pdf: OpenPdf, range: UnitRange): readonly Part[] => {
  const sections: Part[] = [];
  for (let number = range.start; number <= Math.min(range.end, pdf.pages); number += 1) {
    const text = textOf(pdf.readPage(number));
    if (text !== null) sections.push({ kind: 'text', text, pageStart: number, pageEnd: number, headingPath: [], place: {} });
  }
  return sections;
};

const countPages = (pdf: OpenPdf): number => {
  if (pdf.pages < 1) throw new UnreadableFile('The PDF has no pages');
  // The page count is a number that the file states; its last page shows whether it is true.
  pdf.readPage(pdf.pages);
  return pdf.pages;
};

/** Reads the text of PDFs; a unit is a page. @param wasmPath Where `pdfium.wasm` lies. */
export const pdfReader = (wasmPath: string): FormatReader => {
  let compiled: Promise<WebAssembly.Module> | undefined;
  const compile = async (): Promise<WebAssembly.Module> => WebAssembly.compile(await readFile(wasmPath));
  const wasm = (): Promise<WebAssembly.Module> => (compiled ??= compile());
  return {
    paged: true,
    countUnits: async (file) => withPdf(await wasm(), file.bytes, countPages),
    readUnits: async (file, range) => withPdf(await wasm(), file.bytes, (pdf) => readPages(pdf, range)),
  };
};

import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { UnreadableFile } from './port.ts';

/** One page as PDFium reads it. */
export interface PageContent {
  /** In PDFium's reading order; U+FFFE marks a hyphen at a line's end that was joined. */
  readonly text: string;
  /** Characters whose font says nothing about Unicode: what `text` holds for them is a guess. */
  readonly unmappedChars: number;
}

/** An open PDF; usable only inside the function that `withPdf` calls. */
export interface OpenPdf {
  readonly pages: number;
  /** Reads page `number` (1-based). Throws `UnreadableFile` where it can't be loaded. */
  readPage(number: number): PageContent;
}

// A page that needs more is a decompression bomb: the largest of 971 difficult PDFs stayed under 150 MB.
const heapBytes = 512 * 1024 * 1024;

const loadErrors: Readonly<Record<number, string>> = {
  4: 'The PDF is protected by a password',
  5: 'The PDF is protected by a security scheme that is not supported',
};

const instantiate = async (wasm: WebAssembly.Module, fileBytes: number): Promise<PdfiumModule> => {
  const { PDFiumModule } = await import('@hyzyla/pdfium/dist/index.cjs');
  const pdfium = await PDFiumModule({
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm: (imports, done) => {
      // Every PDFium build imports this function, with this shape.
      const grow = imports['env']?.['emscripten_resize_heap'] as (bytes: number) => boolean;
      const mayGrow = (bytes: number): boolean => bytes >>> 0 <= heapBytes + fileBytes;
      const env = {
        ...imports['env'],
        emscripten_resize_heap: (bytes: number): boolean => mayGrow(bytes) && grow(bytes),
      };
      const instance = new WebAssembly.Instance(wasm, { ...imports, env });
      done(instance);
      return instance.exports;
    },
  });
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 });
  return pdfium;
};

const isCutOff = (bytes: Uint8Array): boolean => !Buffer.from(bytes.subarray(-2048)).includes('%%EOF');

const loadDocument = (pdfium: PdfiumModule, bytes: Uint8Array): number => {
  const pointer = pdfium.wasmExports.malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, pointer);
  const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.length, 0);
  const rebuilt = document !== 0 && pdfium._FPDF_DocumentHasValidCrossReferenceTable(document) === 0;
  const reason = document === 0 ? loadErrors[pdfium._FPDF_GetLastError()] : undefined;
  if (reason !== undefined) throw new UnreadableFile(reason);
  // PDFium repairs a file without its end as far as it goes; the text of the lost pages would be missing unnoticed.
  if ((document === 0 || rebuilt) && isCutOff(bytes))
    throw new UnreadableFile('The PDF is cut off: its end is missing');
  if (document === 0) throw new UnreadableFile("The PDF is damaged and can't be opened");
  return document;
};

const readText = (pdfium: PdfiumModule, textPage: number): PageContent => {
  const chars = pdfium._FPDFText_CountChars(textPage);
  if (chars <= 0) return { text: '', unmappedChars: 0 };
  const buffer = pdfium.wasmExports.malloc((chars + 1) * 2);
  const written = pdfium._FPDFText_GetText(textPage, 0, chars, buffer);
  const text = Buffer.from(pdfium.HEAPU8.buffer, buffer, Math.max(0, written - 1) * 2).toString('utf16le');
  pdfium.wasmExports.free(buffer);
  let unmappedChars = 0;
  for (let index = 0; index < chars; index += 1) {
    if (pdfium._FPDFText_HasUnicodeMapError(textPage, index) === 1) unmappedChars += 1;
  }
  return { text, unmappedChars };
};

const readPage = (pdfium: PdfiumModule, document: number, number: number): PageContent => {
  const page = pdfium._FPDF_LoadPage(document, number - 1);
  const textPage = page === 0 ? 0 : pdfium._FPDFText_LoadPage(page);
  if (textPage === 0) throw new UnreadableFile(`Page ${number} of the PDF is damaged`);
  const content = readText(pdfium, textPage);
  pdfium._FPDFText_ClosePage(textPage);
  pdfium._FPDF_ClosePage(page);
  return content;
};

/**
 * Opens a PDF for the length of `use`. Every call has a WebAssembly instance of its own: its memory goes with it, a
 * trap can't harm the next file, and nothing of one file is ever visible to another.
 * @param wasm The compiled `pdfium.wasm`.
 * @throws UnreadableFile for a file that is encrypted, damaged, cut off or too large to read in memory.
 */
export const withPdf = async <Result>(
  wasm: WebAssembly.Module,
  bytes: Uint8Array,
  use: (pdf: OpenPdf) => Result,
): Promise<Result> => {
  const pdfium = await instantiate(wasm, bytes.length);
  try {
    const document = loadDocument(pdfium, bytes);
    const pages = pdfium._FPDF_GetPageCount(document);
    return use({ pages, readPage: (number) => readPage(pdfium, document, number) });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('The PDF is damaged or needs too much memory', error);
  }
};

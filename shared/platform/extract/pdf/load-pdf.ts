import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { UnreadableFile } from '../port.ts';

/** PDF in a PDFium instance of its own, whose memory is released with the instance. */
export interface LoadedPdf {
  readonly pdfium: PdfiumModule;
  readonly document: number;
  /** PDFium's form environment, which is needed to read a document's fields. */
  readonly form: () => number;
  /** Second copy of the document, for operations that change a page. */
  readonly copy: () => number;
}

// A page that needs more is a decompression bomb: the largest of 971 difficult PDFs took less than 150 MB.
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
      // Cast: every PDFium build imports this function with this signature.
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

const loadDocument = (pdfium: PdfiumModule, pointer: number, bytes: Uint8Array): number => {
  const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.length, 0);
  const rebuilt = document !== 0 && pdfium._FPDF_DocumentHasValidCrossReferenceTable(document) === 0;
  const reason = document === 0 ? loadErrors[pdfium._FPDF_GetLastError()] : undefined;
  if (reason !== undefined) throw new UnreadableFile(reason);
  // PDFium repairs a truncated file as far as possible. The text of the lost pages would be missing without notice.
  if ((document === 0 || rebuilt) && isCutOff(bytes))
    throw new UnreadableFile('The PDF is truncated: its end is missing');
  if (document === 0) throw new UnreadableFile("The PDF is damaged and can't be opened");
  return document;
};

// More than any version of the structure. Without callbacks it is all zeros except for its version.
const formInfoBytes = 512;

const openForm = (pdfium: PdfiumModule, document: number): number => {
  const info = pdfium.wasmExports.malloc(formInfoBytes);
  pdfium.HEAPU8.fill(0, info, info + formInfoBytes);
  pdfium.HEAPU8[info] = 1;
  return pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
};

/** Loads a PDF into a PDFium instance of its own. @throws UnreadableFile if it is encrypted, damaged or truncated. */
export const loadPdf = async (wasm: WebAssembly.Module, bytes: Uint8Array): Promise<LoadedPdf> => {
  const pdfium = await instantiate(wasm, bytes.length);
  const pointer = pdfium.wasmExports.malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, pointer);
  const document = loadDocument(pdfium, pointer, bytes);
  let form: number | undefined;
  let copy: number | undefined;
  return {
    pdfium,
    document,
    form: () => (form ??= openForm(pdfium, document)),
    copy: () => (copy ??= pdfium._FPDF_LoadMemDocument(pointer, bytes.length, 0)),
  };
};

/**
 * Calls `use` with page `number` (1-based) of `document`, then closes the page. Throws `UnreadableFile` if it can't be
 * loaded.
 */
export const withPage = <Result>(
  pdfium: PdfiumModule,
  document: number,
  number: number,
  use: (page: number) => Result,
): Result => {
  const page = pdfium._FPDF_LoadPage(document, number - 1);
  if (page === 0) throw new UnreadableFile(`Page ${number} of the PDF is damaged`);
  const result = use(page);
  pdfium._FPDF_ClosePage(page);
  return result;
};

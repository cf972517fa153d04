import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { lazy } from '../../../../../shared/kernel/memoize.ts';
import { UnreadableFile } from '../port.ts';
import { buildPlaceholderFont } from './placeholder-font.ts';

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

// The one directory that exists in the file system of an instance and is not for devices.
const fontDirectory = '/tmp';
const createAndWrite = 0o101;
const currentDirectory = -100;

const placeholderFont = lazy(buildPlaceholderFont);

/** Copies bytes to the memory of an instance. */
const place = (pdfium: PdfiumModule, bytes: Uint8Array): number => {
  const pointer = pdfium.wasmExports.malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, pointer);
  return pointer;
};

/** Writes a file in the memory of an instance through the calls by which PDFium itself would write it. */
const writeFontFile = (pdfium: PdfiumModule, imports: WebAssembly.Imports, font: Uint8Array): void => {
  // Casts: every PDFium build imports these functions with these signatures.
  const open = imports['env']?.['__syscall_openat'] as (...values: readonly number[]) => number;
  const { fd_write: write, fd_close: close } = imports['wasi_snapshot_preview1'] as Readonly<
    Record<string, (...values: readonly number[]) => number>
  >;
  const path = place(pdfium, Buffer.from(`${fontDirectory}/placeholder.ttf\0`));
  const mode = place(pdfium, new Uint8Array(new Uint32Array([0o600]).buffer));
  const content = place(pdfium, font);
  const buffers = place(pdfium, new Uint8Array(new Uint32Array([content, font.length, 0]).buffer));
  const file = open(currentDirectory, path, createAndWrite, mode);
  write?.(file, buffers, 1, buffers + 8);
  close?.(file);
  for (const pointer of [path, mode, content, buffers]) pdfium.wasmExports.free(pointer);
};

/** Initializes PDFium with the placeholder font as its only installed font. */
const initialize = (pdfium: PdfiumModule, imports: WebAssembly.Imports): void => {
  writeFontFile(pdfium, imports, placeholderFont());
  const directory = place(pdfium, Buffer.from(`${fontDirectory}\0`));
  const directories = place(pdfium, new Uint8Array(new Uint32Array([directory, 0]).buffer));
  const version = 2;
  pdfium._FPDF_InitLibraryWithConfig(
    place(pdfium, new Uint8Array(new Uint32Array([version, directories, 0, 0]).buffer)),
  );
};

const instantiate = async (wasm: WebAssembly.Module, fileBytes: number): Promise<PdfiumModule> => {
  const { PDFiumModule } = await import('@hyzyla/pdfium/dist/index.cjs');
  let functions: WebAssembly.Imports = {};
  const pdfium = await PDFiumModule({
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm: (imports, done) => {
      functions = imports;
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
  initialize(pdfium, functions);
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
  const pointer = place(pdfium, bytes);
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

import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import type { ColourImage, GreyImage } from './encode-png.ts';
import { readOutline, type Bookmark } from './layout/outline.ts';
import { noRules, readRules, type PageRules } from './layout/rules.ts';
import { loadPdf, withPage, type LoadedPdf } from './load-pdf.ts';
import { readAttachments } from './pdf-attachments.ts';
import { objectKinds, visitObjects } from './page-objects.ts';
import { mendLetters } from './mend-letters.ts';
import { readPageCharacters, type PageCharacters, type PageHandles } from './page-characters.ts';
import { flattenShown, readAnnotations, type Annotations } from './pdf-annotations.ts';
import { placeholderFamily } from './placeholder-font.ts';
import { hasGarbledFont } from './readable-text.ts';
import { pictureBounds, UnreadableFile, type InnerFile } from '../port.ts';
import { visibleCharacters } from './visible-characters.ts';

/** Content of one page as PDFium reads it. */
export interface PageContent {
  /** Its visible characters. */
  readonly text: PageCharacters;
  /** Its straight lines; without any if it has no text. */
  readonly rules: PageRules;
  /** Number of characters whose font has no Unicode map; their value in `text` is a guess. */
  readonly unmappedChars: number;
  /** Whether the letters of a font are wrong. */
  readonly isGarbled: boolean;
  /** Whether there is text farther from the edges than stamps are. */
  readonly hasInnerText: boolean;
  /** Number of letters and digits that were left out, because no reader can see them. */
  readonly hiddenLetters: number;
  /** Annotations, which are not part of `text`: filled fields as `label: value`, comments, text boxes. */
  readonly annotations: readonly string[];
  /** Whether the page has no content. */
  readonly isBlank: boolean;
  /** Share of the page's area that its largest picture covers, 0 to 1. */
  readonly pictureShare: number;
}

/** An open PDF; usable only inside the function that `withPdf` calls. */
export interface OpenPdf {
  readonly pages: number;
  /** Whether its pages are only a placeholder for an XFA form. */
  readonly isXfa: boolean;
  /** Number of files that it contains. */
  readonly attachments: number;
  /** Reads those files. */
  readAttachments(): readonly InnerFile[];
  /** Reads its bookmarks. */
  outline(): readonly Bookmark[];
  /** Reads page `number` (1-based). Throws `UnreadableFile` if it can't be loaded. */
  readPage(number: number): PageContent;
  /**
   * Renders page `number` (1-based) in grey.
   * @param dpi Dots per inch; reduced if the page would exceed `maxPixels` or the longest side.
   */
  drawPage(number: number, dpi: number, maxPixels: number): GreyImage;
  /**
   * Renders page `number` (1-based) as people see it.
   * @param width Pixels; reduced if the page would exceed `maxPixels` or the longest side.
   */
  showPage(number: number, width: number, maxPixels: number): GreyImage | ColourImage;
}

type PageText = Pick<PageContent, 'text' | 'rules' | 'unmappedChars' | 'isGarbled' | 'hasInnerText' | 'hiddenLetters'>;

// Share of a page's height and width: 28 mm on paper of a usual size.
const edgeShare = 0.1;
const minInnerChars = 20;

const hasInnerChars = ({ width, height, characters }: PageCharacters): boolean => {
  const isInner = (at: number, length: number): boolean => Math.abs(at - length / 2) < length * (0.5 - edgeShare);
  let inner = 0;
  for (const one of characters) {
    if (isInner(one.x + one.width / 2, width) && isInner(one.y + one.height / 2, height)) inner += 1;
    if (inner >= minInnerChars) return true;
  }
  return false;
};

const countUnmapped = ({ characters }: PageCharacters): number => {
  let count = 0;
  for (const { isUnmapped } of characters) if (isUnmapped) count += 1;
  return count;
};

const readChars = (handles: PageHandles): PageText => {
  const visible = visibleCharacters(handles, readPageCharacters(handles));
  const page = { ...visible, characters: mendLetters(visible.characters) };
  return {
    text: page,
    rules: page.characters.length === 0 ? noRules : readRules(handles.pdfium, handles.page),
    unmappedChars: countUnmapped(page),
    isGarbled: hasGarbledFont(page.characters),
    hasInnerText: hasInnerChars(page),
    hiddenLetters: page.hiddenLetters,
  };
};

const pictureObject = 3;
const maxObjects = 2_000;

/** Area of the largest picture on a page, in square points. */
const largestPicture = (pdfium: PdfiumModule, page: number, objects: number): number => {
  const bounds = pdfium.wasmExports.malloc(16);
  let largest = 0;
  for (let index = 0; index < Math.min(objects, maxObjects); index += 1) {
    const object = pdfium._FPDFPage_GetObject(page, index);
    if (pdfium._FPDFPageObj_GetType(object) !== pictureObject) continue;
    if (pdfium._FPDFPageObj_GetBounds(object, bounds, bounds + 4, bounds + 8, bounds + 12) === 0) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.HEAPU8.buffer, bounds, 4);
    largest = Math.max(largest, Math.abs((right - left) * (top - bottom)));
  }
  pdfium.wasmExports.free(bounds);
  return largest;
};

const readText = ({ pdfium }: LoadedPdf, page: number, number: number): PageText => {
  const textPage = pdfium._FPDFText_LoadPage(page);
  if (textPage === 0) throw new UnreadableFile(`Page ${number} of the PDF is damaged`);
  const text = readChars({ pdfium, page, textPage });
  pdfium._FPDFText_ClosePage(textPage);
  return text;
};

/** Reads the text of a page including its stamps and signatures, which are flattened into a copy of the page. */
const readFlattened = (pdf: LoadedPdf, number: number, annotations: Annotations): PageText => {
  withPage(pdf.pdfium, pdf.copy(), number, (page) => flattenShown(pdf.pdfium, page, annotations));
  return withPage(pdf.pdfium, pdf.copy(), number, (page) => readText(pdf, page, number));
};

const readPage = (pdf: LoadedPdf, number: number): PageContent =>
  withPage(pdf.pdfium, pdf.document, number, (page) => {
    const { pdfium } = pdf;
    const annotations = readAnnotations(pdf, page);
    const hasShown = annotations.shown.length > 0;
    const text = hasShown ? readFlattened(pdf, number, annotations) : readText(pdf, page, number);
    const objects = pdfium._FPDFPage_CountObjects(page);
    const area = pdfium._FPDF_GetPageWidthF(page) * pdfium._FPDF_GetPageHeightF(page);
    const pictureShare = area > 0 ? Math.min(1, largestPicture(pdfium, page, objects) / area) : 0;
    return { ...text, annotations: annotations.texts, isBlank: objects <= 0, pictureShare };
  });

// The pages of this kind have no content. The other kind of XFA form has its values in fields too.
const xfaForm = 2;
const greyFormat = 1;
const withAnnotationsInGrey = 0x01 | 0x08;
const pointsPerInch = 72;

const familyOf = (pdfium: PdfiumModule, font: number): string => {
  const memory = pdfium.wasmExports.malloc(64);
  const bytes = pdfium._FPDFFont_GetFamilyName(font, memory, 64);
  const name = Buffer.from(pdfium.HEAPU8.subarray(memory, memory + Math.max(0, Math.min(bytes, 64) - 1))).toString();
  pdfium.wasmExports.free(memory);
  return name;
};

// More text objects than any page of a usual size has.
const maxHiddenObjects = 20_000;

/** Hides the characters for which the placeholder font stands, so that text recognition does not read its boxes. */
const hidePlaceholders = (pdfium: PdfiumModule, page: number): void => {
  const isPlaceholder = new Map<number, boolean>();
  const hasPlaceholder = (font: number): boolean => {
    const known = isPlaceholder.get(font) ?? familyOf(pdfium, font) === placeholderFamily;
    isPlaceholder.set(font, known);
    return known;
  };
  visitObjects(pdfium, page, maxHiddenObjects, ({ object, kind }) => {
    if (kind !== objectKinds.text || !hasPlaceholder(pdfium._FPDFTextObj_GetFont(object))) return;
    pdfium._FPDFPageObj_SetIsActive(object, 0);
  });
};

interface RenderingOptions {
  readonly number: number;
  readonly kind: keyof typeof bitmaps;
  /** Returns the pixels per point by the width of the page in points. */
  readonly wantedScale: (points: number) => number;
  readonly maxPixels: number;
}

/** Formats of bitmaps, and flags of their rendering. In colour, red comes first. Source: the headers of PDFium. */
const bitmaps = {
  grey: { format: greyFormat, bytesPerPixel: 1, flags: withAnnotationsInGrey },
  colour: { format: 2, bytesPerPixel: 3, flags: 0x01 | 0x10 },
} as const;

/** Renders an open page. Throws `UnreadableFile` if its measures are impossible. */
const renderPage = (
  pdfium: PdfiumModule,
  page: number,
  { number, kind, wantedScale, maxPixels }: RenderingOptions,
): GreyImage => {
  const { format, bytesPerPixel, flags } = bitmaps[kind];
  const points = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)] as const;
  const scale = Math.min(
    wantedScale(points[0]),
    Math.sqrt(maxPixels / Math.max(1, points[0] * points[1])),
    pictureBounds.side / Math.max(...points),
  );
  const [width, height] = [Math.max(1, Math.floor(points[0] * scale)), Math.max(1, Math.floor(points[1] * scale))];
  const bitmap = width * height > maxPixels ? 0 : pdfium._FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) throw new UnreadableFile(`Page ${number} of the PDF has impossible measures`);
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  const stride = pdfium._FPDFBitmap_GetStride(bitmap);
  const start = pdfium._FPDFBitmap_GetBuffer(bitmap);
  const rowBytes = width * bytesPerPixel;
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    pixels.set(pdfium.HEAPU8.subarray(start + y * stride, start + y * stride + rowBytes), y * rowBytes);
  }
  pdfium._FPDFBitmap_Destroy(bitmap);
  return { width, height, pixels, dotsPerInch: scale * pointsPerInch };
};

const drawPage = ({ pdfium, document }: LoadedPdf, number: number, dpi: number, maxPixels: number): GreyImage =>
  withPage(pdfium, document, number, (page) => {
    hidePlaceholders(pdfium, page);
    return renderPage(pdfium, page, { number, kind: 'grey', wantedScale: () => dpi / pointsPerInch, maxPixels });
  });

/** Returns an image in grey if it has no other colour, which makes it a third as large. */
const withoutColour = (image: GreyImage): GreyImage | ColourImage => {
  const { pixels, width, height } = image;
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    const red = pixels[at * 3] ?? 0;
    if (pixels[at * 3 + 1] !== red || pixels[at * 3 + 2] !== red) return { ...image, isColour: true };
    grey[at] = red;
  }
  return { ...image, pixels: grey };
};

/** Share of a pixel, so that a width that is wanted is not rounded down. */
const rounding = 0.001;

const showPage = ({ pdfium, document }: LoadedPdf, number: number, width: number, maxPixels: number) =>
  withPage(pdfium, document, number, (page) =>
    withoutColour(
      renderPage(pdfium, page, {
        number,
        kind: 'colour',
        wantedScale: (points) => (width + rounding) / points,
        maxPixels,
      }),
    ),
  );

/**
 * Calls `use` with an open PDF. Every call has its own WebAssembly instance, so its memory is released, a trap can't
 * affect the next file, and files are isolated from each other.
 * @param wasm The compiled `pdfium.wasm`.
 * @throws UnreadableFile if it is encrypted, damaged, truncated or too large for the memory.
 */
export const withPdf = async <Result>(
  wasm: WebAssembly.Module,
  bytes: Uint8Array,
  use: (pdf: OpenPdf) => Result,
): Promise<Result> => {
  try {
    const pdf = await loadPdf(wasm, bytes);
    return use({
      pages: pdf.pdfium._FPDF_GetPageCount(pdf.document),
      isXfa: pdf.pdfium._FPDF_GetFormType(pdf.document) === xfaForm,
      attachments: Math.max(0, pdf.pdfium._FPDFDoc_GetAttachmentCount(pdf.document)),
      readAttachments: () => readAttachments(pdf),
      outline: () => readOutline(pdf),
      readPage: (number) => readPage(pdf, number),
      drawPage: (number, dpi, maxPixels) => drawPage(pdf, number, dpi, maxPixels),
      showPage: (number, width, maxPixels) => showPage(pdf, number, width, maxPixels),
    });
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('The PDF is damaged or needs too much memory', error);
  }
};

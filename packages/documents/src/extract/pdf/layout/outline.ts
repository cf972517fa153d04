import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { oneLine } from '../../../../../../shared/kernel/text.ts';
import type { LoadedPdf } from '../load-pdf.ts';

/** Bookmark of a PDF. */
export interface Bookmark {
  readonly title: string;
  /** 1 for the outermost. */
  readonly level: number;
  /** 1-based. */
  readonly page: number;
}

const maxBookmarks = 5_000;
/** Levels of bookmarks inside it are not read. */
export const maxBookmarkLevel = 10;
const maxTitleBytes = 2_000;

const titleOf = (pdfium: PdfiumModule, bookmark: number, memory: number): string => {
  const bytes = pdfium._FPDFBookmark_GetTitle(bookmark, memory, maxTitleBytes);
  if (bytes <= 2 || bytes > maxTitleBytes) return '';
  return oneLine(Buffer.from(pdfium.HEAPU8.buffer, memory, bytes - 2).toString('utf16le')).toWellFormed();
};

/** Page of a bookmark; 0 if it points at none. */
const pageOf = ({ pdfium, document }: Pick<LoadedPdf, 'pdfium' | 'document'>, bookmark: number): number => {
  const destination = pdfium._FPDFBookmark_GetDest(document, bookmark);
  return destination === 0 ? 0 : pdfium._FPDFDest_GetDestPageIndex(document, destination) + 1;
};

/** Reads the bookmarks that point at pages of the document, in their order. */
export const readOutline = (pdf: Pick<LoadedPdf, 'pdfium' | 'document'>): readonly Bookmark[] => {
  const { pdfium, document } = pdf;
  const bookmarks: Bookmark[] = [];
  const visited = new Set<number>();
  const memory = pdfium.wasmExports.malloc(maxTitleBytes);
  const walk = (parent: number, level: number): void => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(document, parent);
    while (bookmark !== 0 && !visited.has(bookmark) && visited.size < maxBookmarks) {
      visited.add(bookmark);
      const title = titleOf(pdfium, bookmark, memory);
      const page = pageOf(pdf, bookmark);
      if (title !== '' && page > 0) bookmarks.push({ title, level, page });
      if (level < maxBookmarkLevel) walk(bookmark, level + 1);
      bookmark = pdfium._FPDFBookmark_GetNextSibling(document, bookmark);
    }
  };
  walk(0, 1);
  pdfium.wasmExports.free(memory);
  return bookmarks;
};

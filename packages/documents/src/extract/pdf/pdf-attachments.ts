import { attachmentName, type OpenedFile, type ReadContext } from '../format.ts';
import { UnreadableFile, type InnerFile, type Part } from '../port.ts';
import type { LoadedPdf } from './load-pdf.ts';
import { readString } from './pdf-annotations.ts';

const maxFiles = 100;
const maxFileBytes = 50 * 1024 * 1024;
const maxBytes = 100 * 1024 * 1024;
const maxUnits = 50;

/** Reads the files that a PDF contains. Files beyond the limits have no bytes. */
export const readAttachments = ({ pdfium, document }: LoadedPdf): readonly InnerFile[] => {
  const count = Math.min(maxFiles, Math.max(0, pdfium._FPDFDoc_GetAttachmentCount(document)));
  const size = pdfium.wasmExports.malloc(4);
  const files: InnerFile[] = [];
  let left = maxBytes;
  for (let index = 0; index < count; index += 1) {
    const attachment = pdfium._FPDFDoc_GetAttachment(document, index);
    if (attachment === 0) continue;
    const name = readString(pdfium, (...to) => pdfium._FPDFAttachment_GetName(attachment, ...to));
    const contentType = readString(pdfium, (...to) => pdfium._FPDFAttachment_GetSubtype(attachment, ...to));
    const found = pdfium._FPDFAttachment_GetFile(attachment, 0, 0, size) !== 0;
    const length = found ? (new Uint32Array(pdfium.HEAPU8.buffer, size, 1)[0] ?? 0) : 0;
    let bytes = new Uint8Array();
    if (length > 0 && length <= Math.min(maxFileBytes, left)) {
      const buffer = pdfium.wasmExports.malloc(length);
      if (pdfium._FPDFAttachment_GetFile(attachment, buffer, length, size) !== 0)
        bytes = pdfium.HEAPU8.slice(buffer, buffer + length);
      pdfium.wasmExports.free(buffer);
      left -= length;
    }
    files.push({ bytes, filename: name === '' ? `attachment ${index + 1}` : name, contentType });
  }
  pdfium.wasmExports.free(size);
  return files;
};

/** Files within a PDF that can be read, and notes on the others. */
export interface OpenedAttachments {
  readonly notes: readonly string[];
  /** Returns their parts, in the order of the files. */
  readonly read: () => Promise<readonly Part[]>;
}

const withPlace = (part: Part, attachment: string): Part => {
  if (part.kind === 'unread') return part;
  if (part.kind === 'text') return { ...part, place: { ...part.place, attachment } };
  return { ...part, section: { ...part.section, place: { ...part.section.place, attachment } } };
};

/** Opens files within a PDF. Unreadable and very long ones are named in the notes. */
export const openAttachments = async (
  files: readonly InnerFile[],
  openInner: ReadContext['openInner'],
): Promise<OpenedAttachments> => {
  const opened: { readonly name: string; readonly file: OpenedFile }[] = [];
  const notes: string[] = [];
  for (const inner of files) {
    const name = attachmentName(inner);
    try {
      const file = await openInner(inner);
      if (file.units > maxUnits) throw new UnreadableFile(`it has ${file.units} pages or blocks of text`);
      opened.push({ name, file });
      notes.push(...file.notes.map((note) => `${name}: ${note}`));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      notes.push(`The attached file ${name} was not read: ${error.message}.`);
    }
  }
  const read = async (): Promise<readonly Part[]> => {
    const parts: Part[] = [];
    for (const { name, file } of opened) {
      try {
        for (const part of await file.read({ start: 1, end: file.units })) parts.push(withPlace(part, name));
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        parts.push({ kind: 'unread', reason: `The attached file ${name} was not read: ${error.message}.` });
      }
    }
    return parts;
  };
  return { notes, read };
};

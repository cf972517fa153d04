import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import type { LoadedPdf } from './load-pdf.ts';

/** Annotations of a page. */
export interface Annotations {
  /** Filled fields, each as `label: value`, and the texts of comments and text boxes. */
  readonly texts: readonly string[];
  /** Indexes of annotations whose text exists only in their appearance: stamps, signatures. */
  readonly shown: readonly number[];
  readonly count: number;
}

// Constants of PDFium's `fpdf_annot.h` and `fpdf_formfill.h`.
const hiddenOrNoView = 0x02 | 0x20;
const freeText = 3;
const stamp = 13;
const widget = 20;
const watermark = 24;
/**
 * Notes, text boxes, lines, shapes, marked words, stamps, drawings and attached files: the subtypes with readable
 * `Contents`.
 */
const comments = new Set([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17]);
const [checkBox, radioButton, comboBox, listBox, textField, signature] = [2, 3, 4, 5, 6, 7] as const;
const passwordFlag = 1 << 13;

/** Annotation with the form environment of its document. */
interface Annotation {
  readonly pdfium: PdfiumModule;
  readonly form: number;
  readonly annotation: number;
}

/** Reads a string of PDFium. @param write Writes it as UTF-16 and returns its bytes including the final zero. */
export const readString = (pdfium: PdfiumModule, write: (buffer: number, bytes: number) => number): string => {
  const bytes = write(0, 0);
  if (bytes <= 2) return '';
  const buffer = pdfium.wasmExports.malloc(bytes);
  write(buffer, bytes);
  const text = Buffer.from(pdfium.HEAPU8.buffer, buffer, bytes - 2).toString('utf16le');
  pdfium.wasmExports.free(buffer);
  return text.trim();
};

const entryOf = ({ pdfium, annotation }: Annotation, key: string): string => {
  const name = pdfium.wasmExports.malloc(key.length + 1);
  pdfium.HEAPU8.set(Buffer.from(`${key}\0`), name);
  const value = readString(pdfium, (...to) => pdfium._FPDFAnnot_GetStringValue(annotation, name, ...to));
  pdfium.wasmExports.free(name);
  return value;
};

const chosenOptions = ({ pdfium, form, annotation }: Annotation): string => {
  const options = Math.max(0, pdfium._FPDFAnnot_GetOptionCount(form, annotation));
  const chosen: string[] = [];
  for (let option = 0; option < options; option += 1) {
    if (pdfium._FPDFAnnot_IsOptionSelected(form, annotation, option) === 0) continue;
    chosen.push(readString(pdfium, (...to) => pdfium._FPDFAnnot_GetOptionLabel(form, annotation, option, ...to)));
  }
  return chosen.join(', ');
};

const valueOf = (field: Annotation, type: number): string => {
  const { pdfium, form, annotation } = field;
  if (type === checkBox || type === radioButton) {
    if (pdfium._FPDFAnnot_IsChecked(form, annotation) === 0) return '';
    return readString(pdfium, (...to) => pdfium._FPDFAnnot_GetFormFieldExportValue(form, annotation, ...to));
  }
  const chosen = type === comboBox || type === listBox ? chosenOptions(field) : '';
  const isSecret = type === textField && (pdfium._FPDFAnnot_GetFormFieldFlags(form, annotation) & passwordFlag) !== 0;
  if (chosen !== '' || isSecret) return chosen;
  return readString(pdfium, (...to) => pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, ...to));
};

/** Label of a field: its description, else its name without the names of its groups. */
const labelOf = ({ pdfium, form, annotation }: Annotation): string => {
  const description = readString(pdfium, (...to) =>
    pdfium._FPDFAnnot_GetFormFieldAlternateName(form, annotation, ...to),
  );
  if (description !== '') return description;
  const name = readString(pdfium, (...to) => pdfium._FPDFAnnot_GetFormFieldName(form, annotation, ...to));
  return (name.split('.').at(-1) ?? '').replace(/\[\d+\]$/, '');
};

const fieldText = (field: Annotation, type: number): string => {
  if (type < checkBox || type > textField) return '';
  const value = valueOf(field, type);
  if (value === '') return '';
  const label = labelOf(field);
  return label === '' ? value : `${label.replace(/\s*:$/, '')}: ${value}`;
};

interface Reading {
  readonly text: string;
  readonly isShown: boolean;
}

const readAnnotation = (one: Annotation): Reading | null => {
  const { pdfium, form, annotation } = one;
  if ((pdfium._FPDFAnnot_GetFlags(annotation) & hiddenOrNoView) !== 0) return null;
  const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
  if (subtype === widget) {
    const type = pdfium._FPDFAnnot_GetFormFieldType(form, annotation);
    return { text: fieldText(one, type), isShown: type === signature };
  }
  // The state of another comment: "Accepted set by Erna".
  const isVerdict = entryOf(one, 'StateModel') !== '';
  const text = comments.has(subtype) && !isVerdict ? entryOf(one, 'Contents') : '';
  const isShown = subtype === stamp || subtype === watermark || (subtype === freeText && text === '');
  return { text, isShown };
};

/** Reads the annotations of a page: filled fields, comments, text boxes. Links and hidden annotations are skipped. */
export const readAnnotations = (pdf: LoadedPdf, page: number): Annotations => {
  const { pdfium } = pdf;
  const count = Math.max(0, pdfium._FPDFPage_GetAnnotCount(page));
  const texts = new Set<string>();
  const shown: number[] = [];
  if (count === 0) return { texts: [], shown, count };
  const form = pdf.form();
  pdfium._FORM_OnAfterLoadPage(page, form);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const reading = readAnnotation({ pdfium, form, annotation });
    pdfium._FPDFPage_CloseAnnot(annotation);
    if (reading === null) continue;
    if (reading.text !== '') texts.add(reading.text);
    if (reading.isShown) shown.push(index);
  }
  pdfium._FORM_OnBeforeClosePage(page, form);
  return { texts: [...texts], shown, count };
};

/** Gives a page its visible box as its own. PDFium forgets an inherited one when it flattens annotations. */
const ownBox = (pdfium: PdfiumModule, page: number): void => {
  const memory = pdfium.wasmExports.malloc(16);
  if (pdfium._FPDF_GetPageBoundingBox(page, memory) !== 0) {
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4);
    pdfium._FPDFPage_SetMediaBox(page, left, bottom, right, top);
  }
  pdfium.wasmExports.free(memory);
};

/**
 * Removes all annotations of a page except those at `shown`, and makes these part of its content when it is reloaded.
 */
export const flattenShown = (pdfium: PdfiumModule, page: number, { shown, count }: Annotations): void => {
  const kept = new Set(shown);
  for (let index = count - 1; index >= 0; index -= 1) {
    if (!kept.has(index)) pdfium._FPDFPage_RemoveAnnot(page, index);
  }
  ownBox(pdfium, page);
  pdfium._FPDFPage_Flatten(page, 0);
};

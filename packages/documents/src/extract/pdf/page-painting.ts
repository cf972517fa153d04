import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { frameOf, toShown, type PageHandles, type TextStyle, type ToShown } from './page-characters.ts';
import { objectKinds, visitObjects, type PageObject } from './page-objects.ts';

/** Rectangle in points from the top left corner of the page as shown. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Filled area on a page. */
export interface Area extends Box {
  /** Position in the order of painting. */
  readonly order: number;
  readonly isPicture: boolean;
  /** Red, green and blue; null if it is not of one colour. */
  readonly colour: readonly [number, number, number] | null;
}

/** Paint of a page: its areas, and the order in which its text objects are painted. */
export interface PagePainting {
  readonly areas: readonly Area[];
  /** Order of each text object by its handle. */
  readonly textOrder: ReadonlyMap<number, number>;
  /** Text objects in forms, whose optional content and clipping PDFium doesn't report. */
  readonly inForms: ReadonlySet<number>;
  /** Whether the page has more objects than were looked at. */
  readonly isCut: boolean;
}

const maxObjects = 50_000;

// In points. Rules and underlines are thinner.
const minSide = 2;

/** Reads the areas that a page fills. `memory` are 32 bytes that PDFium may write into. */
class PaintingReader {
  readonly areas: Area[] = [];
  readonly textOrder = new Map<number, number>();
  readonly inForms = new Set<number>();
  readonly #pdfium: PdfiumModule;
  readonly #memory: number;
  readonly #toShown: ToShown;
  #order = 0;

  constructor(pdfium: PdfiumModule, memory: number, conversion: ToShown) {
    this.#pdfium = pdfium;
    this.#memory = memory;
    this.#toShown = conversion;
  }

  visit(object: PageObject): void {
    this.#order += 1;
    if (object.kind === objectKinds.text) {
      this.textOrder.set(object.object, this.#order);
      if (object.isInForm) this.inForms.add(object.object);
    } else if (object.kind !== objectKinds.form) this.#addArea(object);
  }

  #addArea({ object, kind, toPage }: PageObject): void {
    const pdfium = this.#pdfium;
    const at = this.#memory;
    if (pdfium._FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.HEAPU8.buffer, at, 4);
    const corners = [
      [left, bottom],
      [left, top],
      [right, bottom],
      [right, top],
    ] as const;
    const [a, b, c, d, e, f] = toPage;
    const [p, q, r, s, t, u] = this.#toShown;
    const [xs, ys] = [[] as number[], [] as number[]];
    for (const [x, y] of corners) {
      const [pageX, pageY] = [a * x + c * y + e, b * x + d * y + f];
      xs.push(p * pageX + q * pageY + r);
      ys.push(s * pageX + t * pageY + u);
    }
    const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    if (box.right - box.left < minSide || box.bottom - box.top < minSide) return;
    if (kind === objectKinds.path && !this.#isFilled(object)) return;
    const colour = kind === objectKinds.path ? this.#colour(object) : null;
    this.areas.push({ ...box, order: this.#order, isPicture: kind === objectKinds.picture, colour });
  }

  #isFilled(path: number): boolean {
    if (this.#pdfium._FPDFPath_GetDrawMode(path, this.#memory, this.#memory + 4) === 0) return true;
    return (new Int32Array(this.#pdfium.HEAPU8.buffer, this.#memory, 1)[0] ?? 0) !== 0;
  }

  #colour(path: number): Area['colour'] {
    const at = this.#memory;
    if (this.#pdfium._FPDFPageObj_GetFillColor(path, at, at + 4, at + 8, at + 12) === 0) return null;
    const [red = 0, green = 0, blue = 0, opacity = 0] = new Uint32Array(this.#pdfium.HEAPU8.buffer, at, 4);
    return opacity === 255 ? [red, green, blue] : null;
  }
}

/** Reads what a page paints besides its characters. */
export const readPainting = ({ pdfium, page }: PageHandles): PagePainting => {
  const memory = pdfium.wasmExports.malloc(32);
  const reader = new PaintingReader(pdfium, memory, toShown(frameOf(pdfium, page)));
  const isWhole = visitObjects(pdfium, page, maxObjects, (object) => reader.visit(object));
  pdfium.wasmExports.free(memory);
  return { areas: reader.areas, textOrder: reader.textOrder, inForms: reader.inForms, isCut: !isWhole };
};

const maxMarks = 16;
const nameBytes = 64;

/** Whether a text object belongs to optional content, which can be switched off. */
export const isOptional = (pdfium: PdfiumModule, object: number): boolean => {
  const marks = pdfium._FPDFPageObj_CountMarks(object);
  if (marks <= 0) return false;
  if (marks > maxMarks) return true;
  const memory = pdfium.wasmExports.malloc(nameBytes + 4);
  let found = false;
  for (let index = 0; index < marks && !found; index += 1) {
    const mark = pdfium._FPDFPageObj_GetMark(object, index);
    if (pdfium._FPDFPageObjMark_GetName(mark, memory, nameBytes, memory + nameBytes) === 0) continue;
    found = Buffer.from(pdfium.HEAPU8.subarray(memory, memory + 6)).toString('utf16le') === 'OC\0';
  }
  pdfium.wasmExports.free(memory);
  return found;
};

const maxClipPaths = 8;

/** Rectangles by which a text object is clipped; null if other shapes clip it. */
export const clipsOf = ({ pdfium, page }: PageHandles, object: number): readonly Box[] | null => {
  const clip = pdfium._FPDFPageObj_GetClipPath(object);
  const paths = clip === 0 ? 0 : pdfium._FPDFClipPath_CountPaths(clip);
  if (paths <= 0) return [];
  if (paths > maxClipPaths) return null;
  const [p, q, r, s, t, u] = toShown(frameOf(pdfium, page));
  const memory = pdfium.wasmExports.malloc(8);
  const readBox = (path: number): Box | null => {
    const segments = pdfium._FPDFClipPath_CountPathSegments(clip, path);
    if (segments < 4 || segments > 5) return null;
    const points = Array.from({ length: segments }, (_, index) => {
      const segment = pdfium._FPDFClipPath_GetPathSegment(clip, path, index);
      pdfium._FPDFPathSegment_GetPoint(segment, memory, memory + 4);
      const [x = 0, y = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 2);
      return [p * x + q * y + r, s * x + t * y + u] as const;
    });
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    const isCorner = ([x, y]: readonly [number, number]): boolean =>
      Math.min(x - box.left, box.right - x) < 0.1 && Math.min(y - box.top, box.bottom - y) < 0.1;
    return points.every(isCorner) ? box : null;
  };
  const boxes = Array.from({ length: paths }, (_, path) => readBox(path));
  pdfium.wasmExports.free(memory);
  return boxes.every((box) => box !== null) ? boxes : null;
};

/** Greatest difference of two colours in red, green or blue. */
export const colourDistance = (
  one: readonly [number, number, number] | TextStyle['fill'],
  other: readonly [number, number, number],
): number => Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]), Math.abs(one[2] - other[2]));

import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { frameOf, toShown, type ToShown } from '../page-characters.ts';
import { combine, objectKinds, visitObjects, type Matrix } from '../page-objects.ts';

/** Line of a page, in points from its top left corner: horizontal ones at height `at`, vertical ones at distance `at`. */
export interface Rule {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Horizontal and vertical lines of a page, such as those around the cells of a table. */
export interface PageRules {
  readonly horizontal: readonly Rule[];
  readonly vertical: readonly Rule[];
}

export const noRules: PageRules = { horizontal: [], vertical: [] };

// In points: pieces are one line if they and their ends are so near.
const near = 3;
const same = 2;

const maxLines = 400;

/** Joins the pieces of each line, and sorts lines by position. */
export const joinPieces = (rules: readonly Rule[]): readonly Rule[] => {
  const lines: { at: number; from: number; to: number }[] = [];
  for (const rule of rules.toSorted((one, other) => one.at - other.at || one.from - other.from)) {
    const line = lines.findLast(
      ({ at, from, to }) => Math.abs(at - rule.at) <= same && rule.from <= to + near && rule.to >= from - near,
    );
    if (line === undefined) {
      lines.push({ ...rule });
    } else {
      line.from = Math.min(line.from, rule.from);
      line.to = Math.max(line.to, rule.to);
    }
    if (lines.length > maxLines) return [];
  }
  return lines;
};

// A page with more is a drawing.
const maxObjects = 20_000;
const maxPathSegments = 2_000;
const maxRules = 3_000;

// In points. A filled rectangle that is thicker is a background.
const maxThickness = 2.5;
const minLength = 6;
const straight = 0.6;

interface Found {
  readonly horizontal: Rule[];
  readonly vertical: Rule[];
}

const addBox = (found: Found, x1: number, y1: number, x2: number, y2: number): boolean => {
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (height <= maxThickness && width >= minLength) {
    found.horizontal.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) });
    return true;
  }
  if (width <= maxThickness && height >= minLength) {
    found.vertical.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) });
    return true;
  }
  return false;
};

/** Reads paths. `memory` are 32 bytes that PDFium may write into. */
class RuleReader {
  readonly #pdfium: PdfiumModule;
  readonly #toShown: ToShown;
  readonly #memory: number;
  readonly found: Found = { horizontal: [], vertical: [] };
  #segments = 0;

  constructor(pdfium: PdfiumModule, shown: ToShown, memory: number) {
    this.#pdfium = pdfium;
    this.#toShown = shown;
    this.#memory = memory;
  }

  #floats(count: number): readonly number[] {
    return [...new Float32Array(this.#pdfium.HEAPU8.buffer, this.#memory, count)];
  }

  #shown([a, b, c, d, e, f]: Matrix, x: number, y: number): readonly [number, number] {
    const [pageX, pageY] = [a * x + c * y + e, b * x + d * y + f];
    const [p, q, r, s, t, u] = this.#toShown;
    return [p * pageX + q * pageY + r, s * pageX + t * pageY + u];
  }

  get isFull(): boolean {
    return this.found.horizontal.length + this.found.vertical.length > maxRules;
  }

  read(path: number, toPage: Matrix): void {
    const pdfium = this.#pdfium;
    const at = this.#memory;
    if (this.isFull || pdfium._FPDFPageObj_GetBounds(path, at, at + 4, at + 8, at + 12) === 0) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#floats(4);
    if (addBox(this.found, ...this.#shown(toPage, left, bottom), ...this.#shown(toPage, right, top))) return;
    pdfium._FPDFPath_GetDrawMode(path, at, at + 4);
    const isStroked = new Int32Array(pdfium.HEAPU8.buffer, at + 4, 1)[0] !== 0;
    const segments = pdfium._FPDFPath_CountSegments(path);
    if (!isStroked || segments > maxPathSegments || this.#segments > maxObjects) return;
    this.#segments += segments;
    this.#readSegments(path, segments, toPage);
  }

  #readSegments(path: number, segments: number, toPage: Matrix): void {
    const pdfium = this.#pdfium;
    const at = this.#memory;
    const own = pdfium._FPDFPageObj_GetMatrix(path, at) === 0 ? [1, 0, 0, 1, 0, 0] : this.#floats(6);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = own;
    const matrix = combine([a, b, c, d, e, f], toPage);
    let start: readonly [number, number] = [0, 0];
    let last = start;
    const draw = (to: readonly [number, number]): void => {
      const isStraight = Math.abs(to[0] - last[0]) <= straight || Math.abs(to[1] - last[1]) <= straight;
      if (isStraight) addBox(this.found, ...last, ...to);
    };
    for (let index = 0; index < segments; index += 1) {
      const segment = pdfium._FPDFPath_GetPathSegment(path, index);
      if (pdfium._FPDFPathSegment_GetPoint(segment, at, at + 4) === 0) continue;
      const [x = 0, y = 0] = this.#floats(2);
      const point = this.#shown(matrix, x, y);
      const type = pdfium._FPDFPathSegment_GetType(segment);
      if (type === 0) draw(point);
      if (type === 2) start = point;
      last = point;
      if (pdfium._FPDFPathSegment_GetClose(segment) === 0) continue;
      draw(start);
      last = start;
    }
  }
}

/** Reads the straight lines of a page: lines, thin rectangles, and the sides of rectangles. */
export const readRules = (pdfium: PdfiumModule, page: number): PageRules => {
  const memory = pdfium.wasmExports.malloc(32);
  const reader = new RuleReader(pdfium, toShown(frameOf(pdfium, page)), memory);
  visitObjects(pdfium, page, maxObjects, ({ object, kind, toPage }) => {
    if (kind === objectKinds.path) reader.read(object, toPage);
  });
  pdfium.wasmExports.free(memory);
  return reader.isFull ? noRules : reader.found;
};

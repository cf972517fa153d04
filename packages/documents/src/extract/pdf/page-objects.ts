import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';

/** PDFium's kinds of page objects. */
export const objectKinds = { text: 1, path: 2, picture: 3, shading: 4, form: 5 } as const;

/** Conversion of coordinates: `[a, b, c, d, e, f]` as in PDF. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Object on a page, or in a form on it. */
export interface PageObject {
  /** PDFium's handle, valid while the page is open. */
  readonly object: number;
  readonly kind: number;
  /** Conversion of its coordinates to those of the page. */
  readonly toPage: Matrix;
  /** Whether it is in a form, whose own visibility PDFium doesn't report. */
  readonly isInForm: boolean;
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the conversion that applies `first`, then `second`. */
export const combine = (first: Matrix, second: Matrix): Matrix => {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u];
};

const maxDepth = 8;

/** Reads the conversion of a form's coordinates. */
const matrixOf = (pdfium: PdfiumModule, object: number): Matrix => {
  const memory = pdfium.wasmExports.malloc(24);
  const found = pdfium._FPDFPageObj_GetMatrix(object, memory) !== 0;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 6);
  pdfium.wasmExports.free(memory);
  return found ? [a, b, c, d, e, f] : identity;
};

const walk = (
  pdfium: PdfiumModule,
  form: { readonly count: number; readonly objectAt: (index: number) => number },
  inside: { readonly toPage: Matrix; readonly depth: number },
  state: { readonly visit: (object: PageObject) => void; left: number },
): void => {
  for (let index = 0; index < form.count && state.left > 0; index += 1) {
    const object = form.objectAt(index);
    const kind = pdfium._FPDFPageObj_GetType(object);
    state.left -= 1;
    state.visit({ object, kind, toPage: inside.toPage, isInForm: inside.depth > 0 });
    if (kind !== objectKinds.form || inside.depth >= maxDepth) continue;
    const inner = {
      count: pdfium._FPDFFormObj_CountObjects(object),
      objectAt: (at: number) => pdfium._FPDFFormObj_GetObject(object, at),
    };
    const toPage = combine(matrixOf(pdfium, object), inside.toPage);
    walk(pdfium, inner, { toPage, depth: inside.depth + 1 }, state);
  }
};

/**
 * Visits the objects of a page in the order in which they are painted, those of forms included.
 * @returns Whether all were visited; false beyond `maxObjects`.
 */
export const visitObjects = (
  pdfium: PdfiumModule,
  page: number,
  maxObjects: number,
  visit: (object: PageObject) => void,
): boolean => {
  const state = { visit, left: maxObjects };
  const whole = {
    count: pdfium._FPDFPage_CountObjects(page),
    objectAt: (index: number) => pdfium._FPDFPage_GetObject(page, index),
  };
  walk(pdfium, whole, { toPage: identity, depth: 0 }, state);
  return state.left > 0;
};

/** Files that reading PDFs needs, relative to the assets directory; `node_modules` itself is laid out like one. */
export const pdfiumFiles = ['@hyzyla/pdfium/dist/pdfium.wasm'] as const;

/** Files that readers need, relative to the assets directory; `node_modules` itself is laid out like one. */
export const readerFiles = {
  pdfium: '@hyzyla/pdfium/dist/pdfium.wasm',
  magick: '@imagemagick/magick-wasm/dist/x86/magick.wasm',
} as const;

/** The bundle that reads files in a process of its own: its id, and its name beside the bundle of a function. */
export const readerProcess = { id: 'read-files', file: 'read-files.cjs' } as const;

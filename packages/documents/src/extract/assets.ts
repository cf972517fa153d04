/** Files that the readers load, relative to the assets directory. `node_modules` has the same layout. */
export const readerFiles = {
  pdfium: '@hyzyla/pdfium/dist/pdfium.wasm',
  magick: '@imagemagick/magick-wasm/dist/x86/magick.wasm',
} as const;

/** Bundle of the process that reads files: its id, and its file name beside the bundle of a function. */
export const readerProcess = { id: 'read-files', file: 'read-files.cjs' } as const;

import { join } from 'node:path';
import { pdfiumFiles } from './assets.ts';
import { detectFormat, type Format } from './detect-format.ts';
import type { FormatReader } from './format.ts';
import type { Extractor } from './port.ts';
import { blockReader } from './read-blocks.ts';
import { htmlBlocks } from './read-html.ts';
import { markdownBlocks } from './read-markdown.ts';
import { pdfReader } from './read-pdf.ts';
import { plainTextBlocks } from './read-plain-text.ts';

/**
 * Reads PDF, HTML, Markdown and plain text, each in its own file; parsers are loaded when they are first needed.
 * @param options `assetsDirectory` holds the files of `pdfiumFiles`: `node_modules`, or where they lie beside a bundle.
 */
export const createExtractor = (options: { readonly assetsDirectory: string }): Extractor => {
  const readers: Readonly<Record<Format, FormatReader>> = {
    pdf: pdfReader(join(options.assetsDirectory, pdfiumFiles[0])),
    html: blockReader(htmlBlocks),
    markdown: blockReader(markdownBlocks),
    text: blockReader(plainTextBlocks),
  };
  return {
    inspect: async (file) => {
      if (file.bytes.length === 0) return { format: 'text', units: 0, paged: false, notes: [] };
      const format = await detectFormat(file);
      const reader = readers[format];
      return { format, units: Math.max(1, await reader.countUnits(file)), paged: reader.paged, notes: [] };
    },
    extract: async (file, range) => {
      if (file.bytes.length === 0) return [];
      return readers[await detectFormat(file)].readUnits(file, range);
    },
  };
};

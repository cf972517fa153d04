// `npm run read -- FILE`: prints what is read from a file.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandLine } from '../../../../scripts/support/read-command-line.ts';
import { projectDirectory } from '../../../../scripts/support/project-directory.ts';
import { chunkSections } from '../extract/chunk/chunk.ts';
import { UnreadableFile } from '../extract/port.ts';
import { createTesseractOcr } from '../ocr/tesseract.ts';
import { toMarkdown } from './file-text.ts';
import { readDocument } from './read-document.ts';

const usage = `npm run read -- [options] FILE

Prints the text that is read from a file, as Markdown. What is not read is noted on standard error.

  --json       prints format, sections with pages, headings and places, and notes
  --chunks     with --json: prints chunks of the default size, as rows of an index have them, in place of sections
  --no-ocr     reads no pictures
  --type TYPE  declared media type, for formats that content and name do not identify
`;

const { values, positionals } = commandLine({
  options: {
    json: { type: 'boolean', default: false },
    chunks: { type: 'boolean', default: false },
    ocr: { type: 'boolean', default: true },
    type: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
  allowPositionals: true,
});
const [path] = positionals;
if (values.help || path === undefined || positionals.length > 1) {
  console.log(usage);
  process.exit(values.help ? 0 : 1);
}

const assetsDirectory = join(projectDirectory, 'node_modules');
const workerFile = join(import.meta.dirname, '..', 'ocr', 'run-tesseract.ts');
const modelsDirectory = join(projectDirectory, 'models');
const ocr = values.ocr ? createTesseractOcr({ assetsDirectory, modelsDirectory, workerFile }) : null;
try {
  const file = { filename: basename(path), bytes: readFileSync(path), contentType: values.type, maySupplyRows: false };
  const { sections, ...document } = await readDocument(file, assetsDirectory, ocr);
  const parts = values.chunks ? { chunks: chunkSections(sections) } : { sections };
  console.log(values.json ? JSON.stringify({ ...document, ...parts }, null, 2) : toMarkdown({ sections }).trimEnd());
  for (const note of document.notes) console.error(note);
} catch (error) {
  if (!(error instanceof UnreadableFile) && !(error instanceof Error && 'code' in error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import type { Block } from '../cut-units.ts';
import { wholePageBlocks } from '../html/read-html.ts';
import { markdownBlocks } from '../text/read-markdown.ts';

const Lines = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]);

/** Output of a cell, in one or several kinds by media type. Before version 4 the kinds were its own fields. */
const Output = z.looseObject({
  data: z.record(z.string(), z.unknown()).optional(),
  text: Lines.optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});

const Cell = z.object({
  cell_type: z.string(),
  source: Lines.optional(),
  /** Source of code before version 4. */
  input: Lines.optional(),
  outputs: z.array(Output).default([]),
});

const Cells = z.array(Cell);

const Notebook = z
  .object({
    nbformat: z.number(),
    cells: Cells.default([]),
    /** Cells before version 4. */
    worksheets: z.array(z.object({ cells: Cells })).default([]),
  })
  .transform(({ cells, worksheets }) => [...cells, ...worksheets.flatMap((sheet) => sheet.cells)]);

/** Renders text as a terminal would: without colours, and with only the last state of an overwritten line. */
const shown = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');

const textBlocks = (text: string): readonly Block[] =>
  text.trim() === '' ? [] : [{ text: text.trimEnd(), level: null }];

/** Placeholder of an object that has another representation: `<IPython.core.display.HTML object>`. */
const objectName = /^<[\w.]+ (?:object|at 0x).*>$/;

/** Blocks of an output. A picture has none, since its text is only a placeholder. */
const outputBlocks = async (output: z.infer<typeof Output>): Promise<Iterable<Block>> => {
  const { data, text, ename, evalue } = output;
  if (ename !== undefined) return textBlocks(shown(`${ename}: ${evalue ?? ''}`));
  const kinds = data ?? output;
  if (Object.keys(kinds).some((kind) => /^(?:image\/.*|png|jpeg|svg)$/.test(kind))) return [];
  const textOf = (kind: string): string => Lines.safeParse(kinds[kind]).data ?? '';
  const plain = shown(textOf('text/plain') || (text ?? ''));
  if (plain.trim() !== '' && !objectName.test(plain.trim())) return textBlocks(plain);
  if (textOf('text/markdown') !== '') return markdownBlocks(textOf('text/markdown'));
  return textOf('text/html') === '' ? textBlocks(plain) : wholePageBlocks(textOf('text/html'));
};

const cellBlocks = async (cell: z.infer<typeof Cell>): Promise<readonly Block[]> => {
  const source = cell.source ?? cell.input ?? '';
  if (cell.cell_type === 'markdown') return markdownBlocks(source);
  const blocks = [...textBlocks(source)];
  for (const output of cell.outputs) for (const block of await outputBlocks(output)) blocks.push(block);
  return blocks;
};

/** Blocks of a Jupyter notebook: prose under its headings, code unchanged, and textual outputs. Null for other JSON. */
export const notebookBlocks = async (value: unknown): Promise<readonly Block[] | null> => {
  const notebook = Notebook.safeParse(value);
  if (!notebook.success) return null;
  const blocks: Block[] = [];
  for (const cell of notebook.data) for (const block of await cellBlocks(cell)) blocks.push(block);
  return blocks;
};

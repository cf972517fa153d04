import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import type { Block } from '../cut-units.ts';
import { wholePageBlocks } from '../html/read-html.ts';
import { markdownBlocks } from '../text/read-markdown.ts';

const Lines = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]);

/** What running a cell has given, in one of several kinds by media type. Before version 4 they stood in it themselves. */
const Output = z.looseObject({
  data: z.record(z.string(), z.unknown()).optional(),
  text: Lines.optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
});

const Cell = z.object({
  cell_type: z.string(),
  source: Lines.optional(),
  /** The source of code before version 4. */
  input: Lines.optional(),
  outputs: z.array(Output).default([]),
});

const Cells = z.array(Cell);

const Notebook = z
  .object({
    nbformat: z.number(),
    cells: Cells.default([]),
    /** Where the cells lay before version 4. */
    worksheets: z.array(z.object({ cells: Cells })).default([]),
  })
  .transform(({ cells, worksheets }) => [...cells, ...worksheets.flatMap((sheet) => sheet.cells)]);

/** What a terminal would show: no colours, and of a line that was written over and over its last state. */
const shown = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');

const textBlocks = (text: string): readonly Block[] =>
  text.trim() === '' ? [] : [{ text: text.trimEnd(), level: null }];

/** What stands for an object that can say itself only in another way: `<IPython.core.display.HTML object>`. */
const objectName = /^<[\w.]+ (?:object|at 0x).*>$/;

/** The words of an output; none for a picture, of which the text beside it only says that it is one. */
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

/** The cells of a Jupyter notebook: prose under its headings, code as it stands, and what it gave as text; null for other JSON. */
export const notebookBlocks = async (value: unknown): Promise<readonly Block[] | null> => {
  const notebook = Notebook.safeParse(value);
  if (!notebook.success) return null;
  const blocks: Block[] = [];
  for (const cell of notebook.data) for (const block of await cellBlocks(cell)) blocks.push(block);
  return blocks;
};

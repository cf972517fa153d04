import { access, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Section } from '#documents';
import { countShared, tablesOf, type TruthSet } from './truth-set.ts';

const kinds = [
  'pdf',
  'docx',
  'doc',
  'pptx',
  'xlsx',
  'html',
  'md',
  'csv',
  'odf',
  'epub',
  'asciidoc',
  'jats',
  'latex',
  'webvtt',
];

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const plain = (markdown: string): string =>
  markdown
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([_*#|<>])/g, '$1')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>');

const cellKey = (text: string): string => wordsOf(text).join(' ');

/** The Markdown of PDFs has the number of some headings at their end. */
const headingKey = (text: string): string => wordsOf(text).toSorted().join(' ');

/** Values of a table with the values beside them, which shows that they are in their row. */
const cellsOf = (rows: readonly (readonly string[])[]): readonly string[] =>
  rows
    .flatMap((row) =>
      row.map((cell, at) => (cellKey(cell) === '' ? '' : `${cellKey(row[at - 1] ?? '')}\t${cellKey(cell)}`)),
    )
    .filter((cell) => cell !== '');

interface Truth {
  readonly words: readonly string[];
  readonly cells: readonly string[];
  readonly headings: readonly string[];
}

const truthOf = (markdown: string): Truth => {
  const lines = plain(markdown).split('\n');
  const rows = lines
    .filter((line) => /^\s*\|.*\|\s*$/.test(line) && !/^\s*\|[-:|\s]+\|\s*$/.test(line))
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  return {
    words: wordsOf(lines.filter((line) => !/^\s*\|[-:|\s]+\|\s*$/.test(line)).join('\n')),
    cells: cellsOf(rows),
    headings: lines
      .flatMap((line) => /^#{1,6}\s+(.*)$/.exec(line)?.[1] ?? [])
      .map(headingKey)
      .filter((title) => title !== ''),
  };
};

const readingOf = (sections: readonly Section[]): Truth => {
  const text = sections.map((section) => section.text).join('\n\n');
  const rows = sections.flatMap((section) => tablesOf(section).flat());
  // Rows of a sheet and of a wide table name their columns.
  const named = text.split('\n').map((line) => line.replace(/^[^:]{1,200}: /, ''));
  const titles = new Set(sections.flatMap(({ headingPath }) => headingPath).map(headingKey));
  return { words: wordsOf(text), cells: [...cellsOf(rows), ...named.map(cellKey)], headings: [...titles] };
};

/** Cells of the truth that were read, each beside the same value or in a line of its own. */
const countCells = (truth: Truth, read: Truth): number => {
  const found = new Set(read.cells);
  return truth.cells.filter((cell) => found.has(cell) || found.has(cell.split('\t')[1] ?? '')).length;
};

const exists = async (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Files with their Markdown: https://github.com/docling-project/docling, `tests/data`. Of PDFs it is the output of docling. */
export const doclingFiles: TruthSet = {
  folder: 'docling',
  measure: async (folder, read) => {
    const rows: (readonly (string | number | null)[])[] = [];
    const worst: string[] = [];
    for (const kind of kinds) {
      const root = join(folder, 'tests/data', kind);
      if (!(await exists(root))) continue;
      const files = (await readdir(root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && !entry.parentPath.includes('groundtruth'))
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted();
      const sums = { files: 0, recall: 0, precision: 0, cells: 0, ofCells: 0, headings: 0, ofHeadings: 0 };
      for (const file of files) {
        const name = basename(file);
        const candidates = [`${name}.md`, `${name.slice(0, -extname(name).length)}.md`].map((one) =>
          join(root, 'groundtruth', one),
        );
        const present = await Promise.all(candidates.map(exists));
        const path = candidates[present.indexOf(true)];
        if (path === undefined) continue;
        const truth = truthOf(await readFile(path, 'utf8'));
        const reading = await read(name, await readFile(file)).then(readingOf, () => null);
        if (reading === null) {
          worst.push(`${join(basename(dirname(file)), name)}: refused`);
          continue;
        }
        const shared = countShared(truth.words, reading.words);
        const cells = countCells(truth, reading);
        const titles = new Set(reading.headings);
        const headings = truth.headings.filter((title) => titles.has(title)).length;
        sums.files += 1;
        sums.recall += shared / Math.max(1, truth.words.length);
        sums.precision += shared / Math.max(1, reading.words.length);
        sums.cells += cells;
        sums.ofCells += truth.cells.length;
        sums.headings += headings;
        sums.ofHeadings += truth.headings.length;
        if (cells < truth.cells.length * 0.85 || headings < truth.headings.length * 0.8)
          worst.push(`${name}: cells ${cells}/${truth.cells.length}, headings ${headings}/${truth.headings.length}`);
      }
      if (sums.files > 0)
        rows.push([
          kind,
          String(sums.files),
          sums.recall / sums.files,
          sums.precision / sums.files,
          `${sums.cells}/${sums.ofCells}`,
          `${sums.headings}/${sums.ofHeadings}`,
        ]);
    }
    return {
      title: 'Files of the tests of docling',
      columns: ['Kind', 'Files', 'Words found', 'Words that belong', 'Cells', 'Headings'],
      rows,
      worst,
    };
  },
};

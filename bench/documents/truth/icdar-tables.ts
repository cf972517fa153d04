import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countShared, tablesOf, type TruthSet } from './truth-set.ts';

interface Cell {
  readonly text: string;
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** Text of a cell without leaders, white space and signs that fonts draw in several ways. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\.(?:\s*\.){4,}/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.,%$€£()+-]/gu, '');

const attribute = (tag: string, name: string): number | undefined => {
  const value = new RegExp(`\\b${name}=["'](\\d+)["']`).exec(tag)?.[1];
  return value === undefined ? undefined : Number(value);
};

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** Cells of the tables in a file of the competition. */
const truthOf = (xml: string): readonly (readonly Cell[])[] =>
  [...xml.matchAll(/<table\b[^]*?<\/table>/g)].map(([table]) =>
    // Regions of a table on several pages count on only if the file states so; their cells are never neighbours then.
    [...table.matchAll(/<region\b([^>]*)>([^]*?)<\/region>/g)].flatMap(([, region = '', content = '']) =>
      [...content.matchAll(/<cell\b([^>]*)>[^]*?<content>([^]*?)<\/content>[^]*?<\/cell>/g)].map(
        ([, tag = '', text = '']) => {
          const [row, column] = [attribute(region, 'row-increment') ?? 0, attribute(region, 'col-increment') ?? 0];
          const [top, left] = [row + (attribute(tag, 'start-row') ?? 0), column + (attribute(tag, 'start-col') ?? 0)];
          return {
            text: plain(decode(text)),
            top,
            left,
            bottom: row + (attribute(tag, 'end-row') ?? top - row),
            right: column + (attribute(tag, 'end-col') ?? left - column),
          };
        },
      ),
    ),
  );

/** Cells of a table that was read. Equal neighbours are one merged cell; short values, such as yes, recur by chance. */
const readCells = (rows: readonly (readonly string[])[]): readonly Cell[] => {
  const taken = new Set<string>();
  const cells: Cell[] = [];
  const at = (row: number, column: number): string => plain(rows[row]?.[column] ?? '');
  for (const [row, line] of rows.entries())
    for (const column of line.keys()) {
      const text = at(row, column);
      if (text === '' || taken.has(`${row} ${column}`)) continue;
      const isWord = /\p{L}{4}/u.test(text);
      const countEqual = (next: (offset: number) => string): number => {
        let count = 0;
        while (next(count + 1) === text) count += 1;
        return isWord ? count : 0;
      };
      const right = column + countEqual((offset) => at(row, column + offset));
      const bottom = right > column ? row : row + countEqual((offset) => at(row + offset, column));
      for (let y = row; y <= bottom; y += 1) for (let x = column; x <= right; x += 1) taken.add(`${y} ${x}`);
      cells.push({ text, top: row, bottom, left: column, right });
    }
  return cells;
};

/** Pairs of cells that are neighbours in a row or a column, without empty cells between them. */
const relationsOf = (cells: readonly Cell[]): readonly string[] => {
  const shown = cells.filter(({ text }) => text !== '');
  return shown.flatMap((cell) => {
    const beside = shown
      .filter(({ left, top, bottom }) => left > cell.right && top <= cell.bottom && bottom >= cell.top)
      .toSorted((one, other) => one.left - other.left);
    const below = shown
      .filter(({ left, right, top }) => top > cell.bottom && left <= cell.right && right >= cell.left)
      .toSorted((one, other) => one.top - other.top);
    return [
      ...beside.filter(({ left }) => left === beside[0]?.left).map(({ text }) => `${cell.text}\t${text}\tright`),
      ...below.filter(({ top }) => top === below[0]?.top).map(({ text }) => `${cell.text}\t${text}\tdown`),
    ];
  });
};

/** Tables of the ICDAR 2013 competition, which are in https://github.com/tabulapdf/tabula-java */
export const icdarTables: TruthSet = {
  folder: 'tabula-java',
  measure: async (folder, read) => {
    const root = join(folder, 'src/test/resources/technology/tabula/icdar2013-dataset');
    const names = (await readdir(root, { recursive: true })).toSorted();
    const truths = names.filter((name) => name.endsWith('-str.xml'));
    // Tables that can be read in two ways have two files of truth, such as `eu-009a` and `eu-009b`: the nearer one counts.
    const files = Map.groupBy(truths, (name) => {
      const stem = name.replace('-str.xml', '');
      const first = stem.replace(/b$/, 'a');
      return `${names.includes(`${stem}.pdf`) ? stem : first}.pdf`;
    });
    const sums = { expected: 0, found: 0, shared: 0 };
    const scores: { readonly name: string; readonly score: number }[] = [];
    for (const [name, parts] of files) {
      if (!names.includes(name)) continue;
      const xml = await Promise.all(parts.map(async (part) => readFile(join(root, part), 'utf8')));
      const bytes = await readFile(join(root, name));
      const sections = await read(name, bytes);
      const found = sections.flatMap((section) => tablesOf(section).flatMap((rows) => relationsOf(readCells(rows))));
      const [best = { expected: [], shared: 0 }] = xml
        .map((text) => truthOf(text).flatMap(relationsOf))
        .map((expected) => ({ expected, shared: countShared(expected, found) }))
        .toSorted((one, other) => other.shared / other.expected.length - one.shared / one.expected.length);
      const { expected, shared } = best;
      sums.expected += expected.length;
      sums.found += found.length;
      sums.shared += shared;
      scores.push({
        name: `${name} ${shared}/${expected.length}/${found.length}`,
        score: (2 * shared) / Math.max(1, expected.length + found.length),
      });
    }
    const [precision, recall] = [sums.shared / sums.found, sums.shared / sums.expected];
    return {
      title: 'Tables of PDFs (ICDAR 2013): relations of neighbouring cells',
      columns: ['Documents', 'F1', 'Precision', 'Recall', 'Mean F1 of documents'],
      rows: [
        [
          String(files.size),
          (2 * precision * recall) / (precision + recall),
          precision,
          recall,
          scores.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scores.length),
        ],
      ],
      worst: scores
        .toSorted((one, other) => one.score - other.score)
        .slice(0, 25)
        .map(({ name, score }) => `${name} ${score.toFixed(2)}`),
    };
  },
};

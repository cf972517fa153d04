import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../support/make-pdf.ts';
import { fileOf, readHere } from './read.ts';

/** Numbers below `limit` that follow from a seed. */
const numbersOf = (seed: number): ((limit: number) => number) => {
  let state = seed * 7_919 + 17;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
};

const words = 'harbour fog rain captain logbook compass night water engine north ship crew morning signal rope'.split(
  ' ',
);

const wordsOf = (below: (limit: number) => number, count: number): string =>
  Array.from({ length: count }, () => words[below(words.length)]).join(' ');

const read = async (bytes: Uint8Array): Promise<string> =>
  (await readHere(fileOf('a.pdf', bytes))).map(({ text }) => text).join('\n\n');

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

test('text in two and three columns is read column by column, also if it was painted line by line', async () => {
  let [inOrder, all] = [0, 0];
  for (const seed of seeds) {
    const below = numbersOf(seed);
    const columns = 2 + (seed % 2);
    const [size, gap] = [8 + below(4), 14 + below(14)];
    const width = (512 - gap * (columns - 1)) / columns;
    const perLine = Math.floor(width / (size * 3.1));
    let nth = 0;
    const texts = Array.from({ length: columns }, () =>
      Array.from({ length: 18 }, () => `${wordsOf(below, 1)} ${(nth += 1)}x ${wordsOf(below, perLine - 2)}`),
    );
    const bytes = await buildPdf((document) => {
      document.fontSize(size);
      for (let line = 0; line < 18; line += 1)
        for (const [column, lines] of texts.entries())
          document.text(lines[line] ?? '', 50 + column * (width + gap), 80 + line * size * 1.3, { lineBreak: false });
    });
    const numbers = [...(await read(bytes)).matchAll(/(\d+)x/g)].map(([, number]) => Number(number));
    inOrder += numbers.slice(1).filter((number, index) => number === (numbers[index] ?? 0) + 1).length;
    all += columns * 18 - 1;
  }
  assert.ok(inOrder / all >= 0.98, `${inOrder} of ${all} lines follow the line before them`);
});

for (const [kind, aim] of [
  ['with rules', 0.95],
  ['without rules', 0.9],
] as const) {
  test(`rows and cells of a PDF table ${kind} are read with empty cells and right-aligned numbers`, async () => {
    let [found, all] = [0, 0];
    for (const seed of seeds) {
      const below = numbersOf(seed);
      const columns = 3 + below(3);
      const [size, pitch, cell] = [8 + below(4), 16 + below(8), 480 / columns];
      const head = Array.from({ length: columns }, (_, column) => `Column${column}`);
      const rows = Array.from({ length: 6 + below(14) }, (_, row) =>
        Array.from({ length: columns }, (__, column) =>
          column === 0 ? `Item ${row}` : below(8) === 0 ? '' : String(10 + below(9_000)),
        ),
      );
      const bytes = await buildPdf((document) => {
        document.fontSize(size);
        for (const [row, cells] of [head, ...rows].entries())
          for (const [column, text] of cells.entries()) {
            const [x, y] = [60 + column * cell, 80 + row * pitch];
            if (kind === 'with rules') document.rect(x, y, cell, pitch).stroke();
            const align = seed % 2 === 0 && column > 0 ? 'right' : 'left';
            document.text(text, x + 4, y + 4, { width: cell - 12, align, lineBreak: false });
          }
      });
      const lines = new Set((await read(bytes)).split('\n'));
      for (const row of [head, ...rows]) {
        const cells = row
          .join(' | ')
          .replace(/(?: \|\s*)+$/, '')
          .replaceAll('|  |', '| |');
        all += row.length;
        if (lines.has(cells)) found += row.length;
      }
    }
    assert.ok(found / all >= aim, `${found} of ${all} cells are in their row and column`);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { createFileOpener } from '../../src/extract/read-file.ts';
import { fileOf, packages, readHere, textsOf } from './read.ts';

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

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

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
  test(`a PDF table ${kind} is read with empty cells and right-aligned numbers, under the larger line above it`, async () => {
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
        document.fontSize(size * 1.6).text('Harbour fees', 60, 50);
        document.fontSize(size);
        for (const [row, cells] of [head, ...rows].entries())
          for (const [column, text] of cells.entries()) {
            const [x, y] = [60 + column * cell, 80 + row * pitch];
            if (kind === 'with rules') document.rect(x, y, cell, pitch).stroke();
            const align = seed % 2 === 0 && column > 0 ? 'right' : 'left';
            document.text(text, x + 4, y + 4, { width: cell - 12, align, lineBreak: false });
          }
      });
      const sections = await readHere(fileOf('a.pdf', bytes));
      for (const { headingPath } of sections) assert.deepEqual(headingPath, ['Harbour fees']);
      const lines = new Set(sections.flatMap(({ text }) => text.split('\n')));
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

test('a column of decimals on a page without a head stays apart from the figures beside it', async () => {
  const rows = Array.from({ length: 12 }, (_, row) => [
    `Berth${row}`,
    `${row + 3}.${row % 10}`,
    String(1_850 + row * 7),
  ]);
  const bytes = await buildPdf((document) => {
    for (const [row, cells] of rows.entries())
      for (const [column, text] of cells.entries())
        document.text(text, 60 + column * 120, 80 + row * 18, { lineBreak: false });
  });
  assert.equal(await read(bytes), rows.map((row) => row.join(' | ')).join('\n'));
});

test('running heads, footers and page numbers of a PDF are left out after the first page', async () => {
  const bytes = await buildPdf(
    (document) => {
      for (let page = 1; page <= 5; page += 1) {
        document.addPage().fontSize(9);
        document.text('Rules of the harbour', 72, 40, { lineBreak: false });
        document.text(`Page ${page} of 5`, 72, 740, { lineBreak: false });
        document.fontSize(11).text(`Berth ${page * 7} is kept free for ships of the pilots.`, 72, 120);
      }
    },
    { autoFirstPage: false, margin: 20 },
  );
  const sections = await readHere(fileOf('a.pdf', bytes));
  assert.equal(sections.filter(({ text }) => text.includes('Rules of the harbour')).length, 1);
  assert.ok(sections.every(({ text }) => !/Page \d of 5/.test(text)));
  assert.deepEqual(
    sections.map(({ pageStart }) => pageStart),
    [1, 2, 3, 4, 5],
  );
});

test('a sentence over a page end is given once, with both pages', async () => {
  const bytes = await buildPdf((document) => {
    document.text('The pilot stays on board until the ship has passed', 72, 600);
    document.addPage().text('the outer buoy. The master signs the paper.', 72, 80);
  });
  const sections = await readHere(fileOf('a.pdf', bytes));
  assert.deepEqual(
    sections.map(({ text, pageStart, pageEnd }) => [flat(text), pageStart, pageEnd]),
    [
      ['The pilot stays on board until the ship has passed the outer buoy.', 1, 2],
      ['The master signs the paper.', 2, 2],
    ],
  );
});

test('bookmarks, larger and bold lines of a PDF are the headings of what stands below them', async () => {
  const bytes = await buildPdf((document) => {
    document.outline.addItem('Fees');
    document.fontSize(18).text('Fees', 72, 80);
    document.fontSize(11).text('A ship of up to ten metres pays twelve crowns for each night in the harbour.', 72, 120);
    document.font('Helvetica-Bold').text('Winter', 72, 160);
    document.font('Helvetica').text('From November to March the harbour is free of charge for all ships.', 72, 180);
    document.addPage().text('Large ships pay by their length, and the master counts every metre begun.', 72, 80);
  });
  assert.deepEqual(
    (await readHere(fileOf('a.pdf', bytes))).map(({ headingPath, pageStart }) => [headingPath, pageStart]),
    [
      [['Fees'], 1],
      [['Fees', 'Winter'], 1],
      [['Fees', 'Winter'], 2],
    ],
  );
});

const openHere = createFileOpener(packages);

test('lines at the edges of PDF pages are kept if they have figures of their own or are sentences', async () => {
  const edges: readonly (readonly [string, readonly string[]])[] = [
    ['a sentence', ['The berth costs 380 marks.', 'The berth costs 390 marks.', 'The berth costs 400 marks.']],
    ['a repeated sentence', ['A night costs nine marks here.', 'A night costs nine marks here.']],
    ['sums that count', ['Total due: 5 marks', 'Total due: 6 marks', 'Total due: 7 marks']],
    ['chapters that count', ['Chapter 1', 'Chapter 2', 'Chapter 3']],
    ['figures that do not count', ['12', '40', '9']],
    ['years', ['2021', '2022', '2023']],
    ['amounts', ['Carried over 380.00', 'Carried over 410.00', 'Carried over 95.50']],
    ['page numbers that do not count', ['Page 3 of 6', 'Page 9 of 6', 'Page 12 of 6']],
  ];
  for (const [name, lines] of edges) {
    for (const y of [40, 740]) {
      const bytes = await buildPdf(
        (document) => {
          for (const line of lines) {
            document.addPage().fontSize(11).text(line, 72, y, { lineBreak: false });
            document.text('The pilots keep this berth free for their ships.', 72, 120);
          }
        },
        { autoFirstPage: false, margin: 20 },
      );
      const sections = await readHere(fileOf('a.pdf', bytes));
      for (const [index, line] of lines.entries()) {
        const own = sections.filter(({ pageStart }) => pageStart === index + 1);
        assert.ok(
          own.some(({ text }) => text.includes(line)),
          `${name}: ${line}`,
        );
      }
    }
  }
});

test('page numbers of a PDF are left out alone, in words, beside a title, and on odd and even pages', async () => {
  const label = (page: number): readonly (readonly [string, number])[] => [
    [`${page}`, 300],
    [`- ${page} -`, 300],
    [`Page ${page} of 6`, 300],
    [`Seite ${page}`, 450],
    [`Rules of the harbour | ${page}`, 72],
    [`Rules of the harbour, page ${page}/6`, 72],
    [`${page}`, page % 2 === 0 ? 72 : 500],
  ];
  for (const kind of label(0).keys()) {
    const bytes = await buildPdf(
      (document) => {
        for (let page = 1; page <= 6; page += 1) {
          const [text = '', x = 0] = label(page)[kind] ?? [];
          document.addPage().fontSize(9).text(text, x, 740, { lineBreak: false });
          document.fontSize(11).text('The pilots keep this berth free for their ships.', 72, 120);
        }
      },
      { autoFirstPage: false, margin: 20 },
    );
    const sections = await readHere(fileOf('a.pdf', bytes));
    for (const { text } of sections.slice(1))
      assert.equal(flat(text), 'The pilots keep this berth free for their ships.', label(0)[kind]?.[0]);
  }
});

test('the head of a table that a PDF repeats at the top of its pages stays in the table', async () => {
  const bytes = await buildPdf(
    (document) => {
      for (let page = 1; page <= 3; page += 1) {
        document.addPage().fontSize(10);
        for (let row = 0; row < 20; row += 1) {
          const cells = row === 0 ? ['Ship', 'Berth', 'Marks'] : [`S${page}${row}`, `${row * 3}`, `${page * row}`];
          for (const [column, cell] of cells.entries())
            document.text(cell, 72 + 150 * column, 60 + 24 * row, { lineBreak: false });
        }
      }
    },
    { autoFirstPage: false, margin: 20 },
  );
  const sections = await readHere(fileOf('a.pdf', bytes));
  assert.equal(sections.filter(({ text }) => text.startsWith('Ship | Berth | Marks\n')).length, 3);
});

test('a table without rules goes on over PDF pages under its head, also if the head is wider than the numbers', async () => {
  const heads = ['Ship', 'Longest berth', 'Average draught', 'Marks'];
  const readPages = async (secondHead: readonly string[]) => {
    const bytes = await buildPdf(
      (document) => {
        for (let page = 1; page <= 3; page += 1) {
          document.addPage().fontSize(10);
          for (let row = 0; row < 25; row += 1) {
            const head = page === 1 ? heads : secondHead;
            const own = [`Ship${page}${row}`, `${row * 3}`, `${row + 2}.5`, `${900 + row}`];
            for (const [column, cell] of (row === 0 && head.length > 0 ? head : own).entries())
              document.text(cell, 72 + 115 * column, 60 + 24 * row, {
                width: 100,
                lineBreak: false,
                align: column === 0 ? 'left' : 'right',
              });
          }
        }
      },
      { autoFirstPage: false, margin: 20 },
    );
    const sections = await readHere(fileOf('a.pdf', bytes));
    return sections.map(({ text }) => text.split('\n')[0]);
  };
  const head = heads.join(' | ');
  assert.deepEqual(await readPages([]), [head, head, head]);
  const other = ['Port', 'Length', 'Depth', 'Built'];
  assert.deepEqual(await readPages(other), [head, other.join(' | '), other.join(' | ')]);
});

test('pages of a PDF that are read one by one have the same text as when all are read at once', async () => {
  for (const seed of seeds.slice(0, 4)) {
    const below = numbersOf(seed);
    const bytes = await buildPdf(
      (document) => {
        for (let page = 1; page <= 9; page += 1) {
          document.addPage().font('Helvetica').fontSize(9).text('Rules of the harbour', 72, 40, { lineBreak: false });
          document.text(`Page ${page} of 9`, 72, 740, { lineBreak: false });
          let y = 90;
          const line = (text: string, size: number): void => {
            document.fontSize(size).text(text, 72, y, { lineBreak: false });
            y += 1.3 * size;
          };
          if (page > 1) line(`${wordsOf(below, 4)}. The ${wordsOf(below, 6)}.`, 11);
          y += 20;
          if (below(2) === 0) line(`Of ${wordsOf(below, 2)}`, 18);
          for (let row = 0; row < 6 * below(3); row += 1)
            line(`The ${wordsOf(below, 7)}${below(3) === 0 ? '.' : ''}`, 11);
          y += 20;
          if (below(3) === 0) {
            for (let row = 0; row < 5; row += 1) {
              for (let column = 0; column < 3; column += 1)
                document.text(`${wordsOf(below, 1)} ${below(90)}`, 72 + 150 * column, y, { lineBreak: false });
              y += 14;
            }
          }
          if (below(4) > 0) line(`The ${wordsOf(below, 7)}`, 11);
        }
      },
      { autoFirstPage: false, margin: 20 },
    );
    const { units, read: readUnits } = await openHere(fileOf('a.pdf', bytes));
    const textOf = async (start: number, end: number): Promise<readonly unknown[]> =>
      textsOf(await readUnits({ start, end })).map(({ text, pageStart, pageEnd }) => ({ text, pageStart, pageEnd }));
    const whole = await textOf(1, units);
    for (const size of [1, 2, 4]) {
      const parts: unknown[] = [];
      for (let start = 1; start <= units; start += size)
        parts.push(...(await textOf(start, Math.min(units, start + size - 1))));
      assert.deepEqual(parts, whole, `${size} pages at a time`);
    }
  }
});

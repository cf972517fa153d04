import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf, pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { drawFrom } from './draw.ts';
import { fileOf, readHere } from './read.ts';

/** Rules that a table may have: heights of horizontal ones by row, and vertical ones in its head. */
type RuleKind = 'three rules' | 'three rules and a note' | 'rules between groups' | 'a grid in the head' | 'no rules';

const kinds: readonly RuleKind[] = [
  'three rules',
  'three rules and a note',
  'rules between groups',
  'a grid in the head',
  'no rules',
];

const [left, top] = [60, 120] as const;

for (const kind of kinds)
  test(`rows and columns of a PDF table with ${kind} are found`, async () => {
    let [found, all] = [0, 0];
    for (const draw of drawFrom(90 + kind.length, 10)) {
      const columns = draw.number(3, 5);
      const [width, pitch, size] = [480 / columns, draw.number(12, 20), draw.number(8, 10)];
      const words = draw.words(40);
      const word = (): string => words[draw.number(0, words.length - 1)] ?? '';
      const head = Array.from({ length: columns }, (_, column) => (column === 0 ? 'Harbour' : word()));
      const rows = Array.from({ length: draw.number(5, 14) }, () =>
        Array.from({ length: columns }, (_, column) =>
          column === 0 ? `${word()} ${word().toLowerCase()}` : (draw.number(1, 9_000) / 10).toFixed(1),
        ),
      );
      const groups = [3, 6, 9].filter((row) => row < rows.length);
      const bytes = await buildPdf((document) => {
        document.fontSize(size);
        document.text('The table below has the figures of the year.', left, top - 60);
        const rule = (row: number): void => {
          document
            .moveTo(left, top + row * pitch - 3)
            .lineTo(left + 480, top + row * pitch - 3)
            .stroke();
        };
        for (const [row, cells] of [head, ...rows].entries())
          for (const [column, text] of cells.entries())
            document.text(text, left + column * width + 2, top + row * pitch, {
              ...(column > 0 && { width: width - 8, align: 'right' }),
              lineBreak: false,
            });
        if (kind !== 'no rules') for (const row of [0, 1, rows.length + 1]) rule(row);
        if (kind === 'rules between groups') for (const row of groups) rule(row + 1);
        if (kind === 'a grid in the head')
          for (let column = 0; column <= columns; column += 1)
            document
              .moveTo(left + column * width, top - 3)
              .lineTo(left + column * width, top + pitch - 3)
              .stroke();
        if (kind === 'three rules and a note')
          document.text('Note: figures of the harbour office.', left, top + (rows.length + 1) * pitch + 2);
      });
      const text = (await readHere(fileOf('a.pdf', bytes))).map((section) => section.text).join('\n');
      const lines = new Set(text.split('\n').map((line) => line.replaceAll(/ +/g, ' ')));
      for (const row of [head, ...rows]) {
        all += 1;
        if (lines.has(row.join(' | '))) found += 1;
      }
    }
    assert.ok(found / all >= 0.95, `${found} of ${all} rows`);
  });

test('figures below a common head are columns of their own, and a title row is given once', async () => {
  const bytes = await buildPdf((document) => {
    document.fontSize(9);
    for (let column = 0; column <= 3; column += 1)
      document
        .moveTo(60 + column * 150, 116)
        .lineTo(60 + column * 150, 218)
        .stroke();
    for (const y of [100, 116, 132, 218]) document.moveTo(60, y).lineTo(510, y).stroke();
    for (const x of [60, 510]) document.moveTo(x, 100).lineTo(x, 116).stroke();
    document.text('Boats that were counted in the harbours of the coast', 64, 103);
    for (const [column, text] of ['Harbour', 'Spring: sail, motor', 'Autumn: sail, motor'].entries())
      document.text(text, 64 + column * 150, 120);
    for (const [row, name] of ['Lindau', 'Bregenz', 'Romanshorn', 'Arbon', 'Rorschach'].entries()) {
      const y = 136 + row * 16;
      document.text(name, 64, y, { lineBreak: false });
      for (const [column, x] of [230, 290, 380, 440].entries())
        document.text(`${row + 1}${column}7`, x, y, { lineBreak: false });
    }
  });
  const sections = await readHere(fileOf('a.pdf', bytes));
  const text = sections.map((section) => section.text).join('\n');
  assert.match(text, /^Bregenz \| 207 \| 217 \| 227 \| 237$/m);
  assert.equal(text.split('Boats that were counted').length, 2);
});

interface Painted {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

interface Lines {
  /** Heights, with their ends. */
  readonly across?: readonly (readonly [y: number, from: number, to: number])[];
  readonly down?: readonly (readonly [x: number, from: number, to: number])[];
}

/** Text of a page with painted texts and lines. */
const readPainted = async (texts: readonly Painted[], { across = [], down = [] }: Lines = {}): Promise<string> => {
  const bytes = await buildPdf((document) => {
    document.font('Courier').fontSize(9);
    for (const [y, from, to] of across) document.moveTo(from, y).lineTo(to, y).stroke();
    for (const [x, from, to] of down) document.moveTo(x, from).lineTo(x, to).stroke();
    for (const { x, y, text } of texts) document.text(text, x, y, { lineBreak: false });
  });
  return (await readHere(fileOf('a.pdf', bytes))).map((section) => section.text).join('\n\n');
};

const harbours = ['Lindau', 'Bregenz', 'Arbon', 'Rorschach', 'Romanshorn'];

test('a row whose figures were painted as one text has them in the columns of the other rows', async () => {
  const rows = [
    ['Harbour', 'Guests', 'Boats', 'Cargo'],
    ...harbours.map((name, row) => [name, `${row + 1}04,510`, `${row + 2}10,440`, `${row + 3}01,250`]),
  ];
  // Letters are 5.4 points wide.
  const text = await readPainted([
    ...rows.flatMap((cells, row) =>
      cells.map((cell, at) => ({
        x: at === 0 ? 60 : 60 + 5.4 * (12 + at * 10 - cell.length),
        y: row === 0 ? 100 : 114 + row * 14,
        text: cell,
      })),
    ),
    { x: 60, y: 114, text: 'All harbours 1,204,510 2,310,440 3,001,250' },
  ]);
  assert.match(text, /^All harbours \| 1,204,510 \| 2,310,440 \| 3,001,250$/m);
  assert.match(text, /^Arbon \| 304,510 \| 410,440 \| 501,250$/m);
});

test('columns that no line divides are found within the drawn ones, with groups over their names', async () => {
  const ends = [100, 130, 210] as const;
  const text = await readPainted(
    [
      { x: 64, y: 104, text: 'Harbour' },
      { x: 190, y: 104, text: 'Small boats' },
      { x: 410, y: 104, text: 'Large boats' },
      ...['Sail', 'Motor', 'Sail', 'Motor'].map((name, at) => ({ x: 170 + at * 100, y: 117, text: name })),
      ...harbours.flatMap((name, row) =>
        [name, `${row}1`, `${row}2`, `${row}3`, `${row}4`].map((cell, at) => ({
          x: at === 0 ? 64 : 70 + at * 100,
          y: 134 + row * 15,
          text: cell,
        })),
      ),
    ],
    {
      across: ends.map((y) => [y, 60, 560] as const),
      down: [60, 150, 350, 560].map((x) => [x, 100, 210] as const),
    },
  );
  assert.match(text, /^Harbour \| Small boats \| Small boats \| Large boats \| Large boats$/m);
  assert.match(text, /^Harbour \| Sail \| Motor \| Sail \| Motor$/m);
  assert.match(text, /^Arbon \| 21 \| 22 \| 23 \| 24$/m);
});

test('names of columns that wrap are one head, and labels that wrap stay with their figures', async () => {
  const text = await readPainted([
    ...['Guests who', 'stayed a', 'night'].map((line, at) => ({ x: 240, y: 100 + at * 10, text: line })),
    ...['Boats that', 'left'].map((line, at) => ({ x: 360, y: 110 + at * 10, text: line })),
    { x: 60, y: 120, text: 'Harbour' },
    ...harbours.flatMap((name, row) => [
      { x: 60, y: 136 + row * 26, text: `${name} with the harbour` },
      { x: 60, y: 145 + row * 26, text: 'of its northern shore' },
      { x: 240, y: 140.5 + row * 26, text: `${row + 1}17` },
      { x: 360, y: 140.5 + row * 26, text: `${row + 1}29` },
    ]),
  ]);
  assert.match(text, /^Harbour \| Guests who stayed a night \| Boats that left$/m);
  assert.match(text, /^Arbon with the harbour of its northern shore \| 317 \| 329$/m);
});

test('the title above the rules of a table and the notes below them are no rows', async () => {
  const rows = harbours.map((name, row) => [name, `${row + 1}17`, `${row + 1}29`, `${row + 1}31`]);
  const text = await readPainted(
    [
      { x: 60, y: 88, text: 'Table 4. Guests, boats and cargo of the harbours on the lake in the last year' },
      ...[['Harbour', 'Guests', 'Boats', 'Cargo'], ...rows].flatMap((cells, row) =>
        cells.map((cell, at) => ({ x: 60 + at * 100, y: 104 + row * 13, text: cell })),
      ),
      { x: 60, y: 182, text: '* Counted by the harbour masters in the evening.' },
      { x: 60, y: 193, text: 'Source: office of the lake' },
    ],
    // The lines of each cell are painted apart.
    { across: [100, 115, 179].flatMap((y) => [0, 1, 2, 3].map((at) => [y, 58 + at * 100, 159 + at * 100] as const)) },
  );
  assert.match(text, /^Table 4\. .* in the last year$/m);
  assert.match(text, /^\* Counted by the harbour masters in the evening\.$/m);
  assert.ok(!/ \| .*(?:Table 4|Counted|Source)|(?:Table 4|Counted|Source).* \| /.test(text), text);
  assert.match(text, /^Romanshorn \| 517 \| 529 \| 531$/m);
});

test('the bars and axes of charts are no table', async () => {
  const shares = [420, 310, 505, 128, 260, 377];
  const bars = await readPainted(
    shares.map((share, at) => ({ x: 70, y: 104 + at * 20, text: `${share / 10}` })),
    {
      across: shares.flatMap((share, at) => [100, 114].map((y) => [y + at * 20, 60, 60 + share] as const)),
      down: shares.flatMap((share, at) =>
        [60, 60 + share].map((x) => [x, 100 + (at === 0 ? 0 : at * 20 - 6), 114 + at * 20] as const),
      ),
    },
  );
  assert.ok(!bars.includes(' | '), bars);
  const axes = await readPainted(
    [400, 300, 200, 100, 0].flatMap((step, at) => [
      { x: 60, y: 100 + at * 20, text: String(step) },
      { x: 330, y: 100 + at * 20, text: String(step) },
    ]),
  );
  assert.ok(!axes.includes(' | '), axes);
});

test('one row of long cells under a head between two rules is a table', async () => {
  const columns = [
    ['Needed', 'A rope of forty steps,', 'two hooks of brass,', 'oil for the winch'],
    ['Where it is', 'In the shed of the harbour,', 'beside the old lamp', 'and the tar barrels'],
  ];
  const text = await readPainted(
    columns.flatMap((lines, column) =>
      lines.map((line, at) => ({ x: 64 + column * 240, y: at === 0 ? 104 : 112 + at * 11, text: line })),
    ),
    { across: [100, 118, 160].map((y) => [y, 60, 500] as const) },
  );
  assert.match(text, /^Needed \| Where it is$/m);
});

test('two tables beside each other with the same head are read one after the other', async () => {
  const bytes = await buildPdf((document) => {
    document.fontSize(9);
    for (const [side, x] of [60, 330].entries()) {
      const rows = ['Lindau', 'Bregenz', 'Arbon', 'Romanshorn'].map((name, row) => [name, `${side + 1}${row + 1}7`]);
      for (const [row, cells] of [['Harbour', 'Boats'], ...rows].entries())
        for (const [column, cell] of cells.entries())
          document.text(cell, x + column * 80, 100 + row * 14, { lineBreak: false });
    }
  });
  const text = (await readHere(fileOf('a.pdf', bytes))).map((section) => section.text).join('\n\n');
  assert.deepEqual(text.match(/^Harbour \| Boats$|^Arbon \| \d+$/gm), [
    'Harbour | Boats',
    'Arbon | 137',
    'Harbour | Boats',
    'Arbon | 237',
  ]);
});

test('rows of text cells without rules are read row by row, and two short columns of prose column by column', async () => {
  const cells = [
    ['Signal', 'Where it stands', 'Meaning for the crew'],
    ['Red ball', 'On the mole', 'The harbour is closed for', 'all boats under sail'],
    ['Green ball', 'On the mole', 'Entry is free'],
    ['Black cone', 'At the lock', 'Wind of more than seven', 'is expected by noon'],
    ['Two cones', 'At the lock', 'The lock stays closed'],
  ];
  const table = await buildPdf((document) => {
    document.fontSize(10);
    let y = 100;
    for (const [name = '', place = '', ...lines] of cells) {
      document.text(name, 60, y, { lineBreak: false }).text(place, 180, y, { lineBreak: false });
      for (const line of lines) {
        document.text(line, 320, y, { lineBreak: false });
        y += 12;
      }
    }
  });
  const rows = (await readHere(fileOf('a.pdf', table))).map(({ text }) => text).join('\n');
  assert.match(rows, /^Red ball \| On the mole \| The harbour is closed for all boats under sail$/m);
  assert.match(rows, /^Black cone \| At the lock \| Wind of more than seven is expected by noon$/m);
  const columns = await buildPdf((document) => {
    document.fontSize(10);
    for (const [x, lines] of [
      [60, ['The pilot came aboard at the', 'outer buoy and stayed.']],
      [320, ['The tide turned an hour before', 'anybody had expected it.']],
    ] as const)
      for (const [line, text] of lines.entries()) document.text(text, x, 100 + line * 12, { lineBreak: false });
  });
  const prose = (await readHere(fileOf('a.pdf', columns)))
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
  assert.match(prose, /at the outer buoy and stayed\. The tide turned/);
});

test('short lines of the text above and below a table of wrapped cells without rules are not rows of it', async () => {
  const cells = [
    [['Flag'], ['What it means'], ['What the crew does']],
    [
      ['Yellow over', 'red'],
      ['A pilot is on board and', 'steers the ship'],
      ['Keep clear of the ladder', 'on the lee side'],
    ],
    [
      ['Blue'],
      ['The lock opens again', 'within the same hour'],
      ['Take in the mooring lines', 'before the lower gate', 'begins to move'],
    ],
    [['White'], ['A diver works close by', 'below another hull'], ['Stop the engine at once', 'and sound the horn']],
  ];
  const bytes = await buildPdf((document) => {
    document.fontSize(10);
    const line = (text: string, x: number, y: number): unknown => document.text(text, x, y, { lineBreak: false });
    line('Every hand knows the flags of the harbour by heart before the', 92, 100);
    line('first voyage of the season.', 92, 113);
    let y = 143;
    for (const row of cells) {
      for (const [column, lines] of row.entries())
        for (const [at, text] of lines.entries()) line(text, [60, 140, 270][column] ?? 0, y + at * 13);
      y += 10 + 13 * Math.max(...row.map(({ length }) => length));
    }
    line('After the voyage', 92, y + 6);
    line('Rinse the deck with fresh water and hang the flags to dry in the', 92, y + 22);
    line('shed.', 92, y + 35);
  });
  const text = (await readHere(fileOf('a.pdf', bytes))).map((section) => section.text).join('\n');
  assert.match(text, /^first voyage of the season\.$/m);
  assert.match(
    text,
    /^Yellow over red \| A pilot is on board and steers the ship \| Keep clear of the ladder on the lee side$/m,
  );
  assert.match(
    text,
    /^Blue \| The lock opens again within the same hour \| Take in the mooring lines before the lower gate begins to move$/m,
  );
  assert.match(text, /^After the voyage$/m);
});

test('names of groups between rules are rows, and a heading with text below a table is none', async () => {
  const groups = [
    [['Kind', 'Boats', 'Toll', 'Sum']],
    [['Barges'], ['loaded', '14', '3.50', '49.00'], ['empty', '22', '1.25', '27.50']],
    [['Sailing boats'], ['short', '61', '0.80', '48.80'], ['long', '9', '1.60', '14.40']],
    [['All', '106', '', '139.70']],
  ];
  const bytes = await buildPdf((document) => {
    let y = 120;
    const line = (text: string, x: number, size = 10): unknown =>
      document.fontSize(size).text(text, x, y, { lineBreak: false });
    for (const group of groups) {
      for (const cells of group) {
        for (const [column, text] of cells.entries()) line(text, [60, 230, 300, 365][column] ?? 0);
        y += 15;
      }
      if (group !== groups.at(-1))
        document
          .moveTo(60, y + 3)
          .lineTo(400, y + 3)
          .stroke();
      y += 10;
    }
    y += 10;
    document.font('Helvetica-Bold');
    line('Arrears', 60, 12);
    document.font('Helvetica');
    y += 18;
    line('Three skippers still owe their tolls and moor below it.', 60);
  });
  const text = (await readHere(fileOf('a.pdf', bytes))).map((section) => section.text).join('\n\n');
  assert.equal(
    text,
    'Kind | Boats | Toll | Sum\nBarges\nloaded | 14 | 3.50 | 49.00\nempty | 22 | 1.25 | 27.50\nSailing boats\nshort | 61 | 0.80 | 48.80\nlong | 9 | 1.60 | 14.40\nAll | 106 | | 139.70\n\nArrears\n\nThree skippers still owe their tolls and moor below it.',
  );
});

test('headings of a PDF may end in a colon or a full stop, and their number decides their level', async () => {
  const bytes = await buildPdf((document) => {
    const lines: readonly (readonly [text: string, isBold: boolean])[] = [
      ['1 The basin', true],
      ['1.2 Depth', true],
      ['Aims of the survey:', true],
      ['2.1.3 Sluices', true],
      ['How the gates are greased.', true],
      ['This sentence is bold, and it is far too long to be the heading of anything that comes below it.', true],
    ];
    let y = 70;
    for (const [text, isBold] of lines) {
      document
        .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
        .fontSize(10)
        .text(text, 60, y, { lineBreak: false });
      for (const offset of [16, 29])
        document
          .font('Helvetica')
          .text('the water is let out in spring and the walls are cleaned with brooms', 60, y + offset, {
            lineBreak: false,
          });
      y += 60;
    }
  });
  const paths = (await readHere(fileOf('a.pdf', bytes))).map(({ headingPath }) => headingPath.join(' > '));
  assert.deepEqual(
    [...new Set(paths)],
    [
      '1 The basin',
      '1 The basin > 1.2 Depth',
      '1 The basin > 1.2 Depth > Aims of the survey',
      '2.1.3 Sluices',
      '2.1.3 Sluices > How the gates are greased',
    ],
  );
});

/** Names of a font of the text, and of one that shows a title in another way than by its weight. */
const titleFonts = [
  { kind: 'a bold font of TeX', text: 'SFRM1000', title: 'SFBX1000', titleSize: 10, line: '4.2 The lower gate' },
  { kind: 'a bold font of URW', text: 'NimbusRomNo9L-Regu', title: 'NimbusRomNo9L-Medi', titleSize: 10, line: 'Gates' },
  { kind: 'italics', text: 'Times-Roman', title: 'Times-Italic', titleSize: 10, line: 'The Lower Gate' },
  { kind: 'another font and a number', text: 'Times-Roman', title: 'Helvetica', titleSize: 10.6, line: '(3) The gate' },
] as const;

for (const { kind, text, title, titleSize, line } of titleFonts)
  test(`a title in ${kind} is a heading, and the same line in the font of the text is none`, async () => {
    const paragraph = ['The keeper opens the gate in the', 'morning and lets the boats in.'];
    const drawn = (isTitle: boolean): Buffer => {
      const lines = [...paragraph, line, ...paragraph].map((one, at) => {
        const [font, size] = isTitle && one === line ? ['T', titleSize] : ['F', 10];
        return `BT /${font} ${size} Tf 60 ${700 - at * 13 - (at > 1 ? 12 : 0)} Td (${one.replaceAll(/[()]/g, '\\$&')}) Tj ET`;
      });
      const fontOf = (name: string): string => `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`;
      return pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 6 0 R/Resources<</Font<</F 4 0 R/T 5 0 R>>>>>>',
        fontOf(text),
        fontOf(title),
        streamOf(lines.join('\n')),
      ]);
    };
    const headings = async (isTitle: boolean): Promise<readonly string[]> =>
      (await readHere(fileOf('a.pdf', drawn(isTitle)))).flatMap(({ headingPath }) => headingPath);
    assert.deepEqual(await headings(true), [line]);
    assert.deepEqual(await headings(false), []);
  });

test('dots that lead to a number are left out, and label and number are cells', async () => {
  const dots = ' . '.repeat(12);
  const text = await readPainted([
    ...['Sluices', 'Locks of oak', 'Weirs', 'Bridges'].map((label, at) => ({
      x: 60,
      y: 100 + at * 14,
      text: `${label}${dots.slice(label.length)}`,
    })),
    ...['ii', '4', '17', '122'].map((number, at) => ({ x: 400, y: 100 + at * 14, text: number })),
    { x: 60, y: 200, text: 'The keeper waits .. and waits ...' },
  ]);
  assert.match(text, /^Locks of oak \| 4$/m);
  assert.match(text, /^Sluices \| ii$/m);
  assert.match(text, /^The keeper waits \.\. and waits \.\.\.$/m);
});

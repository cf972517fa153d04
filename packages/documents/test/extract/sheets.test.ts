import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOf } from './make-office.ts';
import { workbookOf, type MadeCell, type MadeSheet } from './make-sheet.ts';
import { fileOf, readWhole } from './read.ts';

const read = async (
  sheets: Readonly<Record<string, MadeSheet>>,
): Promise<{
  readonly blocks: readonly string[];
  readonly notes: readonly string[];
  readonly paths: readonly string[];
}> => {
  const { sections, inspection } = await readWhole(fileOf('a.xlsx', workbookOf(sheets)));
  return {
    blocks: sections.flatMap(({ text }) => text.split('\n\n')),
    notes: inspection.notes,
    paths: sections.map(({ headingPath }) => headingPath.join(' > ')),
  };
};

const csvBlocks = async (lines: readonly string[]): Promise<readonly string[]> => {
  const { sections } = await readWhole(fileOf('a.csv', `${lines.join('\n')}\n`));
  return sections.flatMap(({ text }) => text.split('\n\n'));
};

const wide = ['Dock', 2021, null, 2022, null];
const narrow = [null, 'Fees', 'Wages', 'Fees', 'Wages'];
const values = ['East', 510, 62, 530, 71];

test('columns under a head of two lines are named by both lines', async () => {
  const merged = ['A1:A2', 'B1:C1', 'D1:E1'];
  const named = 'Dock: East\n2021 Fees: 510\n2021 Wages: 62\n2022 Fees: 530\n2022 Wages: 71';
  for (const variant of [{ merged }, { merged: merged.slice(1) }, {}]) {
    const { blocks } = await read({ Docks: { rows: [wide, narrow, values, ['West', 1, 2, 3, 4]], ...variant } });
    assert.deepEqual(blocks.slice(1, 3), ['Dock | 2021 Fees | 2021 Wages | 2022 Fees | 2022 Wages', named]);
  }
  const csv = await csvBlocks(['Dock,2021,,2022,', ',Fees,Wages,Fees,Wages', 'East,510,62,530,71', 'West,1,2,3,4']);
  assert.equal(csv[1], named);
});

test('columns under a head of three lines are named by all lines', async () => {
  const rows: readonly (readonly MadeCell[])[] = [
    ['Dock', 'Freight', null, null, null, 'Guests', null],
    [null, 'Spring', null, 'Autumn', null, 'Spring', null],
    [null, 'In', 'Out', 'In', 'Out', 'In', 'Out'],
    ['East', 1, 2, 3, 4, 5, 6],
    ['West', 7, 8, 9, 10, 11, 12],
  ];
  const { blocks } = await read({ Docks: { rows, merged: ['A1:A3', 'B1:E1', 'F1:G1', 'B2:C2', 'D2:E2', 'F2:G2'] } });
  assert.ok(
    blocks.at(-1)?.includes('Dock: West') === true && blocks.at(-1)?.includes('Freight Autumn Out: 10') === true,
  );
});

test('a merged cell gives its value to all rows that it covers', async () => {
  const rows = [
    ['Bay', 'Boat', 'Crew'],
    ['Fjord', 'Ida', 4],
    [null, 'Jorun', 6],
    [null, 'Karen', 9],
  ];
  const { blocks } = await read({ Boats: { rows, merged: ['A2:A4'] } });
  assert.equal(blocks.at(-1), 'Bay: Fjord\nBoat: Karen\nCrew: 9');
  const endless = await read({ Boats: { rows, merged: ['A2:XFD1048576'] } });
  assert.match(endless.blocks.at(-1) ?? '', /^Fjord \| Karen \| 9(?: \| Fjord){198}$/);
});

test('tables below each other have their own heads and titles', async () => {
  const rows: readonly (readonly MadeCell[])[] = [
    ['Crews of 2025'],
    ['Sailor', 'Years'],
    ['Olga', 12],
    ['Piet', 30],
    [],
    ['Harbours of 2025'],
    ['Harbour', 'Berths', 'Depth'],
    ['Vik', 40, 8],
    ['Sund', 15, 5],
    [],
    ['Buoy', 'Colour'],
    ['Nord', 'red'],
    ['Syd', 'green'],
    ['Ost', 'white'],
  ];
  const { blocks, paths } = await read({ Coast: { rows } });
  assert.ok(blocks.includes('Sailor: Piet\nYears: 30'));
  assert.ok(blocks.includes('Harbour: Sund\nBerths: 15\nDepth: 5'));
  assert.ok(blocks.includes('Buoy: Syd\nColour: green'));
  assert.deepEqual(paths, ['Coast > Crews of 2025', 'Coast > Harbours of 2025', 'Coast']);
  const csv = await csvBlocks(rows.map((row) => row.join(',')));
  assert.ok(csv.includes('Harbour: Sund\nBerths: 15\nDepth: 5'));
});

test('tables beside each other are read one after the other', async () => {
  const rows: readonly (readonly MadeCell[])[] = [
    ['Sailors', null, null, 'Harbours'],
    ['Sailor', 'Years', null, 'Harbour', 'Berths'],
    ['Olga', 12, null, 'Vik', 40],
    ['Piet', 30, null, 'Sund', 15],
    [null, null, null, 'Nes', 9],
  ];
  const { blocks, paths } = await read({ Coast: { rows } });
  assert.deepEqual(paths, ['Coast > Sailors', 'Coast > Harbours']);
  assert.ok(blocks.includes('Sailor: Piet\nYears: 30') && blocks.includes('Harbour: Sund\nBerths: 15'));
});

test('a group within a table, or an empty line, does not end the table', async () => {
  const rows: readonly (readonly MadeCell[])[] = [
    ['Tool', 'Price'],
    ['Hand tools'],
    ['Saw', 12],
    ['Axe', 31],
    [],
    ['Machines'],
    ['Drill', 90],
    ['Crane', 4000],
    [],
    ['Total', 4133],
  ];
  const { blocks } = await read({ Tools: { rows } });
  assert.ok(blocks.includes('Tool: Crane\nPrice: 4000') && blocks.includes('Tool: Total\nPrice: 4133'));
});

test('a head is found below any number of remarks', async () => {
  for (const count of [1, 13, 60, 250]) {
    const remarks = Array.from({ length: count }, (_, at) => [`Remark ${at} about the harbour`]);
    const { blocks } = await read({
      Port: { rows: [...remarks, ['Week', 'Ships', 'Tons'], ['12', 4, 900], ['13', 6, 700]] },
    });
    assert.equal(blocks.at(-1), 'Week: 13\nShips: 6\nTons: 700');
  }
  const labels = [
    ['Client', 'Ida Vik'],
    ['Date', '2025-03-04'],
    ['Contact', 'Olga'],
  ];
  const { blocks } = await read({
    Bill: { rows: [...labels, [], ['Item', 'Count', 'Sum'], ['Rope', 2, 8], ['Sail', 1, 70]] },
  });
  assert.deepEqual(blocks.slice(1, 4), ['Client | Ida Vik', 'Date | 2025-03-04', 'Contact | Olga']);
});

test('a defined table has the head and the range that the file states', async () => {
  const rows: readonly (readonly MadeCell[])[] = [
    ['Key', '17', 'Mark'],
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
    ['made by', 'Olga', 'Vik'],
  ];
  const table = '<table ref="A1:C3" headerRowCount="1"/>';
  const { blocks } = await read({ Keys: { rows, parts: { table } } });
  assert.deepEqual(blocks.slice(1), [
    'Key | 17 | Mark',
    'Key: a\n17: b\nMark: c',
    'Key: d\n17: e\nMark: f',
    'made by | Olga | Vik',
  ]);
});

test('hidden sheets, rows and columns are left out, and the job says so', async () => {
  const rows = [
    ['Ware', 'Price', 'Margin'],
    ['Rope', 12, 5],
    ['Sail', 90, 40],
  ];
  const before = '<cols><col min="3" max="3" hidden="1"/></cols>';
  const { blocks, notes } = await read({
    Prices: { rows, before, hiddenRows: [2] },
    Costs: { rows, state: 'hidden' },
    Lists: { rows, state: 'veryHidden' },
  });
  assert.deepEqual(blocks, ['Prices', 'Ware | Price', 'Ware: Sail\nPrice: 90']);
  assert.deepEqual(notes, ['Hidden content was not read: 2 hidden sheets, 1 hidden row, 1 hidden column.']);
});

test('comments on cells are read with their row, text boxes with their sheet', async () => {
  const comments =
    '<comments><commentList><comment ref="B2"><text><r><t>Count it again.</t></r></text></comment><comment ref="A3"><text><t>[Threaded comment] old</t></text></comment></commentList></comments>';
  const threadedComment =
    '<ThreadedComments><threadedComment ref="A3"><text>Sold out?</text></threadedComment><threadedComment ref="A3"><text>Yes.</text></threadedComment></ThreadedComments>';
  const box = (text: string, hidden = ''): string =>
    `<xdr:twoCellAnchor><xdr:from><xdr:row>8</xdr:row></xdr:from><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" ${hidden}/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>`;
  const drawing = `<xdr:wsDr>${box('Closed on Sundays.')}${box('Unseen', 'hidden="1"')}</xdr:wsDr>`;
  const { blocks } = await read({
    Store: {
      rows: [
        ['Ware', 'Stock'],
        ['Rope', 3],
        ['Sail', 8],
      ],
      parts: { comments, threadedComment, drawing },
    },
  });
  assert.deepEqual(blocks.slice(2), [
    'Ware: Rope\nStock: 3\nComment on Stock (B2): Count it again.',
    'Ware: Sail\nStock: 8\nComment on Ware (A3): Sold out?\nComment on Ware (A3): Yes.',
    'Closed on Sundays.',
  ]);
});

test('a number has the currency, the unit and the fixed digits of its format', async () => {
  const cells: readonly (readonly [number, string, string])[] = [
    [1234.5, '#,##0.00 [$€-407]', '1234.5 €'],
    [-1234.5, '#,##0.00\\ "€";[Red]\\-#,##0.00\\ "€"', '-1234.5 €'],
    [-5, '"$"#,##0.00_);("$"#,##0.00)', '-$5'],
    [0, '_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-;_-* "-"?? "€"_-;_-@_-', '0 €'],
    [12, '0" kg"', '12 kg'],
    [12, '"A-"0000', 'A-0012'],
    [2125551234, '[<=9999999]###-####;(###) ###-####', '(212) 555-1234'],
    [1.375, '# ?/?', '1 3/8'],
    [0.3, '# ?/?', '0.3'],
    [1234567, '0.0,', '1234567'],
    [1234567, '$0.0,,"M"', '$1234567'],
    [12345, '# ##0.00', '12345'],
    [1, '"Yes";"Yes";"No"', 'Yes'],
    [45000.5, 'h:mm', '2023-03-15 12:00:00'],
    [0.00012, '0.00E+00', '0.00012'],
  ];
  const { blocks } = await read({ Formats: { rows: cells.map(([value, code]) => [[value, code] as const]) } });
  assert.deepEqual(
    blocks.slice(1),
    cells.map(([, , shown]) => shown),
  );
});

test('raised digits in a cell are a power', async () => {
  const rows =
    '<row><c t="inlineStr"><is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><rPr/><t> cells</t></r></is></c></row>';
  const { blocks } = await read({ Cells: { rows: [], before: `<sheetData>${rows}</sheetData>` } });
  assert.deepEqual(blocks, ['Cells', '10^6 cells']);
});

test('an ODS has merged values, dates, currencies and comments, and no hidden parts', async () => {
  const cell = (text: string, attributes = '', inner = ''): string =>
    `<t:table-cell ${attributes}>${inner}<x:p>${text}</x:p></t:table-cell>`;
  const row = (cells: string, attributes = ''): string => `<t:table-row ${attributes}>${cells}</t:table-row>`;
  const note = '<o:annotation><x:p>Ask Olga.</x:p></o:annotation>';
  const rows = [
    row(['Bay', 'Boat', 'Built', 'Price', 'Share', 'Secret'].map((name) => cell(name)).join('')),
    row(
      cell('Fjord', 't:number-rows-spanned="2"') +
        cell('Ida', '', note) +
        cell('03/04/25', 'o:value-type="date" o:date-value="2025-03-04"') +
        cell('1.234,50 €', 'o:value-type="currency" o:value="1234.5"') +
        cell('12,5 %', 'o:value-type="percentage" o:value="0.125"') +
        cell('7'),
    ),
    row(
      `<t:covered-table-cell/>${cell('Karen')}${cell('05/04/25', 'o:value-type="date" o:date-value="2025-04-05"')}${cell('1,2 M', 'o:value-type="float" o:value="1234567"')}`,
    ),
    row(cell('Sund') + cell('Unseen'), 't:visibility="filter"'),
  ];
  const columns = '<t:table-column t:number-columns-repeated="5"/><t:table-column t:visibility="collapse"/>';
  const content = `<o:document-content><o:automatic-styles><s:style s:name="h"><s:table-properties t:display="false"/></s:style></o:automatic-styles><o:body><o:spreadsheet><t:table t:name="Boats">${columns}${rows.join('')}</t:table><t:table t:name="Costs" t:style-name="h">${row(cell('Unseen'))}</t:table></o:spreadsheet></o:body></o:document-content>`;
  const bytes = zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content });
  const { sections, inspection } = await readWhole(fileOf('a.ods', bytes));
  assert.deepEqual(
    sections.flatMap(({ text }) => text.split('\n\n')),
    [
      'Boats',
      'Bay | Boat | Built | Price | Share',
      'Bay: Fjord\nBoat: Ida\nBuilt: 2025-03-04\nPrice: 1234.5 €\nShare: 12.5%\nComment on Boat (B2): Ask Olga.',
      'Bay: Fjord\nBoat: Karen\nBuilt: 2025-04-05\nPrice: 1234567',
    ],
  );
  assert.deepEqual(inspection.notes, ['Hidden content was not read: 1 hidden sheet, 1 hidden row, 1 hidden column.']);
});

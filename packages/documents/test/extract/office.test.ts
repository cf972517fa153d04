import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { office, relations, zipOf } from './make-office.ts';
import { makeDoc, word, type DocParagraph } from './make-doc.ts';
import { makeMsg, withLateDirectory } from './make-msg.ts';
import { assertLinear, assertUsual } from '../../../../test/support/cpu-time.ts';
import { fileOf, readHere, readWhole } from './read.ts';

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string): string => `<w:tc>${p(text)}</w:tc>`;

test('a DOCX keeps headings of inherited styles, lists, tables, text boxes and what was inserted, but nothing deleted', async () => {
  const bytes = office('wordprocessingml.document', 'word/document.xml', {
    'word/_rels/document.xml.rels': relations({ r1: ['styles', 'styles.xml'], r2: ['footnotes', '/word/notes.xml'] }),
    'word/styles.xml': `<w:styles><w:style w:styleId="Mine"><w:basedOn w:val="H1"/></w:style><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>`,
    'word/notes.xml': `<w:footnotes><w:footnote w:id="1">${p('A note below.')}</w:footnote></w:footnotes>`,
    'word/document.xml': `<w:document><w:body>
      ${p('The book', '<w:pStyle w:val="T"/>')}${p('Harbours', '<w:pStyle w:val="Mine"/>')}
      ${p('one', '<w:numPr/>')}${p('two', '<w:numPr/>')}
      <w:tbl><w:tr>${cell('Ship')}${cell('Tons')}</w:tr><w:tr>${cell('Erna')}${cell('300')}</w:tr></w:tbl>
      <w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:r><w:tab/><w:t>&amp; tabbed</w:t></w:r></w:p>
      <w:p><mc:AlternateContent><mc:Choice><w:txbxContent>${p('In a box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${p('In a box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:p>
      ${p('Deeper', '<w:outlineLvl w:val="1"/>')}<w:sdt><w:sdtContent>${p('In a control')}</w:sdtContent></w:sdt><w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>
    </w:body></w:document>`,
  });
  const { inspection, sections } = await readWhole(fileOf('a.docx', bytes));
  assert.equal(inspection.format, 'docx');
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [
        ['The book', 'Harbours'],
        'The book\n\nHarbours\n\n- one\n- two\n\nShip | Tons\nErna | 300\n\nkept\t& tabbed\n\nIn a box',
      ],
      [['The book', 'Harbours', 'Deeper'], 'Deeper\n\nIn a control\n\n(A note below.)'],
    ],
  );
});

const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

test('an XLSX row is read with its column names, dates, sheet and row number', async () => {
  const bytes = office('spreadsheetml.sheet', 'xl/workbook.xml', {
    'xl/_rels/workbook.xml.rels': relations({
      a: ['worksheet', 'one.xml'],
      b: ['worksheet', 'two.xml'],
      c: ['sharedStrings', 's.xml'],
      d: ['styles', 'st.xml'],
    }),
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Second" r:id="b"/><sheet name="First" r:id="a"/></sheets></workbook>',
    'xl/s.xml':
      '<sst><si><t>Ship</t></si><si><r><t>Laun</t></r><r><t>ched</t></r><rPh><t>no</t></rPh></si><si><t>Erna</t></si></sst>',
    'xl/st.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd\\.mm\\.yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/one.xml': sheet(
      '<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="inlineStr"><is><t>Speed</t></is></c></row><row r="5"><c r="B5" t="s"><v>2</v></c><c r="C5" s="1"><v>45292</v></c><c r="D5"><v>0.30000000000000004</v></c></row><row r="6"><c r="C6" s="2"><v>45292.75</v></c><c r="D6" t="b"><v>1</v></c></row>',
    ),
    'xl/two.xml': sheet('<row><c><v>7</v></c></row>'),
  });
  const { sections } = await readWhole(fileOf('a.xlsx', bytes));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [['Second'], 'Second\n\n7'],
      [
        ['First'],
        'First\n\nShip | Launched | Speed\n\nShip: Erna\nLaunched: 2024-01-01\nSpeed: 0.3\n\nLaunched: 2024-01-01 18:00:00\nSpeed: TRUE',
      ],
    ],
  );
  const chunks = chunkSections(sections.slice(1), { maxChars: 50, overlapChars: 0 });
  assert.deepEqual(
    chunks.map(({ text, place }) => [text.split('\n').at(-1), place]),
    [
      ['Ship | Launched | Speed', { sheet: 'First', row_start: 3, row_end: 3 }],
      ['Speed: 0.3', { sheet: 'First', row_start: 5, row_end: 5 }],
      ['Speed: TRUE', { sheet: 'First', row_start: 6, row_end: 6 }],
    ],
  );
});

test('durations, percentages and East Asian dates of an XLSX are formatted as such', async () => {
  const formats = [
    '[h]:mm',
    '[mm]:ss',
    '0.0%',
    '0.0"%"',
    '0.0\\%',
    '[$-411]ge.m.d;@',
    '[Red]0.00_d',
    '#,##0',
    'Standard',
  ];
  const cells: readonly (readonly [number, string, string])[] = [
    [160, '1.5', '36:00'],
    [160, '1.50001', '36:00:01'],
    [161, '0.01', '0:14:24'],
    [46, '-1.25', '-30:00:00'],
    [162, '0.255', '25.5%'],
    [9, '0.07', '7%'],
    [163, '25.5', '25.5%'],
    [164, '25.5', '25.5%'],
    [165, '45292', '2024-01-01'],
    [31, '45292', '2024-01-01'],
    [14, '1', '1900-01-01'],
    [14, '59', '1900-02-28'],
    [14, '61', '1900-03-01'],
    [57, '45292', '2024-01-01'],
    [166, '12.5', '12.5'],
    [167, '45292', '45292'],
    [168, '45292', '45292'],
    [160, 'none', 'none'],
  ];
  const codes = formats.map(
    (code, at) => `<numFmt numFmtId="${160 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const bytes = office('spreadsheetml.sheet', 'xl/workbook.xml', {
    'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'one.xml'], d: ['styles', 'st.xml'] }),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Hours" r:id="a"/></sheets></workbook>',
    'xl/st.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs>${cells.map(([id]) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/one.xml': sheet(cells.map(([, value], style) => `<row><c s="${style}"><v>${value}</v></c></row>`).join('')),
  });
  const { sections } = await readWhole(fileOf('a.xlsx', bytes));
  assert.deepEqual(
    sections[0]?.text.split('\n\n').slice(1),
    cells.map(([, , shown]) => shown),
  );
});

test('years head the columns of an XLSX, and a table without a header keeps its gaps', async () => {
  const row = (...cells: readonly (readonly [string, string])[]): string =>
    `<row>${cells.map(([column, value]) => `<c r="${column}1" t="${/^\d/.test(value) ? 'n' : 'str'}"><v>${value}</v></c>`).join('')}</row>`;
  const read = async (rows: string): Promise<readonly string[] | undefined> => {
    const bytes = office('spreadsheetml.sheet', 'xl/workbook.xml', {
      'xl/_rels/workbook.xml.rels': relations({ a: ['worksheet', 'one.xml'] }),
      'xl/workbook.xml': '<workbook><sheets><sheet name="Fees" r:id="a"/></sheets></workbook>',
      'xl/one.xml': sheet(rows),
    });
    return (await readWhole(fileOf('a.xlsx', bytes))).sections[0]?.text.split('\n\n').slice(1);
  };
  const head = row(['B', 'Item'], ['C', '2023'], ['D', '2024'], ['E', '2025']);
  assert.deepEqual(await read(head + row(['B', 'Lock'], ['D', '50'], ['E', '60'])), [
    'Item | 2023 | 2024 | 2025',
    'Item: Lock\n2024: 50\n2025: 60',
  ]);
  const data = row(['B', 'Gate'], ['C', '40'], ['D', '45'], ['E', '70']);
  const far = row(['C', '7'], ['XFD', '9']);
  assert.deepEqual(await read(data + row(['B', 'Lock'], ['D', '50']) + far), [
    'Gate | 40 | 45 | 70',
    'Lock | | 50',
    '| 7 | | | 9',
  ]);
});

const ods = (rows: string): Uint8Array =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<o:document-content><o:body><o:spreadsheet><t:table t:name="Fees">${rows}</t:table></o:spreadsheet></o:body></o:document-content>`,
  });

test('filled cells and rows of an ODS are repeated as stated, empty ones are not', async () => {
  const cell = (text: string, repeated = 1): string =>
    `<t:table-cell t:number-columns-repeated="${repeated}">${text === '' ? '' : `<x:p>${text}</x:p>`}</t:table-cell>`;
  const row = (cells: string, repeated = 1): string =>
    `<t:table-row t:number-rows-repeated="${repeated}">${cells}</t:table-row>`;
  const head = row(['Name', 'Jan', 'Feb', 'Mar', 'Apr'].map((name) => cell(name)).join('') + cell('', 16_000));
  const filled = `${head}${row(cell('Erna') + cell('paid', 3) + cell('due'))}${row(cell('', 2), 2)}${row(cell('Frida') + cell('') + cell('paid', 2), 2)}`;
  const file = fileOf('fees.ods', ods(`${filled}${row(cell('', 16_384), 1_048_000)}`));
  const { sections } = await readWhole(file);
  await assertUsual(
    () => readHere(file),
    () => readHere(fileOf('fees.ods', ods(filled))),
    'rows and cells without end',
  );
  const frida = 'Name: Frida\nFeb: paid\nMar: paid';
  assert.deepEqual(
    sections.map(({ text }) => text.split('\n\n')),
    [['Fees', 'Name | Jan | Feb | Mar | Apr', 'Name: Erna\nJan: paid\nFeb: paid\nMar: paid\nApr: due', frida, frida]],
  );
  const rows = sections[0]?.marks?.map(({ first }) => first['row_start']);
  assert.deepEqual(rows, [1, 2, 5, 6]);
});

test('an ODS with endlessly repeated cells is read up to a bound', async () => {
  const cell = '<t:table-cell t:number-columns-repeated="1000"><x:p>due</x:p></t:table-cell>';
  const row = `<t:table-row t:number-rows-repeated="900000">${cell}</t:table-row>`;
  const { sections } = await readWhole(fileOf('fees.ods', ods(row.repeat(4))));
  const rows = sections.flatMap(({ marks = [] }) => marks.map(({ first }) => first['row_start']));
  // The four cells in the file, and those of a million copies.
  assert.deepEqual([rows.length, rows[999], ...rows.slice(1_000)], [1_003, 1_000, 900_001, 1_800_001, 2_700_001]);
});

const shape = (text: string, role = ''): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${role}</p:nvPr></p:nvSpPr><p:txBody>${text
    .split('|')
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

test('PPTX slides are read in the order of the presentation, with groups, tables and notes', async () => {
  const slide = (shapes: string): string => `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  const bytes = office('presentationml.presentation', 'ppt/p.xml', {
    'ppt/_rels/p.xml.rels': relations({ a: ['slide', 'slides/1.xml'], b: ['slide', 'slides/2.xml'] }),
    'ppt/p.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="9" r:id="b"/><p:sldId id="8" r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/slides/1.xml': slide(
      `<p:grpSp>${shape('In a group')}</p:grpSp><p:graphicFrame><a:tbl><a:tr><a:tc><a:p><a:r><a:t>A</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>B</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:graphicFrame>`,
    ),
    'ppt/slides/2.xml': slide(
      `${shape('One|Two', '<p:ph idx="1"/>')}${shape('Lights', '<p:ph type="title"/>')}${shape('7', '<p:ph type="sldNum"/>')}`,
    ),
    'ppt/slides/_rels/2.xml.rels': relations({ n: ['notesSlide', '../notes/2.xml'] }),
    'ppt/notes/2.xml': slide(shape('Say it slowly', '<p:ph type="body"/>')),
  });
  const { inspection, sections } = await readWhole(fileOf('a.pptx', bytes));
  assert.deepEqual([inspection.format, inspection.units, inspection.paged], ['pptx', 2, true]);
  assert.deepEqual(
    sections.map(({ pageStart, place, headingPath, text }) => [pageStart, place, headingPath, text]),
    [
      [1, { slide: 1 }, ['Lights'], 'Lights\n\n- One\n- Two\n\nNotes: Say it slowly'],
      [2, { slide: 2 }, [], 'In a group\n\nA | B'],
    ],
  );
});

test('RTF keeps paragraphs, outline levels, tables and characters of any code page', async () => {
  const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Times;}}{\*\generator x;}{\info{\title no}}
\pard\outlinelevel0 Head\par\pard \'cf\'f0\'e8 \u8364?\u-10179?\u-8704? {\b bold}\line next\par
\trowd\intbl a\cell b\cell\row\pard after {\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par}`;
  const { sections } = await readWhole(fileOf('a.rtf', rtf));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [[['Head'], 'Head\n\nПри €😀 bold\nnext\n\na | b\n\nafter link']],
  );
});

test('an RTF table cell may have several paragraphs or be empty', async () => {
  const rtf = String.raw`{\rtf1\ansi\pard before\par
\trowd\pard\intbl a\par\pard\intbl b\cell c\cell\row\trowd\pard\intbl\cell\pard\intbl d\par\cell\row\pard after\par end\par}`;
  const { sections } = await readWhole(fileOf('a.rtf', rtf));
  assert.equal(sections[0]?.text, 'before\na b | c\n| d\n\nafter\n\nend');
});

test('RTF notes are in parentheses at their reference, and those of a heading are below it', async () => {
  const read = async (body: string): Promise<readonly (readonly [readonly string[], string])[]> =>
    (await readWhole(fileOf('a.rtf', `{\\rtf1\\ansi ${body}}`))).sections.map(({ headingPath, text }) => [
      headingPath,
      text,
    ]);
  const cases: readonly (readonly [string, string])[] = [
    [String.raw`free.{\footnote Only with\par a sticker.}`, 'free. (Only with a sticker.)'],
    [
      String.raw`free{\super\chftn}{\*\footnote\pard\plain{\chftn}\tab On\'e9.} for{\*\footnote\ftnalt\pard Two.\par} all.\par next\par`,
      'free (Oné.) for (Two.) all.\n\nnext',
    ],
    [String.raw`\trowd\intbl a{\footnote\pard b\par}\par c\cell d\cell\row\pard e\par`, 'a (b) c | d\n\ne'],
    [String.raw`a{\footnote b {\footnote c}}{\footnote\chftn} d\par`, 'a (b c) d'],
    [String.raw`a{\footnote{\b b`, 'a (b)'],
  ];
  for (const [body, expected] of cases) assert.deepEqual(await read(body), [[[], expected]], body);
  assert.deepEqual(
    await read(String.raw`\pard\outlinelevel0 Fares{\*\footnote\pard Of {\b 2024}.}\par\pard free\par`),
    [[['Fares'], 'Fares\n\nOf 2024.\n\nfree']],
  );
});

test('RTF bytes are decoded in the code page of their font, and the declared number of fallback bytes is skipped', async () => {
  const fonts = String.raw`{\fonttbl{\f0\fnil\fcharset204{\*\panose 020b}Arial;}{\f1\fcharset0 Arial;}{\f2\fcharset128 Gothic;}{\f3 Plain;}{\f4\fcharset238\cpg1250 CE;}}`;
  const read = async (body: string, head = String.raw`\ansicpg1252\deff1`): Promise<string | undefined> => {
    const bytes = Buffer.from(`{\\rtf1\\ansi${head}${fonts}${body}}`, 'latin1');
    return (await readWhole(fileOf('a.rtf', bytes))).sections[0]?.text;
  };
  const cases: readonly (readonly [string, string, string?])[] = [
    [String.raw`\uc2 \u20013\'d6\'d0abc`, '中abc', String.raw`\ansicpg936\deff3`],
    [String.raw`\uc2 \u20013\'d6\'d0\u25991\'ce\'c4\'e9!`, '中文é!'],
    [String.raw`\uc0 \u20013\u25991 abc`, '中文abc'],
    [String.raw`\f0 \'cf\'f0\'e8\'e2\'e5\'f2`, 'Привет'],
    [String.raw`\f0 \'cf{\f1 \'e9}\'f0{\plain \'e9}\f3 \'e9`, 'Пéрéé'],
    [`\\f2 \\'93\\'fa\\'96\n\\'7b \\'83A`, '日本 ア'],
    [String.raw`\f4 \'9d`, 'ť'],
    ['\\f0 \u00CF\u00F0\u00E8', 'При'],
    [String.raw`\'cf\f1\'cf`, 'ПÏ', String.raw`\ansicpg1251\deff1`],
    [String.raw`\'cf`, 'П', String.raw`\ansicpg1252\deff0`],
  ];
  for (const [body, expected, head] of cases) assert.equal(await read(body, head), expected, body);
});

test('a note counts the pictures in a document that may contain text', async () => {
  const parts = { 'word/document.xml': `<w:document><w:body>${p('words')}</w:body></w:document>` };
  const withPictures = (...bytes: readonly number[]): Uint8Array =>
    office('wordprocessingml.document', 'word/document.xml', {
      ...parts,
      ...Object.fromEntries(bytes.map((size, at) => [`word/media/image${at}.png`, 'x'.repeat(size)])),
    });
  const notesOf = async (bytes: Uint8Array) => (await readWhole(fileOf('a.docx', bytes))).inspection.notes;
  assert.deepEqual(await notesOf(withPictures(5_000)), []);
  assert.deepEqual(await notesOf(withPictures(5_000, 50_000)), [
    '1 picture in the document was not read; upload it as a file of its own to have it read.',
  ]);
  assert.match((await notesOf(withPictures(50_000, 50_000))).join(), /^2 pictures in the document were not read/);
});

test('an EPUB with the maximum number of archive members is read in linear time', async () => {
  const bookOf = (numbers: readonly number[]) =>
    fileOf(
      'book.epub',
      zipOf({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
        'book.opf': `<package><manifest>${numbers
          .map((number) => `<item id="i${number}" href="p${number}.html" media-type="text/html"/>`)
          .join(
            '',
          )}</manifest><spine>${numbers.map((number) => `<itemref idref="i${number}"/>`).join('')}</spine></package>`,
        ...Object.fromEntries(numbers.map((number) => [`p${number}.html`, `<p>Page ${number}.</p>`])),
      }),
    );
  const read = async (pages: number): Promise<void> => {
    const numbers = Array.from({ length: pages }, (_, at) => at + 1);
    const sections = await readHere(bookOf(numbers));
    assert.deepEqual(
      sections.flatMap(({ text }) => text.split('\n\n')),
      numbers.map((number) => `Page ${number}.`),
    );
  };
  await assertLinear(read, 19_990, 'pages');
});

/** The archive with all numbers of its directory in the fields for those that do not fit. */
const zip64Of = (zip: Uint8Array): Uint8Array => {
  const file = Buffer.from(zip);
  const end = file.length - 22;
  const [members, start] = [file.readUInt16LE(end + 8), file.readUInt32LE(end + 16)];
  const directory: Buffer[] = [];
  for (let at = start; at < end; at += 46 + file.readUInt16LE(at + 28)) {
    const entry = Buffer.from(file.subarray(at, at + 46 + file.readUInt16LE(at + 28)));
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    [24, 20, 42].forEach((from, index) => extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(from)), 4 + index * 8));
    for (const from of [24, 20, 42]) entry.writeUInt32LE(0xffffffff, from);
    entry.writeUInt16LE(extra.length, 30);
    directory.push(entry, extra);
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const [large, locator, last] = [Buffer.alloc(56), Buffer.alloc(20), Buffer.from(file.subarray(end))];
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(BigInt(members), 32);
  large.writeBigUInt64LE(BigInt(start), 48);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  last.writeUInt16LE(0xffff, 8);
  last.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([file.subarray(0, start), ...directory, large, locator, last]);
};

test('a ZIP64 archive and an archive with a comment are read', async () => {
  const bytes = ods('<t:table-row><t:table-cell><x:p>Größe</x:p></t:table-cell></t:table-row>');
  const commented = Buffer.concat([bytes, Buffer.from('written by hand')]);
  commented.writeUInt16LE('written by hand'.length, bytes.length - 2);
  for (const archive of [zip64Of(bytes), commented]) {
    const { inspection, sections } = await readWhole(fileOf('a.ods', archive));
    assert.deepEqual([inspection.format, sections[0]?.text], ['ods', 'Fees\n\nGröße']);
  }
});

test('an Outlook message with a large attachment is read, wherever its directory is', async () => {
  // More than the header of the message has room to list.
  const log = 'All ships are in.\n'.repeat(410_000);
  const msg = makeMsg('Fog', 'The lamp was lit.', 'log.txt', Buffer.from(log));
  for (const bytes of [msg, withLateDirectory(msg)]) {
    const { inspection, sections } = await readWhole(fileOf('fog.msg', bytes));
    assert.equal(inspection.format, 'msg');
    assert.equal(sections[0]?.text, 'Fog\n\nFrom: Erna\n\nThe lamp was lit.');
    const attached = sections.filter(({ place }) => place['attachment'] === 'log.txt');
    assert.equal(
      attached.reduce((sum, { text }) => sum + (text.match(/ships/g)?.length ?? 0), 0),
      410_000,
    );
  }
  const endless = withLateDirectory(msg);
  const chain = endless.readUInt32LE(68);
  endless.writeUInt32LE(chain, (chain + 2) * 512 - 4);
  assert.equal((await readWhole(fileOf('fog.msg', endless))).inspection.format, 'msg');
});

test('a Word 97 document is read completely, except for tracked deletions', async () => {
  const spaced = (twips: number): readonly number[] => [0x40, 0x88, twips, 0];
  const deleted = [0x00, 0x08, 1];
  const doc = makeDoc([
    {
      runs: [
        { text: 'Spaced by one', properties: spaced(1) },
        { text: ' and by two,', properties: spaced(2) },
        { text: ' gone,', properties: [...spaced(3), ...deleted] },
        { text: ' kept,', properties: [0x00, 0x08, 0] },
        { text: ' op\u001Ftion\u001Fal, sea\u001Echest, 100 \u0080 \u0093net\u0094 \u0081\u0099.\r' },
      ],
    },
    { runs: [{ text: 'The end.' }] },
  ]);
  const { sections } = await readWhole(fileOf('a.doc', doc));
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['Spaced by one and by two, kept, optional, sea-chest, 100 € “net” \u0081™.\n\nThe end.'],
  );
});

test('a Word 97 document has headings by style and outline, numbers of lists, and tables with merged cells', async () => {
  const inTable = [0x16, 0x24, 1];
  const cell = (text: string): DocParagraph => ({ runs: [{ text: `${text}\u0007` }], properties: inTable });
  const edges = [0, 2_000, 4_000, 6_000];
  /** Ends a row, with flags of its cells. */
  const endOfRow = (flags: readonly number[], isHead = false): DocParagraph => {
    const cells = flags.flatMap((flag) => [...word(flag), ...Array.from({ length: 18 }, () => 0)]);
    const definition = [flags.length, ...edges.slice(0, flags.length + 1).flatMap(word), ...cells];
    return {
      runs: [{ text: '\u0007' }],
      properties: [
        ...inTable,
        0x17,
        0x24,
        1,
        ...(isHead ? [0x04, 0x34, 1] : []),
        0x08,
        0xd6,
        ...word(definition.length + 1),
        ...definition,
      ],
    };
  };
  const listed = (level: number): readonly number[] => [0x0b, 0x46, 1, 0, 0x0a, 0x26, level];
  const line = (text: string, about: Omit<DocParagraph, 'runs'> = {}): DocParagraph => ({
    runs: [{ text: `${text}\r` }],
    ...about,
  });
  const [normal, title, first, second] = [0, 1, 2, 3];
  const doc = makeDoc(
    [
      line('Rules of the harbour', { style: title }),
      line('Berths', { style: first }),
      line('Moor at once:', { style: normal }),
      line('the bow,', { properties: listed(0) }),
      line('with two ropes', { properties: listed(1) }),
      line('the stern.', { properties: listed(0) }),
      line('Fees', { style: second }),
      cell('Ship'),
      cell('Marks'),
      cell('Since'),
      endOfRow([0, 0, 0], true),
      cell('Erna'),
      cell('12'),
      cell('1954'),
      endOfRow([0, 0, 0x60]),
      cell('Bella'),
      cell('7'),
      cell(''),
      endOfRow([0, 0, 0x20]),
      line('Winter', { properties: [0x40, 0x26, 0] }),
      {
        runs: [
          { text: 'See ' },
          { text: '\u0013 HYPERLINK "https://example.com" \u0014the list\u0015' },
          { text: ' of ' },
          { text: 'hidden ', properties: [0x3c, 0x08, 1] },
          { text: '10' },
          { text: '6', properties: [0x48, 0x2a, 1] },
          { text: ' ships.\r' },
        ],
      },
    ],
    {
      styles: [{ builtIn: 0 }, { builtIn: 62 }, { builtIn: 1 }, { builtIn: 2 }],
      list: [
        { text: '\u0000.', format: 0 },
        { text: '(\u0001)', format: 4 },
      ],
    },
  );
  const { inspection, sections } = await readWhole(fileOf('a.doc', doc));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath.join(' / '), text]),
    [
      [
        'Rules of the harbour / Berths',
        'Rules of the harbour\n\nBerths\n\nMoor at once:\n\n1. the bow,\n(a) with two ropes\n2. the stern.',
      ],
      ['Rules of the harbour / Berths / Fees', 'Fees\n\nShip | Marks | Since\nErna | 12 | 1954\nBella | 7 | 1954'],
      ['Rules of the harbour / Winter', 'Winter\n\nSee the list of 10^6 ships.'],
    ],
  );
  assert.deepEqual(inspection.notes, ['Text that is formatted as hidden was left out.']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import type { Chunk } from '../../src/extract/port.ts';
import { drawFrom } from './draw.ts';
import { office, relations, zipOf, type Parts } from './make-office.ts';
import { fileOf, readHere, readWhole } from './read.ts';

type Targets = Parameters<typeof relations>[0];

const docx = (body: string, targets: Targets = {}, parts: Parts = {}): Uint8Array =>
  office('wordprocessingml.document', 'word/document.xml', {
    'word/_rels/document.xml.rels': relations(targets),
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

const r = (text: string, format = ''): string => `<w:r><w:rPr>${format}</w:rPr><w:t>${text}</w:t></w:r>`;
const p = (text: string, format = '', properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${text.startsWith('<') ? text : r(text, format)}</w:p>`;
const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
const row = (cells: string, properties = ''): string => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
const table = (...rows: readonly string[]): string => `<w:tbl><w:tblPr/>${rows.join('')}</w:tbl>`;

const read = async (bytes: Uint8Array): Promise<readonly Chunk[]> =>
  chunkSections(await readHere(fileOf('a.docx', bytes)));
const textOf = async (body: string, targets: Targets = {}, parts: Parts = {}): Promise<string> =>
  (await readHere(fileOf('a.docx', docx(body, targets, parts)))).map(({ text }) => text).join('\n\n');

test('a merged cell of a DOCX table has its value in every cell that it covers', async () => {
  const down = (kind = ''): string => `<w:vMerge${kind === '' ? '' : ` w:val="${kind}"`}/>`;
  const span = (columns: number): string => `<w:gridSpan w:val="${columns}"/>`;
  for (const draw of drawFrom(11, 20)) {
    const [quay = '', other = '', a = '', b = ''] = draw.words(4);
    const columns = draw.number(2, 4);
    const names = Array.from({ length: columns }, (_, at) => `C${at}`);
    const text = await textOf(
      table(
        row(cell('Quay') + cell('Size', span(columns)), '<w:tblHeader/>'),
        row(cell('') + names.map((name) => cell(name)).join(''), '<w:tblHeader/>'),
        row(cell(quay, down('restart')) + cell(a, span(columns))),
        row(cell('', down()) + names.map((_, at) => cell(`${at + 40}`)).join('')),
        row(cell(other) + cell(b, span(columns - 1) + down('restart')) + cell('9')),
        row(cell('', '<w:hMerge w:val="restart"/>') + cell('', span(columns - 1) + down()) + cell('8')),
        row(cell('12'), '<w:gridBefore w:val="1"/>'),
      ),
    );
    const many = (value: string, count: number): string => Array.from({ length: count }, () => value).join(' | ');
    assert.deepEqual(text.split('\n'), [
      `Quay | ${many('Size', columns)}`,
      `| ${names.join(' | ')}`,
      `${quay} | ${many(a, columns)}`,
      `${quay} | ${names.map((_, at) => at + 40).join(' | ')}`,
      `${other} | ${many(b, columns - 1)} | 9`,
      `| ${many(b, columns - 1)} | 8`,
      '| 12',
    ]);
  }
});

test('every chunk of a long DOCX table begins with its title and its head', async () => {
  for (const draw of drawFrom(12, 4)) {
    const head = draw.words(draw.number(3, 5));
    const rows = Array.from({ length: 300 }, (_, at) => [
      `${draw.words(1).join('')}-${at}`,
      ...head.slice(1).map(() => `${draw.number(1, 99)}`),
    ]);
    const body =
      p('Results of the year', '', '<w:pStyle w:val="Caption"/>') +
      table(...[head, ...rows].map((cells) => row(cells.map((text) => cell(text)).join(''))));
    const chunks = await read(
      docx(
        body,
        { s: ['styles', 'styles.xml'] },
        {
          'word/styles.xml': '<w:styles><w:style w:styleId="Caption"><w:name w:val="caption"/></w:style></w:styles>',
        },
      ),
    );
    assert.ok(chunks.length > 3);
    for (const { text } of chunks) assert.ok(text.startsWith(`Results of the year\n${head.join(' | ')}\n`), text);
    for (const cells of rows) assert.ok(chunks.some(({ text }) => text.split('\n').includes(cells.join(' | '))));
  }
});

test('a DOCX table that only arranges its content is read as paragraphs', async () => {
  const box = `<w:tc>${p('One note.')}${p('And more.')}</w:tc>`;
  assert.equal(await textOf(table(row(box))), 'One note.\n\nAnd more.');
  assert.equal(await textOf(table(row(box), row(cell('Last.')))), 'One note.\n\nAnd more.\n\nLast.');
  assert.equal(await textOf(table(row(box + cell('Side.')))), 'One note.\n\nAnd more.\n\nSide.');
  assert.equal(await textOf(table(row(cell('Sum') + cell('300')))), 'Sum | 300');
});

test('hidden text, prompts of empty fields and deleted rows of a DOCX are left out, and hidden text is named', async () => {
  const control = (content: string, properties: string): string =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
  const styles = {
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Late"><w:basedOn w:val="Secret"/></w:style><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="P"><w:name w:val="Placeholder Text"/></w:style></w:styles>',
  };
  const targets: Targets = { s: ['styles', 'styles.xml'] };
  const hiddenForms = (text: string): readonly string[] => [
    p(`${r('Shown. ')}${r(text, '<w:vanish/>')}`),
    p(`${r('Shown. ')}${r(text, '<w:rStyle w:val="Secret"/>')}`),
    p('Shown.') + p(text, '', '<w:pStyle w:val="Late"/>'),
    p('Shown.') + p(text, '<w:vanish w:val="true"/>', '<w:rPr><w:vanish/></w:rPr>'),
    table(row(cell('Shown.') + `<w:tc>${p(text, '<w:vanish/>')}</w:tc>`)),
  ];
  for (const draw of drawFrom(13, 3)) {
    const [secret = ''] = draw.words(1);
    for (const body of hiddenForms(secret)) {
      const { inspection, sections } = await readWhole(fileOf('a.docx', docx(body, targets, styles)));
      assert.equal(sections.map(({ text }) => text).join(), 'Shown.', body);
      assert.deepEqual(inspection.notes, ['Text that is formatted as hidden was left out.']);
    }
  }
  const kept = p(r('Back', '<w:vanish w:val="0"/>'), '', '<w:pStyle w:val="Secret"/>');
  assert.equal(await textOf(kept, targets, styles), 'Back');
  const prompt = '<w:showingPlcHdr/>';
  const look = '<w:rStyle w:val="PlaceholderText"/>';
  const fields = [
    p(`${r('To: ')}${control(r('Click here', look), prompt)}`),
    control(p('Choose an item.'), prompt),
    p(control(r('Answer with the mark of a prompt'), prompt)),
    p(`${r('From: ')}${control(r('Erna'), '')}${r('Type a name', '<w:rStyle w:val="P"/>')}`),
    table(
      row(cell('Port') + cell('Date')),
      row(control(`<w:tc>${p(r('Port of departure', look))}</w:tc>`, prompt) + control(cell('May'), '')),
    ),
  ];
  assert.equal(
    await textOf(fields.join(''), targets, styles),
    'To:\n\nAnswer with the mark of a prompt\n\nFrom: Erna\nPort | Date\n| May',
  );
  const tracked = table(
    row(cell('Port') + cell('Ton')),
    row(cell('Old') + cell('1'), '<w:del/>'),
    row(cell('Hid') + cell('2'), '<w:hidden/>'),
    row(cell('New') + cell('3'), '<w:ins/>'),
  );
  assert.equal(
    await textOf(tracked + p(`<w:moveFrom>${r('Moved')}</w:moveFrom>${r('Kept')}`)),
    'Port | Ton\nNew | 3\n\nKept',
  );
});

test('headers and footers of a DOCX are read once, without page numbers and without those that no page shows', async () => {
  const page = (code: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r('71')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const reference = (kind: string, type: string, id: string): string =>
    `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;
  const part = (name: string, body: string): string => `<w:${name}>${body}</w:${name}>`;
  const parts = {
    'word/h1.xml': part('hdr', p('Surveyors Ltd, file 88')),
    'word/h2.xml': part('hdr', table(row(cell('Surveyors Ltd, file 88'))) + p('First page only')),
    'word/h3.xml': part('hdr', p('Even pages only')),
    'word/f1.xml': part(
      'ftr',
      p('IBAN SE45 5000') +
        p(`${r('Page ')}${page('PAGE')}${r(' of ')}${page('NUMPAGES \\* MERGEFORMAT')}`) +
        p(`${r('Ref. 4')}<w:r><w:tab/></w:r><w:fldSimple w:instr=" PAGE ">${r('71')}</w:fldSimple>`),
    ),
  };
  const targets: Targets = {
    a: ['header', 'h1.xml'],
    b: ['header', 'h2.xml'],
    c: ['header', 'h3.xml'],
    d: ['footer', 'f1.xml'],
  };
  const references =
    reference('header', 'default', 'a') +
    reference('header', 'first', 'b') +
    reference('header', 'even', 'c') +
    reference('footer', 'default', 'd');
  const section = (more: string): string => `<w:sectPr>${references}${more}</w:sectPr>`;
  const body = p('One.', '', section('')) + p('Head', '', '<w:outlineLvl w:val="0"/>') + p('Two.') + section('');
  const sections = await readHere(fileOf('a.docx', docx(body, targets, parts)));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [[], 'Surveyors Ltd, file 88\n\nOne.'],
      [['Head'], 'Head\n\nTwo.'],
      [[], 'IBAN SE45 5000\n\nRef. 4'],
    ],
  );
  const all = await textOf(
    section('<w:titlePg/>'),
    { ...targets, e: ['settings', 's.xml'] },
    {
      ...parts,
      'word/s.xml': '<w:settings><w:evenAndOddHeaders/></w:settings>',
    },
  );
  assert.equal(all, 'Surveyors Ltd, file 88\n\nFirst page only\n\nEven pages only\n\nIBAN SE45 5000\n\nRef. 4');
});

test('descriptions of pictures in a DOCX are read, names that a program gave are not', async () => {
  const picture = (attributes: string): string =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" ${attributes}/></wp:inline></w:drawing></w:r></w:p>`;
  assert.equal(
    await textOf(p('Before.') + picture('descr="A map of the bay"') + p('After.')),
    'Before.\n\nA map of the bay\n\nAfter.',
  );
  assert.equal(await textOf(picture('title="Sales by port" descr=""')), 'Sales by port');
  assert.equal(
    await textOf('<w:p><w:r><w:pict><v:shape alt="Plan of the dock"/></w:pict></w:r></w:p>'),
    'Plan of the dock',
  );
  const written = 'A crane&#10;Description automatically generated with medium confidence';
  assert.equal(await textOf(picture(`descr="${written}"`)), 'A crane');
  for (const generic of [
    'Picture 3',
    'Bild 1',
    'image001.png',
    'C:\\My files\\the logo.JPG',
    'https://a.example/b',
    '12',
    'Chart',
  ])
    assert.equal(await textOf(p('Text.') + picture(`descr="${generic}"`)), 'Text.', generic);
});

test('powers, notes and equations of a DOCX never change a figure', async () => {
  const up = '<w:vertAlign w:val="superscript"/>';
  const m = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
  const part = (name: string, ...parts: readonly string[]): string => `<m:${name}>${parts.join('')}</m:${name}>`;
  const fraction = (top: string, bottom: string): string => part('f', part('num', top), part('den', bottom));
  const power = (base: string, sup: string): string => part('sSup', part('e', base), part('sup', sup));
  const sign = (name: string, value: string): string => `<m:${name} m:val="${value}"/>`;
  const equations: readonly (readonly [string, string])[] = [
    [fraction(m('3'), m('8')), '3/8'],
    [m('1') + fraction(m('3'), m('8')), '1 3/8'],
    [fraction(m('a+b'), m('2c')), '(a+b)/(2c)'],
    [power(m('x'), m('2')), 'x^2'],
    [power(m('a+b'), m('n+1')), '(a+b)^(n+1)'],
    [power(m('10'), m('6')) + m('5'), '10^6 5'],
    [part('sSub', part('e', m('H')), part('sub', m('2'))) + m('O'), 'H2O'],
    [part('sSub', part('e', m('10')), part('sub', m('2'))), '10_2'],
    [part('rad', part('radPr'), part('deg'), part('e', m('x+1'))), '√(x+1)'],
    [part('rad', part('deg', m('3')), part('e', m('8'))), '(8)^(1/3)'],
    [
      part('nary', part('naryPr', sign('chr', '∑')), part('sub', m('i=1')), part('sup', m('n')), part('e', m('i'))),
      '∑_(i=1)^n i',
    ],
    [part('d', part('dPr', sign('begChr', '|'), sign('endChr', '|')), part('e', m('x'))), '|x|'],
    [
      part(
        'd',
        part(
          'e',
          part('m', part('mr', part('e', m('1')), part('e', m('2'))), part('mr', part('e', m('3')), part('e', m('4')))),
        ),
      ),
      '([1, 2; 3, 4])',
    ],
    [part('func', part('fName', m('sin')), part('e', m('x'))), 'sin x'],
  ];
  for (const [equation, expected] of equations)
    assert.equal(
      await textOf(p(`${r('Take ')}<m:oMath>${equation}</m:oMath>${r(' of it.')}`)),
      `Take ${expected} of it.`,
    );
  assert.equal(
    await textOf(p(`${r('It is 4')}<m:oMath>${fraction(m('1'), m('2'))}</m:oMath>${r('.')}`)),
    'It is 4 1/2.',
  );
  for (const draw of drawFrom(14, 10)) {
    const exponent = draw.number(2, 30);
    const styles = {
      'word/s.xml':
        '<w:styles><w:style w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>',
    };
    for (const format of [up, '<w:position w:val="8"/>', '<w:rStyle w:val="Up"/>'])
      assert.equal(
        await textOf(
          p(`${r('It holds 10')}${r(`${exponent}`, format)}${r(' litres.')}`),
          { s: ['styles', 's.xml'] },
          styles,
        ),
        `It holds 10^${exponent} litres.`,
      );
  }
  const line =
    r('the 1') +
    r('st', up) +
    r(' harbour') +
    r('7', up) +
    r(' and H') +
    r('2', '<w:vertAlign w:val="subscript"/>') +
    r('O');
  assert.equal(await textOf(p(line)), 'the 1st harbour [7] and H2O');
  const notes = { 'word/n.xml': `<w:footnotes><w:footnote w:id="2">${p('An aside.')}</w:footnote></w:footnotes>` };
  const noted = `${r('It is 412')}<w:r><w:rPr>${up}</w:rPr><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>${r(' now.')}`;
  assert.equal(await textOf(p(noted), { n: ['footnotes', 'n.xml'] }, notes), 'It is 412 (An aside.) now.');
});

test('lines in bold or larger type are headings of a DOCX, but not sentences, lists and bold text', async () => {
  const pathsOf = async (body: string, targets: Targets = {}, parts: Parts = {}) =>
    new Map(
      (await readHere(fileOf('a.docx', docx(body, targets, parts)))).map(({ headingPath, text }) => [
        text.split('\n\n').at(-1),
        headingPath,
      ]),
    );
  for (const draw of drawFrom(15, 10)) {
    const [one = '', two = '', three = ''] = draw.words(3);
    const size = draw.number(24, 40);
    const large = `<w:sz w:val="${size}"/>`;
    const body = [
      p(one, large),
      p('Text one.'),
      p(two, '<w:b/>'),
      p('Text two.'),
      p(three, '<w:b/><w:sz w:val="20"/>'),
      p('Text three.'),
    ];
    assert.deepEqual(
      await pathsOf(body.join('')),
      new Map([
        ['Text one.', [one]],
        ['Text two.', [one, two]],
        ['Text three.', [one, three]],
      ]),
    );
  }
  const none = new Map([['Last.', []]]);
  assert.deepEqual(await pathsOf(p('Stop here.', '<w:b/>') + p('Last.')), none);
  assert.deepEqual(
    await pathsOf(p('Bold words', '<w:b/>') + p('More of them', '<w:b/>') + p('Plain') + p('Last.', '<w:b/>')),
    none,
  );
  assert.deepEqual(
    await pathsOf(
      table(row(cell('a') + cell('b')), row(`<w:tc>${p('Sum', '<w:b/>')}</w:tc>${cell('3')}`)) + p('Last.'),
    ),
    none,
  );
  const number = '<w:numPr/>';
  assert.deepEqual(
    await pathsOf(
      p('One', '<w:b/>', number) + p('Two', '<w:b/>', number) + p('A longer text that is plain.') + p('Last.'),
    ),
    none,
  );
  assert.deepEqual(
    await pathsOf(p('Scope', '<w:b/>', number) + p('A longer text that is plain.')),
    new Map([['A longer text that is plain.', ['Scope']]]),
  );
  assert.deepEqual(
    await pathsOf(
      p('Harbour', '', '<w:outlineLvl w:val="0"/>') + p('Fees', '<w:b/>') + p('A longer text that is plain.'),
    ),
    new Map([['A longer text that is plain.', ['Harbour', 'Fees']]]),
  );
});

test('files of Pages, Numbers and Keynote are refused by name, with advice', async () => {
  const parts = [
    'Index/Document.iwa',
    'Index/Slide-12.iwa',
    'Index.zip',
    'index.apxl',
    'Metadata/BuildVersionHistory.plist',
  ];
  for (const part of parts)
    await assert.rejects(
      readWhole(fileOf('letter', zipOf({ [part]: 'x' }))),
      /Apple Pages, Numbers and Keynote are not read; export the document as PDF, DOCX, XLSX or PPTX/,
      part,
    );
});

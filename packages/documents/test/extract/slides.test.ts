import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { drawFrom } from './draw.ts';
import { office, relations, type Parts } from './make-office.ts';
import { fileOf, readHere, readWhole } from './read.ts';

type Targets = Parameters<typeof relations>[0];

const slide = (shapes: string, attributes = ''): string =>
  `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

/** A presentation of slides, each with the parts that it refers to. */
const pptx = (slides: readonly string[], targets: Targets = {}, parts: Parts = {}): Uint8Array =>
  office('presentationml.presentation', 'ppt/p.xml', {
    'ppt/_rels/p.xml.rels': relations(
      Object.fromEntries(slides.map((_, at) => [`r${at}`, ['slide', `s${at}.xml`] as const])),
    ),
    'ppt/p.xml': `<p:presentation><p:sldIdLst>${slides.map((_, at) => `<p:sldId r:id="r${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    ...Object.fromEntries(slides.map((text, at) => [`ppt/s${at}.xml`, text])),
    ...Object.fromEntries(slides.map((_, at) => [`ppt/_rels/s${at}.xml.rels`, relations(targets)])),
    ...parts,
  });

const paragraph = (runs: string): string => `<a:p>${runs}</a:p>`;
const run = (text: string, properties = ''): string => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
const frame = (x: number, y: number, width: number, height: number, name = 'a:xfrm', more = ''): string =>
  `<${name}><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/>${more}</${name}>`;

interface Shape {
  readonly role?: string;
  readonly position?: string;
  readonly about?: string;
}

const shape = (text: string, { role = '', position = '', about = '' }: Shape = {}): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="s" ${about}/><p:nvPr>${role}</p:nvPr></p:nvSpPr><p:spPr>${position}</p:spPr><p:txBody>${text.startsWith('<') ? text : paragraph(run(text))}</p:txBody></p:sp>`;

const textOf = async (shapes: string, targets: Targets = {}, parts: Parts = {}): Promise<string> =>
  (await readHere(fileOf('a.pptx', pptx([slide(shapes)], targets, parts)))).map(({ text }) => text).join('\n\n');

const shuffled = (texts: readonly string[], number: (min: number, max: number) => number): readonly string[] =>
  texts
    .map((text) => [number(0, 1_000_000), text] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, text]) => text);

test('shapes of a PPTX slide are read from top to bottom and from left to right, after the title', async () => {
  for (const draw of drawFrom(21, 20)) {
    const [title = '', ...words] = draw.words(7);
    const height = draw.number(300_000, 900_000);
    const gap = draw.number(50_000, 300_000);
    const at = (x: number, y: number) => frame(x, 1_000_000 + y * (height + gap), 2_500_000, height);
    const heading = shape(title, { role: '<p:ph type="title"/>', position: frame(0, 5_000_000, 100, 100) });
    const list = words.map((word, index) => shape(word, { position: at(500_000, index) }));
    const grid = words.map((word, index) =>
      shape(word, { position: at((index % 3) * (2_500_000 + gap), Math.trunc(index / 3)) }),
    );
    // Lines of a column belong together if the columns are further apart.
    const columns = words.map((word, index) =>
      shape(word, { position: at(Math.trunc(index / 3) * (2_600_000 + 4 * gap), index % 3) }),
    );
    for (const shapes of [list, grid, columns])
      assert.equal(await textOf(shuffled([...shapes, heading], draw.number).join('')), [title, ...words].join('\n\n'));
  }
});

test('shapes in groups of a PPTX are placed by the scale of their group, and placeholders by their layout', async () => {
  const inner = frame(0, 0, 1_000, 1_000, 'a:xfrm', '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>');
  const group = `<p:grpSp><p:grpSpPr>${inner}</p:grpSpPr>${shape('third', { position: frame(0, 90, 10, 10) })}${shape('first', { position: frame(0, 0, 10, 10) })}</p:grpSp>`;
  assert.equal(
    await textOf(shape('second', { position: frame(0, 500, 100, 100) }) + group),
    'first\n\nsecond\n\nthird',
  );
  const layout = {
    'ppt/layout.xml': slide(
      shape('Click to add text', { role: '<p:ph type="body" idx="4"/>', position: frame(0, 2_000, 100, 100) }) +
        shape('Type a name', { role: '<p:ph type="body" idx="5"/>', position: frame(0, 100, 100, 100) }),
    ),
    'ppt/_rels/layout.xml.rels': relations({ m: ['slideMaster', 'master.xml'] }),
    'ppt/master.xml': slide(shape('', { role: '<p:ph type="subTitle"/>', position: frame(0, 3_000, 100, 100) })),
  };
  const shapes = [
    shape('sub', { role: '<p:ph type="subTitle" idx="1"/>' }),
    shape('low', { role: '<p:ph type="body" idx="4"/>' }),
    shape('high', { position: frame(0, 1_000, 100, 100) }),
    shape('Type a name', { role: '<p:ph type="body" idx="5"/>' }),
  ];
  assert.equal(await textOf(shapes.join(''), { l: ['slideLayout', 'layout.xml'] }, layout), 'high\n\nlow\n\nsub');
});

test('hidden slides and shapes of a PPTX are left out, and hidden slides are named', async () => {
  const parts = { 'ppt/n.xml': slide(shape('A secret note', { role: '<p:ph type="body"/>' })) };
  const slides = [
    slide(shape('One') + shape('Hidden', { about: 'hidden="1"' })),
    slide(shape('Secret'), 'show="0"'),
    slide(shape('Three')),
  ];
  const { inspection, sections } = await readWhole(fileOf('a.pptx', pptx(slides)));
  assert.deepEqual(
    sections.map(({ pageStart, text }) => [pageStart, text]),
    [
      [1, 'One'],
      [3, 'Three'],
    ],
  );
  assert.deepEqual([inspection.units, inspection.notes], [3, ['Hidden slide 2 was not read.']]);
  const all = await readWhole(
    fileOf('a.pptx', pptx([slides[1] ?? '', slides[1] ?? ''], { n: ['notesSlide', 'n.xml'] }, parts)),
  );
  assert.deepEqual([all.sections, all.inspection.notes], [[], ['2 hidden slides were not read: 1, 2.']]);
});

test('a footer of a PPTX is read once, dates and slide numbers are not read', async () => {
  const footer = (text: string): string => shape(text, { role: '<p:ph type="ftr" idx="11"/>' });
  const number = shape(paragraph('<a:fld type="slidenum"><a:t>7</a:t></a:fld>'));
  const slides = ['One', 'Two', 'Three'].map((text, at) =>
    slide(
      shape(text) +
        footer(at < 2 ? 'Harbour Ltd' : 'For the board') +
        number +
        shape('May', { role: '<p:ph type="dt"/>' }),
    ),
  );
  const sections = await readHere(fileOf('a.pptx', pptx(slides)));
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['One\n\nHarbour Ltd', 'Two', 'Three\n\nFor the board'],
  );
});

test('comments on a PPTX slide are read with their replies', async () => {
  const modern = (text: string, replies: string): string =>
    `<p188:cmLst><p188:cm id="{1}"><ac:deMkLst/>${replies}<p188:txBody>${paragraph(run(text))}</p188:txBody></p188:cm></p188:cmLst>`;
  const reply = (text: string): string =>
    `<p188:replyLst><p188:reply><p188:txBody>${paragraph(run(text))}</p188:txBody></p188:reply></p188:replyLst>`;
  const parts = {
    'ppt/old.xml':
      '<p:cmLst><p:cm authorId="0"><p:pos x="1" y="1"/><p:text>Move this to the end.</p:text></p:cm><p:cm><p:text> </p:text></p:cm></p:cmLst>',
    'ppt/new.xml': modern('Who said that?', reply('The board.')),
  };
  assert.equal(
    await textOf(shape('Text.'), { a: ['comments', 'old.xml'], b: ['comments', 'new.xml'] }, parts),
    'Text.\n\nComment: Move this to the end.\n\nComment: Who said that?\nThe board.',
  );
});

test('descriptions of pictures, shapes and groups of a PPTX are read, names that a program gave are not', async () => {
  const picture = (about: string): string =>
    `<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture 2" ${about}/></p:nvPicPr><p:spPr/></p:pic>`;
  const group = (about: string): string =>
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="Group" ${about}/></p:nvGrpSpPr>${picture('')}</p:grpSp>`;
  assert.equal(await textOf(picture('descr="A lock with two gates"')), 'A lock with two gates');
  assert.equal(await textOf(group('descr="How a lock works"')), 'How a lock works');
  assert.equal(await textOf(shape('Gate', { about: 'descr="The upper gate"' })), 'Gate\n\nThe upper gate');
  assert.equal(
    await textOf(shape('Text.') + picture('descr="lock-final.png"') + picture('descr="Picture 4"')),
    'Text.',
  );
});

test('raised text and equations of a PPTX never change a figure', async () => {
  for (const draw of drawFrom(22, 10)) {
    const power = draw.number(2, 40);
    const baseline = `baseline="${draw.number(10, 50)}000"`;
    assert.equal(
      await textOf(shape(paragraph(run('About 10') + run(`${power}`, baseline) + run(' grams')))),
      `About 10^${power} grams`,
    );
  }
  assert.equal(await textOf(shape(paragraph(run('H') + run('2', 'baseline="-25000"') + run('O')))), 'H2O');
  assert.equal(await textOf(shape(paragraph(run('May 1') + run('st', 'baseline="30000"')))), 'May 1st');
  const half =
    '<a14:m><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m>';
  assert.equal(await textOf(shape(paragraph(run('Take 3') + half))), 'Take 3 1/2');
});

test('a merged cell of a PPTX table has its value in every cell that it covers, and each chunk its head', async () => {
  const cell = (text: string, attributes = ''): string =>
    `<a:tc ${attributes}><a:txBody>${paragraph(run(text))}</a:txBody></a:tc>`;
  const row = (...cells: readonly string[]): string => `<a:tr>${cells.join('')}</a:tr>`;
  const table = (...rows: readonly string[]): string =>
    `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>${rows.join('')}</a:tbl></p:graphicFrame>`;
  for (const draw of drawFrom(23, 10)) {
    const [one = '', two = '', three = ''] = draw.words(3);
    const rows = [
      row(cell('Quay', 'rowSpan="2"'), cell('Size', 'gridSpan="2"'), cell('', 'hMerge="1"')),
      row(cell('', 'vMerge="1"'), cell('Long'), cell('Deep')),
      row(cell(one, 'gridSpan="2" rowSpan="2"'), cell('', 'hMerge="1"'), cell('6')),
      row(cell('', 'vMerge="1"'), cell('', 'hMerge="1" vMerge="1"'), cell('7')),
      row(cell(two), cell(''), cell(three)),
    ];
    assert.equal(
      await textOf(table(...rows)),
      `Quay | Size | Size\nQuay | Long | Deep\n${one} | ${one} | 6\n${one} | ${one} | 7\n${two} | | ${three}`,
    );
  }
  const long = Array.from({ length: 150 }, (_, at) => row(cell(`Berth ${at}`), cell(`${at * 3}`)));
  const file = fileOf('a.pptx', pptx([slide(table(row(cell('Name'), cell('Metres')), ...long))]));
  const chunks = chunkSections(await readHere(file));
  assert.ok(chunks.length > 1);
  for (const { text } of chunks) assert.ok(text.startsWith('Name | Metres\n'), text);
});

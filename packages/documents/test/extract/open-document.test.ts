import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { drawFrom } from './draw.ts';
import { zipOf } from './make-office.ts';
import { fileOf, readHere, readWhole } from './read.ts';

const content = (kind: string, body: string, styles = ''): string =>
  `<o:document-content><o:automatic-styles>${styles}</o:automatic-styles><o:body><o:${kind}>${body}</o:${kind}></o:body></o:document-content>`;

interface Parts {
  readonly styles?: string;
  readonly common?: string;
}

const odf = (kind: 'text' | 'presentation', body: string, { styles = '', common = '' }: Parts = {}) =>
  fileOf(
    kind === 'text' ? 'a.odt' : 'a.odp',
    zipOf({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml': content(kind, body, styles),
      'styles.xml': `<o:document-styles>${common}</o:document-styles>`,
    }),
  );

const textOf = async (body: string, parts: Parts = {}): Promise<string> =>
  (await readHere(odf('text', body, parts))).map(({ text }) => text).join('\n\n');

const style = (name: string, properties: string, family = 'text', more = ''): string =>
  `<s:style s:name="${name}" s:family="${family}" ${more}><s:text-properties ${properties}/></s:style>`;
const p = (text: string, name = 'Standard'): string => `<t:p t:style-name="${name}">${text}</t:p>`;
const span = (name: string, text: string): string => `<t:span t:style-name="${name}">${text}</t:span>`;
const cell = (text: string, spans = ''): string => `<b:table-cell ${spans}>${p(text)}</b:table-cell>`;
const covered = '<b:covered-table-cell/>';
const row = (...cells: readonly string[]): string => `<b:table-row>${cells.join('')}</b:table-row>`;
const table = (...rows: readonly string[]): string => `<b:table>${rows.join('')}</b:table>`;

test('a merged cell of an ODT table has its value in every cell that it covers, and each chunk its head', async () => {
  for (const draw of drawFrom(41, 10)) {
    const [one = '', two = ''] = draw.words(2);
    const height = draw.number(2, 4);
    const rows = [
      `<b:table-header-rows>${row(cell('Quay', 'b:number-rows-spanned="2"'), cell('Size', 'b:number-columns-spanned="2"'), covered)}${row(covered, cell('Long'), cell('Deep'))}</b:table-header-rows>`,
      row(cell(one, `b:number-rows-spanned="${height}"`), cell('a'), cell('0')),
      ...Array.from({ length: height - 1 }, (_, at) => row(covered, cell('b'), cell(`${at + 1}`))),
      row(cell(two), cell('', 'b:number-columns-repeated="2"')),
      row(cell('End'), cell(''), cell('9')),
    ];
    const merged = Array.from({ length: height - 1 }, (_, at) => `${one} | b | ${at + 1}`);
    assert.equal(
      await textOf(table(...rows)),
      ['Quay | Size | Size', 'Quay | Long | Deep', `${one} | a | 0`, ...merged, two, 'End | | 9'].join('\n'),
    );
    const long = Array.from({ length: 150 }, (_, at) => row(cell(`${two}-${at}`), cell(`${at * 7}`), cell(one)));
    const chunks = chunkSections(
      await readHere(
        odf('text', p('Berths of the year') + table(row(cell('Name'), cell('Metres'), cell('Owner')), ...long)),
      ),
    );
    assert.ok(chunks.length > 1);
    for (const { text } of chunks) assert.ok(text.startsWith('Berths of the year\nName | Metres | Owner\n'), text);
  }
});

test('hidden text of an ODT is left out and named, and prompts are left out', async () => {
  const styles = style('Hid', 't:display="none"') + style('HidP', 't:display="none"', 'paragraph');
  const common = `<o:styles>${style('Base', 't:display="none"')}</o:styles>`;
  const child = '<s:style s:name="Child" s:family="text" s:parent-style-name="Base"/>';
  const forms = [
    p(`Seen.${span('Hid', ' SECRET')}`),
    p(`Seen.${span('Child', ' SECRET')}`),
    p('Seen.') + p('SECRET', 'HidP'),
    `${p('Seen.')}<t:section t:display="none">${p('SECRET')}</t:section>`,
    `${p('Seen.')}<t:section t:display="condition" t:is-hidden="true">${p('SECRET')}</t:section>`,
    p('Seen.<t:hidden-text t:is-hidden="true">SECRET</t:hidden-text>'),
    p('Seen.') + p('<t:hidden-paragraph t:is-hidden="true"/>SECRET'),
  ];
  for (const form of forms) {
    const { inspection, sections } = await readWhole(odf('text', form, { styles: styles + child, common }));
    assert.deepEqual(
      [sections.map(({ text }) => text).join(), inspection.notes],
      ['Seen.', ['Text that is formatted as hidden was left out.']],
      form,
    );
  }
  assert.equal(await textOf(p('To: <t:placeholder>&lt;Name&gt;</t:placeholder>') + p('Text.')), 'To:\n\nText.');
});

test('headers and footers of an ODT are read once, without page numbers and unused pages', async () => {
  const page = (name: string, body: string): string => `<s:master-page s:name="${name}">${body}</s:master-page>`;
  const footer = `<s:footer>${p('IBAN SE45')}${p('Page <t:page-number>7</t:page-number> of <t:page-count>9</t:page-count>')}</s:footer>`;
  const common = `<o:master-styles>${page('Standard', `<s:header>${p('Surveyor Berg, file 81')}</s:header><s:header-left>${p('Surveyor Berg, file 81')}</s:header-left>${footer}`)}${page('Letter', `<s:header>${p('Letterhead')}</s:header><s:footer s:display="false">${p('Off')}</s:footer>`)}${page('Unused', `<s:header>${p('Old')}</s:header>`)}</o:master-styles>`;
  const styles = '<s:style s:name="P1" s:family="paragraph" s:master-page-name="Letter"/>';
  assert.equal(
    await textOf(p('The hull leaks.', 'P1'), { styles, common }),
    'Surveyor Berg, file 81\n\nLetterhead\n\nThe hull leaks.\n\nIBAN SE45',
  );
});

test('raised text of an ODT never changes a figure', async () => {
  for (const draw of drawFrom(42, 10)) {
    const power = draw.number(2, 40);
    for (const position of ['super 58%', `${draw.number(10, 60)}% 58%`]) {
      const styles = style('Up', `s:text-position="${position}"`) + style('Down', 's:text-position="sub 58%"');
      assert.equal(
        await textOf(p(`It holds 10${span('Up', `${power}`)} litres of H${span('Down', '2')}O.`), { styles }),
        `It holds 10^${power} litres of H2O.`,
      );
    }
  }
});

test('comments and descriptions of pictures of an ODT are read, names that a program gave are not', async () => {
  const comment = '<o:annotation><d:creator>Erna</d:creator><d:date>2026</d:date><t:p>Is it?</t:p></o:annotation>';
  const picture = (about: string): string => `<w:frame w:name="Bild1"><w:image/>${about}</w:frame>`;
  assert.equal(await textOf(p(`It is 412.${comment} Yes.`)), 'It is 412. (Is it?) Yes.');
  assert.equal(
    await textOf(p(`See ${picture('<v:title>Image 3</v:title><v:desc>A map of the bay</v:desc>')}here.`)),
    'See here.\n\nA map of the bay',
  );
  assert.equal(await textOf(p('Text.') + p(picture('<v:title>bay.png</v:title>'))), 'Text.');
});

test('lines in bold or larger type are headings of an ODT', async () => {
  for (const draw of drawFrom(43, 6)) {
    const [one = '', two = ''] = draw.words(2);
    const styles =
      style('Large', `f:font-size="${draw.number(15, 24)}pt"`, 'paragraph') + style('Bold', 'f:font-weight="bold"');
    const body = [p(one, 'Large'), p('First text of it.'), p(span('Bold', two)), p('Second text of it.')];
    assert.deepEqual(
      (await readHere(odf('text', body.join(''), { styles }))).map(({ headingPath, text }) => [
        headingPath,
        text.split('\n\n').at(-1),
      ]),
      [
        [[one], 'First text of it.'],
        [[one, two], 'Second text of it.'],
      ],
    );
  }
});

test('slides of an ODP are read in reading order with comments, and hidden slides are left out', async () => {
  const frame = (text: string, y: string, more = ''): string =>
    `<w:frame v:x="1cm" v:y="${y}" v:width="5cm" v:height="10mm" ${more}><w:text-box>${p(text)}</w:text-box></w:frame>`;
  const page = (body: string, name = 'dp1'): string => `<w:page w:style-name="${name}">${body}</w:page>`;
  const styles =
    '<s:style s:name="dp2" s:family="drawing-page"><s:drawing-page-properties r:visibility="hidden"/></s:style>';
  const comment = '<o:annotation><d:creator>Erna</d:creator><t:p>Shorter.</t:p></o:annotation>';
  const first = [
    frame('third', '9cm'),
    frame('first', '20mm'),
    frame('second', '2in'),
    frame('7', '15cm', 'r:class="page-number"'),
    frame('Title', '12cm', 'r:class="title"'),
    comment,
  ];
  const pages = page(first.join('')) + page(frame('SECRET', '1cm'), 'dp2') + page(frame('Last', '1cm'));
  const { inspection, sections } = await readWhole(odf('presentation', pages, { styles }));
  assert.deepEqual(
    sections.map(({ pageStart, text }) => [pageStart, text]),
    [
      [1, 'Title\n\nfirst\n\nsecond\n\nthird\n\nComment: Shorter.'],
      [3, 'Last'],
    ],
  );
  assert.deepEqual(inspection.notes, ['Hidden slide 2 was not read.']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, relations, zipOf, type Parts } from './make-office.ts';
import { fileOf, outlineOf, readWhole } from './read.ts';

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

const docx = (body: string, parts: Parts = {}): Uint8Array =>
  office('wordprocessingml.document', 'word/document.xml', {
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

test('files embedded in a DOCX are read at their places, with their headings', async () => {
  const bytes = docx(
    `${p('Report', '<w:outlineLvl w:val="0"/>')}${p('Before.')}<w:altChunk r:id="a"/><w:altChunk r:id="b"/><w:altChunk r:id="c"/>
    <w:tbl><w:tr><w:tc>${p('Cell')}</w:tc><w:tc><w:altChunk r:id="d"/></w:tc></w:tr></w:tbl>`,
    {
      'word/_rels/document.xml.rels': relations({
        a: ['aFChunk', '/word/a.html'],
        b: ['aFChunk', 'b.mht'],
        c: ['aFChunk', 'c.bin'],
        d: ['aFChunk', 'd.txt'],
        e: ['aFChunk', 'missing.html'],
      }),
      'word/a.html': '<html><body><h2>Harbours</h2><h3>Lights</h3><p>Red.</p><h2>Tides</h2><p>Low.</p></body></html>',
      'word/b.mht':
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html; charset="utf-8"\n\n<html><body><h1>Ships</h1><p>The Erna sails.</p></body></html>\n--x--\n',
      'word/c.bin': '',
      'word/d.txt': 'Plain words',
    },
  );
  const { inspection, sections } = await readWhole(fileOf('a.docx', bytes));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [['Report'], 'Report\n\nBefore.'],
      [['Harbours', 'Lights'], 'Harbours\n\nLights\n\nRed.'],
      [['Tides'], 'Tides\n\nLow.'],
      [['Ships'], 'Ships\n\nThe Erna sails.\n\nCell | Plain words'],
    ],
  );
  assert.deepEqual(inspection.notes, ['A part of the document was skipped: c.bin (it is empty).']);
});

const xlsx = (rows: string, parts: Parts = {}): Uint8Array =>
  office('spreadsheetml.sheet', 'xl/workbook.xml', {
    'xl/_rels/workbook.xml.rels': relations({
      a: ['worksheet', 'one.xml'],
      b: ['sharedStrings', 's.xml'],
      c: ['styles', 'st.xml'],
    }),
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="a"/></sheets></workbook>',
    'xl/one.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });

test('escaped characters in XLSX strings are decoded, and text that only looks like an escape is unchanged', async () => {
  const bytes = xlsx(
    `<row><c t="s"><v>0</v></c></row><row><c t="inlineStr"><is><t>two_x000d__x000A_lines</t></is></c></row><row><c t="str"><v>a_x0009_b_x00e4_</v></c></row>
    <row><c t="inlineStr"><is><t>_x005F_x000D_ _x12_ _xD83D__xDE00_ _x0007_!_xD83D_</t></is></c></row>`,
    { 'xl/s.xml': '<sst><si><t>one_x000D_\nline</t></si></sst>' },
  );
  const { sections } = await readWhole(fileOf('a.xlsx', bytes));
  assert.equal(sections[0]?.text, 'S\n\none line\n\ntwo lines\n\na bä\n\n_x000D_ _x12_ 😀 !\uFFFD');
});

test('a note counts the XLSX formulas without a stored value', async () => {
  const stored = '<row><c><v>2</v></c><c><f>A1*2</f><v>4</v></c><c t="str"><f>T(A1)</f><v></v></c><c/></row>';
  const missing = '<c><f>A1*3</f><v></v></c>';
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    [missing, ['1 formula has no stored value; open the file in a spreadsheet program and save it.']],
    [
      `${missing}<c t="n"><f t="shared" si="0"/></c>`,
      ['2 formulas have no stored value; open the file in a spreadsheet program and save it.'],
    ],
  ];
  for (const [cells, notes] of cases) {
    const { inspection, sections } = await readWhole(fileOf('a.xlsx', xlsx(`${stored}<row>${cells}</row>`)));
    assert.deepEqual([inspection.notes, sections[0]?.text], [notes, 'S\n\n2 | 4'], cells);
  }
});

test('XLSX numbers with a fixed-place format keep their zeros and literals', async () => {
  const cells: readonly (readonly [string, string, string])[] = [
    ['00000', '1067', '01067'],
    ['000\\-00\\-0000', '78051120', '078-05-1120'],
    ['"A-"0000', '42', 'A-0042'],
    ['"A-"0000', '123456', 'A-123456'],
    ['[Red](00) 0-0_);@', '12345', '(123) 4-5'],
    ['"x;0"00;\\-00', '7', 'x;007'],
    ['0', '7', '7'],
    ['00000', '-5', '-5'],
    ['00000', '10.25', '10.25'],
    ['00000', '1E+20', '1E+20'],
    ['[<100]000', '7', '007'],
    ['#,##0', '7', '7'],
    ['0.00', '7', '7'],
    ['00E+00', '7', '7'],
    ['000,', '7', '7'],
    ['"open0', '7', 'open7'],
    ['0000%', '7', '700%'],
  ];
  const codes = cells.map(
    ([code], at) => `<numFmt numFmtId="${170 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const bytes = xlsx(cells.map(([, value], at) => `<row><c s="${at}"><v>${value}</v></c></row>`).join(''), {
    'xl/st.xml': `<styleSheet><numFmts>${codes.join('').replaceAll('[<', '[&lt;')}</numFmts><cellXfs>${cells.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  });
  const { sections } = await readWhole(fileOf('a.xlsx', bytes));
  assert.deepEqual(
    sections[0]?.text.split('\n\n').slice(1),
    cells.map(([, , shown]) => shown),
  );
});

test('office documents are read without the reading aids of East Asian characters', async () => {
  const inDocx = docx(
    '<w:p><w:r><w:ruby><w:rt><w:r><w:t>けん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>憲</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>法</w:t></w:r></w:p>',
  );
  const inOdt = zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<o:document-content><o:body><o:text><x:p><x:ruby><x:ruby-base>憲</x:ruby-base><x:ruby-text>けん</x:ruby-text></x:ruby>法</x:p></o:text></o:body></o:document-content>',
  });
  const inXlsx = xlsx(
    '<row><c t="inlineStr"><is><t>憲</t><rPh sb="0" eb="1"><t>けん</t></rPh><r><t>法</t></r></is></c></row>',
  );
  assert.deepEqual(await outlineOf('a.docx', inDocx), [[[], '憲法']]);
  assert.deepEqual(await outlineOf('a.odt', inOdt), [[[], '憲法']]);
  assert.deepEqual(await outlineOf('a.xlsx', inXlsx), [[['S'], 'S\n\n憲法']]);
});

test('a drop cap in a DOCX is joined with its word', async () => {
  const cap = (text: string, kind = 'drop'): string => p(text, `<w:framePr w:dropCap="${kind}"/>`);
  const table = `<w:tbl><w:tr><w:tc>${cap('C')}${p('ell')}</w:tc></w:tr></w:tbl>`;
  const body = `${cap('V')}<w:bookmarkStart/>${p('ersicherte')}${cap('D', 'margin')}${p('onau', '<w:outlineLvl w:val="0"/>')}${cap('N', 'none')}${p('o cap')}${cap('A')}${table}${cap('Z')}`;
  assert.deepEqual(await outlineOf('a.docx', docx(body)), [
    [[], 'Versicherte'],
    [['Donau'], 'Donau\n\nN\n\no cap\n\nA\n\nCell\n\nZ'],
  ]);
});

test('characters of the font Symbol in a DOCX are read, ornaments are not', async () => {
  const sym = (font: string, code: string): string => `<w:sym w:font="${font}" w:char="${code}"/>`;
  const codes = ['F020', 'F057', '57', 'F061', 'F06D', '7e', 'F0A3', 'F0E5', 'F0F2', 'F0F0', 'F060', '1', 'FFFFF', ''];
  const body = `<w:p><w:r><w:t>10 k</w:t>${codes.map((code) => sym('Symbol', code)).join('')}${sym('Wingdings', 'F0FC')}<w:t>.</w:t></w:r></w:p>`;
  assert.deepEqual(await outlineOf('a.docx', docx(body)), [[[], '10 k ΩΩαμ∼≤∑∫.']]);
});

const pptx = (shapes: string, parts: Parts = {}): Uint8Array =>
  office('presentationml.presentation', 'ppt/p.xml', {
    'ppt/_rels/p.xml.rels': relations({ a: ['slide', '1.xml'] }),
    'ppt/p.xml': '<p:presentation><p:sldIdLst><p:sldId id="9" r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/1.xml': `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    ...parts,
  });

test('sheets and slides are found under any XML prefix', async () => {
  const sheets = xlsx('<row><c><v>7</v></c></row>', {
    'xl/workbook.xml': '<x:workbook><x:sheets><x:sheet name="S" sheetId="1" d3p1:id="a"/></x:sheets></x:workbook>',
  });
  const slides = pptx('<p:sp><p:txBody><a:p><a:r><a:t>Lights</a:t></a:r></a:p></p:txBody></p:sp>', {
    'ppt/p.xml': '<p:presentation><p:sldIdLst><p:sldId id="9" rel:id="a"/></p:sldIdLst></p:presentation>',
  });
  assert.deepEqual(await outlineOf('a.xlsx', sheets), [[['S'], 'S\n\n7']]);
  assert.deepEqual(await outlineOf('a.pptx', slides), [[[], 'Lights']]);
});

test('an equation in a PPTX sentence is read at its place', async () => {
  const run = (text: string): string => `<a:r><a:t>${text}</a:t></a:r>`;
  const equation =
    '<a14:m><m:oMathPara><m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></a14:m>';
  const slide = `<p:sp><p:txBody><a:p>${run('Einstein found ')}${equation}${run(' in 1905.')}</a:p></p:txBody></p:sp>`;
  assert.deepEqual(await outlineOf('a.pptx', pptx(slide)), [[[], 'Einstein found E=mc^2 in 1905.']]);
});

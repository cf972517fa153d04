import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawText, toPng } from '../ocr/pictures.ts';
import { buildPdf, pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { assertOutlivesDamage } from './damage.ts';
import { fileOf, readWhole } from './read.ts';

const annotation = (subtype: string, entries: string): string =>
  `<</Type/Annot/Subtype/${subtype}/Rect[50 50 100 70]${entries}>>`;
const field = (entries: string): string => annotation('Widget', entries);
const look = (text: string): string =>
  streamOf(
    `BT /F 12 Tf 5 5 Td (${text}) Tj ET`,
    '/Type/XObject/Subtype/Form/BBox[0 0 200 40]/Resources<</Font<</F 5 0 R>>>>',
  );

/** A page wider than a letter, whose measures are those of all pages, with annotations from object 6 on. */
const annotated = (annotations: readonly string[], fields: readonly number[], more: readonly string[]): Buffer => {
  const numbers = annotations.map((_, index) => `${index + 6} 0 R`).join(' ');
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields.map((number) => `${number} 0 R`).join(' ')}]>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 1200 900]>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[${numbers}]>>`,
    streamOf('BT /F 12 Tf 50 700 Td (Application) Tj 1000 0 Td (Far right) Tj ET'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...annotations,
    ...more,
  ]);
};

const textOf = async (bytes: Uint8Array): Promise<string | undefined> =>
  (await readWhole(fileOf('a.pdf', bytes))).sections[0]?.text;

const form = annotated(
  [
    field('/Parent 17 0 R/FT/Tx/T(name[0])/V(Friederike Lornsen)'),
    field('/Parent 18 0 R/AS/Off/AP<</N<</small 19 0 R/Off 19 0 R>>>>'),
    field('/Parent 18 0 R/AS/large/AP<</N<</large 19 0 R/Off 19 0 R>>>>'),
    field('/FT/Btn/T(a)/TU(Agrees to the terms:)/AS/Yes/AP<</N<</Yes 19 0 R/Off 19 0 R>>>>'),
    field('/FT/Btn/T(b)/AS/Off/AP<</N<</Yes 19 0 R/Off 19 0 R>>>>'),
    field('/FT/Tx/Ff 8192/T(pin)/V(1234)'),
    field('/FT/Tx/F 2/T(hidden)/V(never seen)'),
    field('/FT/Tx/F 32/T(printed)/V(never seen)'),
    field('/FT/Ch/Ff 131072/T(land)/Opt[[(DE)(Germany)][(DK)(Denmark)]]/V(DK)'),
    field('/FT/Tx/T(empty)'),
    field('/FT/Sig/T(sig)/AP<</N 20 0 R>>'),
  ],
  [17, 18, 9, 10, 11, 12, 13, 14, 15, 16],
  [
    '<</T(person)/Kids[6 0 R]>>',
    '<</T(size)/FT/Btn/Ff 32768/V/large/Kids[7 0 R 8 0 R]>>',
    look('4'),
    look('Signed by Erna'),
  ],
);

test('filled PDF form fields are read with their labels and the signature, and hidden fields are not', async () => {
  assert.equal(
    await textOf(form),
    'Application Far right\n\nSigned by Erna\n\nname: Friederike Lornsen\nsize: large\nAgrees to the terms: Yes\nland: Denmark',
  );
});

test('text boxes, comments and stamps of a PDF are read; links, pop-ups, review states and damaged stamps are not', async () => {
  const bytes = annotated(
    [
      annotation('Stamp', '/AP<</N 14 0 R>>'),
      annotation('Stamp', '/AP<</N 99 0 R>>'),
      annotation('Text', '/Contents(Please check)'),
      annotation('Text', '/StateModel(Review)/State(Accepted)/Contents(Accepted set by Erna)'),
      annotation('Popup', '/Contents(Please check)'),
      annotation('Link', '/Contents(A link)'),
      annotation('FreeText', '/Contents(Price on request)'),
      annotation('FreeText', '/AP<</N 15 0 R>>'),
    ],
    [],
    [look('RECEIVED 12 March'), look('No contents')],
  );
  const text = (await textOf(bytes)) ?? '';
  assert.equal(
    text.replace(/\s+/g, ' '),
    'Application Far right RECEIVED 12 March No contents Please check Price on request',
  );
  const links = annotated([annotation('Link', '/Contents(A link)')], [], []);
  assert.equal(await textOf(links), 'Application Far right');
});

test('a PDF form whose fields have no appearance is read, and a scan with form fields still gets OCR', async () => {
  const page = Buffer.from(toPng(await drawText('Ship’s papers')));
  const bytes = await buildPdf((document) => {
    document.image(page, 0, 0, { width: 612, height: 792 }).initForm();
    document.formText('city', 100, 100, 200, 20, { value: 'Husum' });
  });
  const { parts, sections } = await readWhole(fileOf('form.pdf', bytes));
  assert.equal(sections[0]?.text, 'city: Husum');
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['text', 'picture'],
  );
});

test('a PDF form in XFA has a note that its fields were not read', async () => {
  const xfa = form
    .toString('latin1')
    .replace('/Catalog', '/Catalog/NeedsRendering true')
    .replace('/AcroForm<<', '/AcroForm<</XFA 20 0 R');
  const { inspection } = await readWhole(fileOf('a.pdf', Buffer.from(xfa, 'latin1')));
  assert.match(inspection.notes.join(), /^The PDF is an XFA form/);
});

test('a damaged PDF form is read or refused and never crashes the reader', async () => {
  await assertOutlivesDamage('a.pdf', form, 100);
});

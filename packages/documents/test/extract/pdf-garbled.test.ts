import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarbled } from '../../src/extract/pdf/readable-text.ts';
import { pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

const english =
  'The ferry leaves the old harbour at six in the morning and returns when the last crate of herring is on board.';
const german =
  'Die Fähre verlässt den alten Hafen um sechs Uhr morgens und kehrt zurück, wenn die letzte Kiste Heringe an Bord ist.';

const moved = (text: string, by: number): string =>
  Array.from(text, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + by)).join('');

/** A PDF page whose font maps each code to another letter than it shows. */
const mappedPage = (lines: readonly string[], by: number, more = ''): Uint8Array =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 7 0 R>>>>>>',
    streamOf(lines.map((line, index) => `BT /F 9 Tf 40 ${700 - index * 20} Td (${line}) Tj ET`).join('\n') + more),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>',
    streamOf(
      `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <${(0x20 + by).toString(16).padStart(4, '0')}> endbfrange endcmap`,
    ),
    '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>',
  ]);

test('a PDF page whose Unicode map is wrong goes to text recognition, and one whose map is right does not', async () => {
  for (const by of [1, 2, 4, -3]) {
    const { parts } = await readWhole(fileOf('a.pdf', mappedPage([english], by)));
    assert.deepEqual(
      parts.map(({ kind }) => kind),
      ['picture'],
      `moved by ${by}`,
    );
  }
  const right = await readWhole(fileOf('a.pdf', mappedPage([english], 0)));
  assert.equal(right.sections[0]?.text, english);
});

test('a PDF page with one wrong font among right ones goes to text recognition', async () => {
  const more = `\nBT /G 12 Tf 40 600 Td (${english.slice(0, 80)}) Tj 0 -20 Td (${english.slice(0, 80)}) Tj ET`;
  const { parts } = await readWhole(fileOf('a.pdf', mappedPage([english], 4, more)));
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['picture'],
  );
});

test('languages, code, keys and part numbers are not taken for wrong letters', () => {
  const keys = Array.from({ length: 40 }, (_, index) => Buffer.from(`${index * 7919}:${index}`).toString('base64'));
  const parts = Array.from({ length: 80 }, (_, index) => `XK-${index * 37}TR / QV${index}`);
  const texts = [
    english,
    german,
    'Prom odpływa ze starego portu o szóstej rano i wraca, gdy ostatnia skrzynia śledzi jest na pokładzie statku.',
    'Lautta lähtee vanhasta satamasta kuudelta aamulla ja palaa, kun viimeinen silakkalaatikko on kannella.',
    'Phà rời bến cảng cũ lúc sáu giờ sáng và quay lại khi thùng cá trích cuối cùng đã ở trên tàu.',
    'Паром покидает старую гавань в шесть утра и возвращается, когда последний ящик сельди на борту.',
    '渡船は朝六時に古い港を出て、最後のニシンの箱が積まれると戻る。'.repeat(4),
    keys.join('\n'),
    parts.join('\n'),
    'ATGCGTACCTTAGACCATGA '.repeat(30),
    'const qty = rows.map((r) => r.qty ?? 0); for (let i = 0; i < qty.length; i++) { sum += qty[i]; }'.repeat(3),
    'sin²x + cos²x = 1; ∫ f(x) dx = F(b) − F(a); ẋ = Ax + Bu; y = Cx + Du',
  ];
  assert.deepEqual(texts.filter(isGarbled), []);
  assert.deepEqual([english, german].map((text) => moved(text, 5)).filter(isGarbled).length, 2);
});

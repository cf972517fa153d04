import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

interface NamedFont {
  readonly name: string;
  readonly encoding: string;
  readonly ordering: string;
}

interface PlacedCode {
  readonly code: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** A PDF page with each character painted by an instruction of its own, in a font that the file only names. */
const pageOf = (codes: readonly PlacedCode[], { name, encoding, ordering }: NamedFont): Uint8Array => {
  const shown = codes.map(({ code, x, y, size }) => `BT /F ${size} Tf ${x} ${y} Td <${code}> Tj ET`);
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    streamOf(shown.join('\n')),
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/${encoding}/DescendantFonts[6 0 R]>>`,
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000/FontDescriptor 7 0 R>>`,
    `<</Type/FontDescriptor/FontName/${name}/Flags 6/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>`,
  ]);
};

const singleCharacters = (codes: readonly string[], font: NamedFont): Uint8Array =>
  pageOf(
    codes.map((code, index) => ({ code, x: 60 + index * 16, y: 700, size: 14 })),
    font,
  );

const utf16 = (text: string): readonly string[] =>
  Array.from(text).map((character) => Buffer.from(character, 'utf16le').swap16().toString('hex'));

test('single characters of a Chinese, Japanese or Korean font that a PDF only names are read', async () => {
  const japan = { name: 'HeiseiMin-W3', ordering: 'Japan1' };
  const cases: readonly (readonly [string, readonly string[], NamedFont])[] = [
    ['鍵は青い箱の中', utf16('鍵は青い箱の中'), { ...japan, encoding: 'UniJIS-UCS2-H' }],
    ['鍵は青い箱の中', utf16('鍵は青い箱の中'), { ...japan, encoding: 'UniJIS-UTF16-H' }],
    ['図書', ['907d', '8f91'], { name: 'MS-Mincho', encoding: '90ms-RKSJ-H', ordering: 'Japan1' }],
    ['书馆', ['cae9', 'b9dd'], { name: 'SimSun', encoding: 'GBK-EUC-H', ordering: 'GB1' }],
    ['钥匙在盒子里', utf16('钥匙在盒子里'), { name: 'STSong-Light', encoding: 'UniGB-UCS2-H', ordering: 'GB1' }],
    ['鑰匙在盒子裡', utf16('鑰匙在盒子裡'), { name: 'MSung-Light', encoding: 'UniCNS-UCS2-H', ordering: 'CNS1' }],
    ['열쇠는상자에', utf16('열쇠는상자에'), { name: 'HYSMyeongJo', encoding: 'UniKS-UCS2-H', ordering: 'Korea1' }],
  ];
  for (const [text, codes, font] of cases) {
    const { parts, sections } = await readWhole(fileOf('a.pdf', singleCharacters(codes, font)));
    assert.equal(sections.map((section) => section.text.replaceAll(/\s/g, '')).join(), text);
    assert.equal(parts.length, 1);
  }
});

const mincho = { name: 'HeiseiMin-W3', ordering: 'Japan1', encoding: 'UniJIS-UCS2-H' } as const;
const story = '港の古い図書館では毎月第二土曜日に会員が集まり、新しく届いた本について静かに語り合います。';

test('vertical Japanese text is read column by column from the right, in whatever order it was painted', async () => {
  for (const order of ['by column', 'by row', 'from the left'] as const) {
    for (const [size, pitch, perColumn] of [
      [10, 1, 8],
      [12, 1.15, 11],
      [14, 1.3, 20],
    ] as const) {
      const codes = utf16(story).map((code, at) => {
        const [column, row] = [Math.floor(at / perColumn), at % perColumn];
        return { code, x: 500 - column * size * 1.8, y: 700 - row * size * pitch, size, column, row };
      });
      if (order === 'by row') codes.sort((one, other) => one.row - other.row || other.column - one.column);
      if (order === 'from the left') codes.sort((one, other) => other.column - one.column || one.row - other.row);
      const { sections } = await readWhole(fileOf('a.pdf', pageOf(codes, mincho)));
      assert.deepEqual(
        sections.map(({ text }) => text),
        [story],
        `${order}, ${size} points`,
      );
    }
  }
});

test('single Japanese characters below each other beside words are the rows of a table', async () => {
  const rows = ['月 図書館', '火 市民会館', '水 中央公園', '木 郷土博物館', '金 港の灯台', '土 休館日'].map((row) =>
    row.split(' '),
  );
  const codes = rows.flatMap(([day = '', place = ''], row) => [
    ...utf16(day).map((code) => ({ code, x: 100, y: 700 - row * 15, size: 12 })),
    ...utf16(place).map((code, at) => ({ code, x: 200 + at * 12, y: 700 - row * 15, size: 12 })),
  ]);
  const { sections } = await readWhole(fileOf('a.pdf', pageOf(codes, mincho)));
  const text = sections.map((section) => section.text.replaceAll(' ', '')).join();
  assert.equal(text, rows.map((row) => row.join('|')).join('\n'));
});

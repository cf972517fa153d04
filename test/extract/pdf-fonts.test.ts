import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

interface NamedFont {
  readonly name: string;
  readonly encoding: string;
  readonly ordering: string;
}

/** A PDF page with each character painted by an instruction of its own, in a font that the file only names. */
const singleCharacters = (codes: readonly string[], { name, encoding, ordering }: NamedFont): Uint8Array => {
  const shown = codes.map((code, index) => `BT /F 14 Tf ${60 + index * 16} 700 Td <${code}> Tj ET`);
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

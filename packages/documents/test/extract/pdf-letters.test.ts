import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, rawPdf, streamOf } from '../../../../test/support/make-pdf.ts';
import { createFileOpener } from '../../src/extract/read-file.ts';
import { fileOf, packages, readHere } from './read.ts';

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const unicodeOf = (text: string): string => Array.from(text, (letter) => hexOf(letter.codePointAt(0) ?? 0, 4)).join('');

/** Glyph with the text that its font states for it, and its width in thousandths of the font size. */
interface Glyph {
  readonly text: string;
  readonly width: number;
  /** Position in thousandths of the font size from the start of the line. Default: after the glyph before it. */
  readonly x?: number;
  /** Text that the page states for it besides that of the font. */
  readonly actualText?: string;
}

const size = 12;
// Codes from here on have glyphs in the fonts that replace missing ones.
const firstCode = 65;

/** A page of lines of glyphs. Each run of glyphs without positions is painted in one instruction. */
const typeset = (lines: readonly (readonly Glyph[])[], baseFont = 'Helvetica'): Uint8Array => {
  const keyOf = ({ text, width }: Glyph): string => `${text} ${width}`;
  const kinds = [...new Map(lines.flat().map((glyph) => [keyOf(glyph), glyph])).values()];
  const codes = new Map(kinds.map((glyph, index) => [keyOf(glyph), hexOf(index + firstCode, 2)]));
  const shown = lines.flatMap((line, index) => {
    const runs: { x: number; codes: string; actualText: string | undefined }[] = [];
    let x = 0;
    for (const glyph of line) {
      const isApart = glyph.x !== undefined || glyph.actualText !== runs.at(-1)?.actualText;
      if (isApart || runs.length === 0) runs.push({ x: glyph.x ?? x, codes: '', actualText: glyph.actualText });
      const run = runs.at(-1);
      if (run !== undefined) run.codes += codes.get(keyOf(glyph)) ?? '';
      x = (glyph.x ?? x) + glyph.width;
    }
    return runs.map(
      ({ x: left, codes: own, actualText }) =>
        `BT /F ${size} Tf ${60 + (left * size) / 1_000} ${740 - index * 40} Td ${actualText === undefined ? '' : `/Span <</ActualText (${actualText})>> BDC `}<${own}> Tj ${actualText === undefined ? '' : 'EMC '}ET`,
    );
  });
  const map = kinds.map((glyph) => `<${codes.get(keyOf(glyph))}> <${unicodeOf(glyph.text)}>`);
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    streamOf(shown.join('\n')),
    `<</Type/Font/Subtype/TrueType/BaseFont/${baseFont}/FirstChar ${firstCode}/LastChar ${firstCode + kinds.length - 1}/Widths[${kinds.map(({ width }) => width).join(' ')}]/ToUnicode 6 0 R/FontDescriptor 7 0 R>>`,
    streamOf(
      `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${map.length} beginbfchar ${map.join(' ')} endbfchar endcmap`,
    ),
    `<</Type/FontDescriptor/FontName/${baseFont}/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>`,
  ]);
};

const letters = (text: string, width = 500): readonly Glyph[] =>
  Array.from(text, (letter) => ({ text: letter, width: letter === ' ' ? 250 : width }));

// Text of a font that is not embedded counts as readable if most of it is ordinary words.
const below = letters('an ordinary line of words below the others, which is longer than they are');

const linesIn = async (bytes: Uint8Array): Promise<readonly string[]> =>
  (await readHere(fileOf('a.pdf', bytes))).flatMap(({ text }) => text.split('\n')).filter((line) => line !== '');

test('the letters of a ligature stay in their word, however wide its glyph is', async () => {
  const written = 'the fluffy shelf of five offices';
  for (const width of [300, 556, 700, 1_100]) {
    const glyphs = (written.match(/ffi|ff|fi|fl|./g) ?? []).map((text) => ({
      text,
      width: text === ' ' ? 250 : text.length > 1 ? width : 500,
    }));
    assert.deepEqual(await linesIn(typeset([glyphs])), [written]);
  }
});

test('a ligature whose letters are stated apart from its glyph is in one word with the letters after it', async () => {
  const written = 'the fluffy shelf of five offices';
  const glyphs = (written.match(/ffi|ff|fi|fl|./g) ?? []).map((text) =>
    text.length > 1
      ? { text: '\uFFFD', width: text.length * 355, actualText: text }
      : { text, width: text === ' ' ? 250 : text === 'f' || text === 'i' || text === 'l' ? 370 : 500 },
  );
  assert.deepEqual(await linesIn(typeset([glyphs, below])), [written, below.map(({ text }) => text).join('')]);
});

test('accents that were painted apart from their letters are joined with them', async () => {
  // Shifts in thousandths of the font size put each accent over the middle of its letter, as TeX does.
  const shown = [
    String.raw`[(caf) -111 (\264) 444 (e open)]`,
    String.raw`[(na) 27 (\250) 306 (\001ve view)]`,
    String.raw`[-139 (\002) 472 (Zi) -84 (\002) 417 (zka)]`,
    String.raw`[(garc) 416 (\270) -84 (on)]`,
    '[(a ~ b)]',
  ];
  const content = shown.map((pieces, index) => `BT /F ${size} Tf 60 ${740 - index * 40} Td ${pieces} TJ ET`).join('\n');
  const font =
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/dotlessi/caron]>>>>';
  assert.deepEqual(await linesIn(rawPdf(Buffer.from(content), font)), [
    'café open',
    'naïve view',
    'Žižka',
    'garçon',
    'a ~ b',
  ]);
});

test('letter-spaced words are read as words, with spaces of their own or by the wider gaps between them', async () => {
  for (const gap of [120, 250, 380]) {
    const spaced = (text: string, hasSpaces: boolean): readonly Glyph[] => {
      let x = 0;
      return Array.from(text).flatMap((letter) => {
        const at = x;
        x += letter === ' ' ? 300 + gap : 600 + gap;
        return letter === ' ' && !hasSpaces ? [] : [{ text: letter, width: letter === ' ' ? 300 : 600, x: at }];
      });
    };
    const read = await linesIn(typeset([spaced('HARBOUR RULES', true), spaced('HARBOUR RULES', false), below]));
    assert.deepEqual(read.slice(0, 2), ['HARBOUR RULES', 'HARBOUR RULES'], `gaps of ${gap}`);
  }
});

test('a line that was painted twice for a shadow is read once, and two equal lines are both read', async () => {
  const line = letters('Low tide at noon');
  const shadow = line.map((glyph, at) => (at === 0 ? { ...glyph, x: 30 } : glyph));
  assert.deepEqual(await linesIn(typeset([[...line, ...shadow], letters('Low tide at noon')])), [
    'Low tide at noon',
    'Low tide at noon',
  ]);
});

test('vowel points of Hebrew follow their letters if a glyph has both', async () => {
  const words = [['ש\u05C1\u05B8', 'ל', 'ו\u05B9', 'ם'], [' '], ['ל\u05B7', 'מ\u05BC\u05B0', 'ד']] as const;
  let x = 6_000;
  const glyphs = words.flat().map((text) => {
    x -= text === ' ' ? 350 : 600;
    return { text, width: text === ' ' ? 350 : 600, x };
  });
  const read = await linesIn(typeset([glyphs, below], 'Points'));
  assert.deepEqual(read.slice(0, 1), [words.flat().join('').normalize('NFC')]);
});

test('a page goes through text recognition if the font of its heading has wrong letters', async () => {
  const body =
    'The keeper of the lock opens the gates at six and closes them again when the barges have passed the bridge. ';
  for (const [heading, kinds] of [
    ['Opening hours of the northern gate', ['text']],
    ['Lmbkfkd elrop lc qeb kloqebok dxqb', ['picture']],
    ['\uE04F\uE051\uE052\uE053 \uE04F\uE055\uE056\uE051\uE052 \uE051\uE057\uE058\uE059', ['picture']],
  ] as const) {
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 6 0 R>>>>>>',
      streamOf(
        [
          `BT /G 20 Tf 50 740 Td <${Array.from(heading, (_, at) => hexOf(at + 1, 2)).join('')}> Tj ET`,
          ...[0, 1, 2, 3].map((line) => `BT /F 12 Tf 50 ${700 - line * 16} Td (${body}) Tj ET`),
        ].join('\n'),
      ),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      `<</Type/Font/Subtype/TrueType/BaseFont/Heading/FirstChar 1/LastChar ${heading.length}/Widths[${Array.from(heading, () => 600).join(' ')}]/ToUnicode 7 0 R/FontDescriptor 8 0 R>>`,
      streamOf(
        `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${heading.length} beginbfchar ${Array.from(heading, (letter, at) => `<${hexOf(at + 1, 2)}> <${unicodeOf(letter)}>`).join(' ')} endbfchar endcmap`,
      ),
      '<</Type/FontDescriptor/FontName/Heading/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>',
    ]);
    const { read } = await createFileOpener(packages)(fileOf('a.pdf', bytes));
    assert.deepEqual([...new Set((await read({ start: 1, end: 1 })).map(({ kind }) => kind))], kinds, heading);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

const hexOf = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** A PDF page of lines that are painted from left to right, each in one instruction. */
const visualLines = (lines: readonly string[]): Uint8Array => {
  const letters = [...new Set(lines.join(''))];
  const codeOf = (letter: string): string => hexOf(letters.indexOf(letter) + 1, 2);
  const shown = lines.map(
    (line, index) => `BT /F 14 Tf 100 ${700 - index * 30} Td <${Array.from(line).map(codeOf).join('')}> Tj ET`,
  );
  const map = letters.map((letter) => `<${codeOf(letter)}> <${hexOf(letter.codePointAt(0) ?? 0, 4)}>`);
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 900 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    streamOf(shown.join('\n')),
    `<</Type/Font/Subtype/TrueType/BaseFont/Script/FirstChar 1/LastChar ${letters.length}/Widths[${letters.map(() => 600).join(' ')}]/ToUnicode 6 0 R/FontDescriptor 7 0 R>>`,
    streamOf(
      `begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${map.length} beginbfchar ${map.join(' ')} endbfchar endcmap`,
    ),
    '<</Type/FontDescriptor/FontName/Script/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>',
  ]);
};

const reversed = (text: string): string => Array.from(text).toReversed().join('');

test('right-to-left lines of a PDF are read in order, with their Latin words, numbers and brackets', async () => {
  const shalom = 'שלום';
  const cases: readonly (readonly [string, string])[] = [
    [`${reversed('הוא')} A320 ${reversed('הטיסה')}`, 'הטיסה A320 הוא'],
    [`09:45 ${reversed('בשעה')}`, 'בשעה 09:45'],
    [`${reversed('אתמול')} 12/11/2025 ${reversed('ביום')}`, 'ביום 12/11/2025 אתמול'],
    [`${reversed('בלבד')} 17.5% ${reversed('הנחה')}`, 'הנחה 17.5% בלבד'],
    [`${reversed('בבקשה')} Ada Lund ${reversed('התקשרו אל')}`, 'התקשרו אל Ada Lund בבקשה'],
    [`(${reversed('חדש')}) ${reversed('מחיר')}`, 'מחיר (חדש)'],
    [`03-7654321 ${reversed('טלפון')}`, 'טלפון 03-7654321'],
    [`The word ${reversed(shalom)} means peace`, `The word ${shalom} means peace`],
    [reversed('\uFEB3\uFEFC\uFEE1'), 'سلام'],
  ];
  const { sections } = await readWhole(fileOf('a.pdf', visualLines(cases.map(([visual]) => visual))));
  const lines = (sections[0]?.text ?? '').split('\n').filter((line) => line !== '');
  assert.deepEqual(
    lines,
    cases.map(([, logical]) => logical),
  );
});

/** Text at a place and in a size, as a PDF paints it. */
type Shown = readonly [text: string, x: number, y: number, size: number];

const placed = (texts: readonly Shown[]): Uint8Array =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    streamOf(texts.map(([text, x, y, size]) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`).join('\n')),
    '<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>',
  ]);

/** Paints pieces one after the other: `^` raises, `_` lowers a piece. A character of Courier is 0.6 em wide. */
const lineOf = (pieces: readonly string[], y: number, size: number): readonly Shown[] => {
  let x = 50;
  return pieces.map((piece) => {
    const isSmall = /^[\^_]./.test(piece);
    const text = isSmall ? piece.slice(1) : piece;
    const own = isSmall ? size * 0.6 : size;
    const shown = [text, x, y + (piece.startsWith('^') ? size * 0.35 : isSmall ? -size * 0.15 : 0), own] as const;
    x += text.length * own * 0.6;
    return shown;
  });
};

test('powers, indices, ordinals and fractions of a PDF never join the figure before them', async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['A flow of 10', '^7', ' drops'], 'A flow of 10^7 drops'],
    [['A flow of 10', '^-3', ' drops'], 'A flow of 10^-3 drops'],
    [['An area of 52 km', '^2', ' in all'], 'An area of 52 km^2 in all'],
    [['A sum x', '^n+1', ' of parts'], 'A sum x^(n+1) of parts'],
    [['Pure H', '_2', 'O is clear'], 'Pure H2O is clear'],
    [['On the 21', '^st', ' of May'], 'On the 21st of May'],
    [['A pipe of ', '^3', '/', '_8', ' inch'], 'A pipe of 3/8 inch'],
    [['A pipe of 1', '^5', '/', '_16', ' inch'], 'A pipe of 1 5/16 inch'],
    [['As the archive', '^12', ' shows'], 'As the archive [12] shows'],
    [['The ', '^small print beside it', ' stays'], 'The small print beside it stays'],
  ];
  for (const size of [9, 12, 20]) {
    const shown = cases.flatMap(([pieces], index) => lineOf(pieces, 750 - index * 45, size));
    const { sections } = await readWhole(fileOf('a.pdf', placed(shown)));
    const lines = (sections[0]?.text ?? '').split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines,
      cases.map(([, text]) => text),
    );
  }
});

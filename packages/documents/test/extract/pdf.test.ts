import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { UnreadableFile } from '../../src/extract/port.ts';
import { assertOutlivesDamage } from './damage.ts';
import { makePdf, pdfOf, rawPdf, streamOf } from '../../../../test/support/make-pdf.ts';
import { extractor, fileOf, readWhole, textsOf } from './read.ts';

const filler =
  'Vectors are kept in one ordered log, and a single writer commits them as one version of the table. '.repeat(12);
const sentence = (page: number): string => `Page ${page} alone speaks of the number ${page * 7919}.`;

const unreadable = (reason: RegExp) => (error: unknown) =>
  error instanceof UnreadableFile && reason.test(error.message);

test('a PDF of 100 pages is read page by page, in independent ranges', async (t) => {
  const pages = Array.from({ length: 100 }, (_, index) => `${filler}\n\n${sentence(index + 1)}`);
  const file = fileOf('long.pdf', await makePdf(pages));
  assert.deepEqual(await extractor.inspect(file), { format: 'pdf', units: 100, paged: true, cut: '100', notes: [] });

  const startedAt = performance.now();
  const whole = textsOf(await extractor.extract(file, { start: 1, end: 100 }));
  t.diagnostic(`${((performance.now() - startedAt) / 100).toFixed(1)} ms a page`);

  assert.equal(whole.length, 100);
  for (const [index, section] of whole.entries()) {
    assert.equal(section.pageStart, index + 1);
    assert.equal(section.pageEnd, index + 1);
    assert.ok(section.text.endsWith(sentence(index + 1)), section.text.slice(-80));
  }
  const ranges = [
    { start: 84, end: 100 },
    { start: 1, end: 1 },
    { start: 40, end: 60 },
  ];
  const parts = await Promise.all(ranges.map(async (range) => textsOf(await extractor.extract(file, range))));
  assert.deepEqual(
    parts,
    ranges.map(({ start, end }) => whole.slice(start - 1, end)),
  );
  assert.deepEqual(textsOf(await extractor.extract(file, { start: 299, end: 400 })), whole.slice(298));
});

test('PDF words split at a line end are joined, and pages without text have no section', async () => {
  const broken = 'A trans-\naction that spans\nAnglo-\nSaxon lines of “quoted” text.';
  const { inspection, sections } = await readWhole(fileOf('a.pdf', await makePdf([broken, '', '   ', 'The end.'])));
  assert.equal(inspection.units, 4);
  assert.deepEqual(
    sections.map(({ pageStart }) => pageStart),
    [1, 4],
  );
  assert.match(sections[0]?.text ?? '', /^A transaction that spans\nAnglo-Saxon lines of “quoted” text\.$/);
});

test('a PDF compound split at a line end keeps its hyphen, and a word in capitals is joined', async () => {
  const broken = [
    'Haupt-\nund Nebenkosten, Kunden-\nNr. und E-\nMail der EU-\nKommission',
    'voor-\nen nadelen, mit neu-\nen Teilen',
    'NO MERCHANT-\nABILITY, pre-\nor post-war or-\ndinals',
  ];
  const files = await Promise.all(broken.map(async (page) => readWhole(fileOf('a.pdf', await makePdf([page])))));
  assert.deepEqual(
    files.flatMap(({ sections }) => sections.map(({ text }) => text)),
    [
      'Haupt- und Nebenkosten, Kunden-Nr. und E-Mail der EU-Kommission',
      'voor- en nadelen, mit neuen Teilen',
      'NO MERCHANTABILITY, pre- or post-war ordinals',
    ],
  );
});

/** A PDF of one page in a font of Chinese and Japanese that it names and doesn't hold. */
const hanPdf = (lines: readonly string[]): Uint8Array => {
  const shown = lines.map((line) => `<${Buffer.from(line, 'utf16le').swap16().toString('hex')}> Tj T*`).join('\n');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    streamOf(`BT /F 12 Tf 14 TL 50 700 Td ${shown} ET`),
    '<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/UniJIS-UCS2-H/DescendantFonts[6 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000/FontDescriptor 7 0 R>>',
    '<</Type/FontDescriptor/FontName/Song/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
  ]);
};

test('Chinese and Japanese words in a PDF are joined over line ends; headings, items and rows stay separate lines', async () => {
  const prose = [
    '会社は設備供給契約を締結しました。支払いは請求',
    '書受領後十日以内に行われます。',
    '重要事項',
    '説明',
  ];
  const apart = [
    ['支払期限は請求書受領後三十日以内、返品は不可', '第三条品質保証、返品'],
    ['東京都、千代田区霞 一箱 五百枚 普通用紙の在庫', '大阪府、中央区本町 二箱 三百枚 普通用紙の在庫'],
  ];
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [prose, [prose.slice(0, 2).join(''), ...prose.slice(2)]],
    [
      ['関 係 者 各 位 へ', '目 録'],
      ['関係者各位へ', '目 録'],
    ],
    ...apart.map((lines) => [lines, lines] as const),
  ];
  for (const [lines, expected] of cases) {
    const { sections } = await readWhole(fileOf('a.pdf', hanPdf(lines)));
    assert.deepEqual(sections[0]?.text.split('\n'), expected);
  }
});

test('a PDF page whose font has no Unicode map has no text, unless the text is clearly language', async () => {
  const show = (text: string): Buffer => Buffer.from(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`);
  const glyphs = Array.from({ length: 95 }, (_, index) => `/g${index}`).join(' ');
  const custom = `<</Type/Font/Subtype/Type1/BaseFont/Custom/Encoding<</Differences[32 ${glyphs}]>>>>`;
  const garbled = await readWhole(fileOf('a.pdf', rawPdf(show('7KH TXLFN EURZQ IR['), custom)));
  assert.deepEqual(garbled, {
    inspection: { format: 'pdf', units: 1, paged: true, notes: [] },
    parts: [],
    sections: [],
  });
  const legible = await readWhole(fileOf('a.pdf', rawPdf(show('The quick brown fox'), custom)));
  assert.equal(legible.sections[0]?.text, 'The quick brown fox');
});

test('an encrypted, truncated, damaged or inconsistent PDF is refused with that reason', async () => {
  const whole = await makePdf([filler, filler, filler]);
  const locked = await makePdf([filler], { userPassword: 'secret', pdfVersion: '1.7' });
  const open = await makePdf([filler], { ownerPassword: 'secret', pdfVersion: '1.7' });
  const lying = Buffer.from(whole.toString('latin1').replace('/Count 3', '/Count 9'), 'latin1');
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [locked, /^The PDF is protected by a password$/],
    [whole.subarray(0, whole.length - 300), /^The PDF is truncated: its end is missing$/],
    [whole.subarray(0, 500), /^The PDF is truncated: its end is missing$/],
    [Buffer.concat([whole.subarray(0, 60), Buffer.alloc(3_000, 7), Buffer.from('%%EOF')]), /damaged/],
    [lying, /^Page 9 of the PDF is damaged$/],
    [Buffer.from('%PDF-1.7\n'), /truncated/],
  ];
  for (const [bytes, reason] of cases)
    await assert.rejects(extractor.inspect(fileOf('a.pdf', bytes)), unreadable(reason));
  assert.equal((await readWhole(fileOf('open.pdf', open))).sections.length, 1);
});

test('a PDF page that needs too much memory is refused, and the next file is read', async () => {
  const bomb = rawPdf(deflateSync(Buffer.alloc(600 * 1024 * 1024, ' '), { level: 1 }), '<<>>', '/Filter/FlateDecode');
  await assert.rejects(readWhole(fileOf('bomb.pdf', bomb)), unreadable(/too much memory/));
  assert.equal((await readWhole(fileOf('b.pdf', await makePdf(['Still here.'])))).sections[0]?.text, 'Still here.');
});

test('a damaged PDF is read or refused and never crashes the reader', async () => {
  const whole = await makePdf([filler, filler]);
  await assertOutlivesDamage('a.pdf', whole, 150);
});

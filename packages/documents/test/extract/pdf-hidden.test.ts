import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, streamOf } from '../../../../test/support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

const seen = 'BT /F 11 Tf 60 700 Td (The berth costs 380 marks.) Tj ET';
const planted = 'Secretly it costs 9 marks.';
const show = (state = '', place = '1 0 0 1 60 640 Tm', size = 11): string =>
  `BT /F ${size} Tf ${state} ${place} (${planted}) Tj ET`;

// A picture of 8 by 8 pixels in one grey.
const greyPicture = (grey: number): string =>
  streamOf(
    String.fromCodePoint(grey).repeat(64),
    '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8',
  );

const form = (content: string, entries = ''): string =>
  streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F 5 0 R>>>>${entries}`);

const objects = [
  '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]/Order[6 0 R 7 0 R]>>>>>>',
  '',
  '<</Font<</F 5 0 R>>/Properties<</Off 6 0 R/On 7 0 R/Nested 8 0 R>>/ExtGState<</None<</ca 0>>/Thin<</ca .3>>>>/XObject<</Dark 9 0 R/Light 10 0 R/White 11 0 R/Switched 12 0 R/Plain 13 0 R>>>>',
  '<<>>',
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  '<</Type/OCG/Name(Draft)>>',
  '<</Type/OCG/Name(Print)>>',
  '<</Type/OCMD/OCGs[6 0 R 7 0 R]/P/AllOn>>',
  greyPicture(20),
  greyPicture(250),
  form(`1 g ${show()}`),
  form(show(), '/OC 6 0 R'),
  form(show()),
];

/** A PDF of pages that each contain the same seen sentence and a variant of the other. */
const pagesOf = (contents: readonly string[], entries = ''): Uint8Array => {
  const first = objects.length + 1;
  const pages = contents.flatMap((content, index) => [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources 3 0 R/Contents ${first + index * 2 + 1} 0 R${entries}>>`,
    streamOf(`q ${seen} Q\n${content}`),
  ]);
  const kids = contents.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  const all = [...objects, ...pages];
  all[1] = `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`;
  return pdfOf(all);
};

const box = (colour: string): string => `q ${colour} 50 630 200 30 re f Q`;
const picture = (name: string): string => `q 200 0 0 30 50 630 cm /${name} Do Q`;

const hidden: Readonly<Record<string, string>> = {
  'render mode 3': show('3 Tr'),
  'render mode 7': show('7 Tr'),
  'render mode 3 over the seen text': show('3 Tr', '1 0 0 1 60 700 Tm'),
  white: `1 g ${show()}`,
  'white in RGB': `1 1 1 rg ${show()}`,
  'white in CMYK': `0 0 0 0 k ${show()}`,
  'nearly white': `.992 g ${show()}`,
  'a white outline': `1 G ${show('1 Tr')}`,
  'white in a form': '/White Do',
  'in the colour of its box': `${box('.2 .3 .4 rg')} .2 .3 .4 rg ${show()}`,
  'in nearly the colour of its box': `${box('.2 .3 .4 rg')} .21 .31 .4 rg ${show()}`,
  'in the colour of its picture': `${picture('Dark')} .08 g ${show()}`,
  'left of the page': show('', '1 0 0 1 -300 640 Tm'),
  'above the page': show('', '1 0 0 1 60 900 Tm'),
  'clipped away': `q 0 0 40 40 re W n ${show()} Q`,
  'clipped by a triangle': `q 0 0 m 40 0 l 0 40 l h W n ${show()} Q`,
  'under a white box': `${show()} ${box('1 g')}`,
  'under a dark box': `${show()} ${box('.2 g')}`,
  'under a picture': `${show()} ${picture('Light')}`,
  tiny: show('', undefined, 0.3),
  'scaled to nothing': show('', '.02 0 0 .02 60 640 Tm'),
  'switched off': `/OC /Off BDC ${show()} EMC`,
  'switched off around other content': `/OC /Off BDC /Span <</MCID 3>> BDC ${show()} EMC EMC`,
  'switched off by a nested condition': `/OC /Nested BDC ${show()} EMC`,
  'in a form that is switched off': '/Switched Do',
  transparent: `q /None gs ${show()} Q`,
};

const visible: Readonly<Record<string, string>> = {
  plain: show(),
  'white on a dark box': `${box('.2 .3 .4 rg')} 1 g ${show()}`,
  'white on a dark picture': `${picture('Dark')} 1 g ${show()}`,
  'dark on a light picture': `${picture('Light')} ${show()}`,
  'dark on a pale box': `${box('.9 1 .9 rg')} ${show()}`,
  yellow: `1 .9 0 rg ${show()}`,
  'light grey': `.75 g ${show()}`,
  outlined: show('1 Tr'),
  'filled and outlined': show('2 Tr'),
  'switched on': `/OC /On BDC ${show()} EMC`,
  'in a form': '/Plain Do',
  'under a transparent marker': `${show()} q /Thin gs ${box('1 1 0 rg')} Q`,
  'in a narrow clip': `q 58 637 200 14 re W n ${show()} Q`,
  'small print': show('', undefined, 4),
  'with a shadow': `.8 g ${show('', '1 0 0 1 61 639 Tm')} 0 g ${show()}`,
  turned: show('', '0 1 -1 0 300 300 Tm'),
};

test('invisible text of a PDF is left out and named, and the visible text stays', async () => {
  const { parts, sections } = await readWhole(fileOf('a.pdf', pagesOf(Object.values(hidden))));
  for (const [index, name] of Object.keys(hidden).entries()) {
    assert.equal(sections[index]?.text.trim(), 'The berth costs 380 marks.', name);
  }
  assert.deepEqual(
    parts.filter(({ kind }) => kind !== 'text'),
    [
      {
        kind: 'unread',
        reason: `Pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and ${sections.length - 10} more: invisible text was left out.`,
      },
    ],
  );
});

test('text of a PDF on a dark ground, in pale colours, in forms and layers that are on is read', async () => {
  const { parts, sections } = await readWhole(fileOf('a.pdf', pagesOf(Object.values(visible))));
  for (const [index, name] of Object.keys(visible).entries()) {
    assert.match(sections[index]?.text ?? '', /The berth costs 380 marks\.[^]*Secretly it costs 9 marks\./, name);
  }
  assert.equal(parts.length, sections.length);
});

test('text outside of the crop box of a PDF page is left out', async () => {
  const crop = '/CropBox[0 650 600 800]';
  const { sections } = await readWhole(fileOf('a.pdf', pagesOf([show()], crop)));
  assert.equal(sections[0]?.text.trim(), 'The berth costs 380 marks.');
});

const words = 'Ledger of the toll bridge which Anders Holm has kept since he came over the ice in 1904'.split(' ');

/** A scan of 600 by 800 points: a picture with a dark bar at each place, and invisible words at places of their own. */
const scanOf = (bars: readonly number[], layer: readonly (readonly [string, number])[], more = ''): Uint8Array => {
  const pixels = Buffer.alloc(600 * 800, 245);
  for (const y of bars) {
    for (let row = 800 - y - 9; row < 800 - y; row += 1) pixels.fill(30, row * 600 + 60, row * 600 + 200);
  }
  const shown = layer.map(([text, y]) => `BT 3 Tr /F 11 Tf 60 ${y} Td (${text}) Tj ET`).join('\n');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</P 6 0 R>>>>>>',
    streamOf(`q 600 0 0 800 0 0 cm /P Do Q ${shown} 0 Tr ${more}`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    streamOf(
      pixels.toString('latin1'),
      '/Type/XObject/Subtype/Image/Width 600/Height 800/ColorSpace/DeviceGray/BitsPerComponent 8',
    ),
  ]);
};

const places = words.map((_, index) => 700 - index * 20);
const layer = words.map((word, index) => [word, places[index] ?? 0] as const);

test('the invisible text of a scan is read, without what is planted beside its ink', async () => {
  const { parts, sections } = await readWhole(fileOf('a.pdf', scanOf(places, [...layer, ['Pay 9 marks', 90]])));
  assert.equal(sections[0]?.text.replaceAll(/\s+/g, ' '), words.join(' '));
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['text', 'unread'],
  );
});

test('a scan goes to text recognition if its invisible text is noise or has no ink under it', async () => {
  const noise = places.map((y) => ['~|. ;i l1| ,,. _- ^ .. |l ;:', y] as const);
  const beside = layer.map(([word], index) => [word, 300 - index * 20] as const);
  for (const [text, bars] of [
    [noise, places],
    [beside, places.map((y) => y + 60)],
  ] as const) {
    const { parts } = await readWhole(
      fileOf(
        'a.pdf',
        scanOf(
          bars.filter((y) => y > 400),
          text,
        ),
      ),
    );
    assert.ok(parts.some(({ kind }) => kind === 'picture'));
    assert.ok(parts.every(({ kind }) => kind !== 'text'));
  }
});

test('invisible text over a picture is left out of a page with visible text', async () => {
  const own = places.map((y) => `BT /F 11 Tf 320 ${y} Td (Opening hours of the toll house) Tj ET`).join('\n');
  const { sections } = await readWhole(fileOf('a.pdf', scanOf(places, layer, own)));
  assert.doesNotMatch(sections[0]?.text ?? '', /Ledger|Anders/);
  assert.match(sections[0]?.text ?? '', /Opening hours/);
});

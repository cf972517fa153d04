import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { createTesseractOcr } from '../../src/ocr/tesseract.ts';
import { turn as turnBy, turnQuarters } from '../../src/ocr/page-image.ts';
import { UnreadablePicture } from '../../src/ocr/port.ts';
import { blank, drawText, invert, photograph, toBitPng, toPng, turn } from './pictures.ts';
import { characterError, scans } from './scans.ts';

const projectDirectory = join(import.meta.dirname, '../../../..');
const options = {
  assetsDirectory: join(projectDirectory, 'node_modules'),
  modelsDirectory: join(projectDirectory, 'models'),
  workerFile: join(projectDirectory, 'packages/documents/src/ocr/run-tesseract.ts'),
};
const ocr = createTesseractOcr(options);

const sentence =
  'The meridian observatory logged seventeen comets during the winter of 1911. Each plate was exposed for forty minutes and then stored in a cedar cabinet.';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z0-9]+/g));

/** Share of the sentence's words that a reading has. */
const recall = (text: string): number => {
  const read = wordsOf(text);
  const wanted = [...wordsOf(sentence)];
  return wanted.filter((word) => read.has(word)).length / wanted.length;
};

const read = async (image: Parameters<typeof toPng>[0]) =>
  ocr.recognize({ mediaType: 'image/png', bytes: toPng(image) });

test('Tesseract reads a clean page, a small one, white on black and an unevenly lit photograph', async () => {
  const page = await drawText(sentence);
  const small = await drawText(sentence, 72);
  for (const [name, image] of Object.entries({ page, small, inverted: invert(page), photo: photograph(page) })) {
    const { text, confidence } = await read(image);
    assert.ok(recall(text) >= 0.95, `${name}: ${recall(text)} of ${JSON.stringify(text)}`);
    assert.ok(confidence > 0.7 && confidence <= 1, `${name}: confidence ${confidence}`);
  }
});

test('Tesseract reads an upside-down page, evenly lit or not', async () => {
  const page = await drawText(sentence);
  for (const [name, image] of Object.entries({ turned: turn(page), photo: turn(photograph(page)) })) {
    const { text, confidence } = await read(image);
    assert.ok(recall(text) >= 0.95, `${name}: ${recall(text)} of ${JSON.stringify(text)}`);
    assert.ok(confidence > 0.7, `${name}: confidence ${confidence}`);
  }
});

test('the ink of a page is in the boxes of its lines, also if the page lies on its side, upside down or askew', async () => {
  const page = await drawText(sentence);
  for (const [name, image] of Object.entries({
    page,
    turned: turn(page),
    onItsSide: turnQuarters(page, 1),
    onTheOther: turnQuarters(page, 3),
    askew: turnBy(page, 3),
  })) {
    const { places = [], text } = await read(image);
    assert.equal(places.length, text.split('\n').filter((line) => line !== '').length, name);
    let [inside, ink, area] = [0, 0, 0];
    for (const { width, height } of places) area += width * height;
    for (const [at, pixel] of image.pixels.entries()) {
      if (pixel > 100) continue;
      const [x, y] = [(at % image.width) / image.width, Math.floor(at / image.width) / image.height];
      ink += 1;
      const isIn = ({ left, top, width, height }: (typeof places)[number]): boolean =>
        x >= left && x <= left + width && y >= top && y <= top + height;
      if (places.some(isIn)) inside += 1;
    }
    assert.ok(inside / ink > 0.97 && area < 0.6, `${name}: ${inside} of ${ink}, area ${area}`);
  }
});

// The rest are read by `npm run test:formats`.
const quick = new Set([
  'a table with rules of 3 pixels',
  'a page turned by -7 degrees',
  'a page in three columns under a title',
]);

for (const { name, truth, draw } of scans.filter((scan) => quick.has(scan.name))) {
  test(`Tesseract reads ${name} in order, with at most 2 of 100 characters wrong`, async () => {
    const { text, isPartial } = await ocr.recognize({ mediaType: 'image/png', bytes: await draw() });
    assert.ok(characterError(text, truth) <= 0.02, `${characterError(text, truth)}: ${text}`);
    assert.equal(isPartial, false);
  });
}

test('Tesseract returns the same text for the same picture, and none for an empty one', async () => {
  const page = await drawText(sentence);
  assert.deepEqual(await read(page), await read(page));
  assert.equal((await read(blank(400, 300))).text, '');
});

test('Tesseract reads a picture of 1 bit a pixel like one of 8 bits, at any width', async () => {
  const readBits = async (image: Parameters<typeof toPng>[0]) =>
    ocr.recognize({ mediaType: 'image/png', bytes: await toBitPng(image) });
  for (const image of [await drawText(sentence, 150), invert(await drawText(sentence, 151))]) {
    const { text } = await readBits(image);
    assert.ok(recall(text) >= 0.95, `${image.width} pixels: ${recall(text)} of ${JSON.stringify(text)}`);
  }
  assert.equal((await readBits(blank(401, 300))).text, '');
});

test('a page in Greek letters is reported as foreign, without the nonsense that was read', async () => {
  // The font draws Greek letters in place of Latin ones.
  const { text, isForeign } = await read(await drawText(sentence, 150, 'Symbol'));
  assert.deepEqual([text, isForeign], ['', true]);
  const { isForeign: isEnglishForeign = false } = await read(await drawText(sentence));
  assert.equal(isEnglishForeign, false);
});

test('Tesseract refuses bytes that are no picture, and reads the next picture', async () => {
  const damaged = { mediaType: 'image/png' as const, bytes: new TextEncoder().encode('no picture at all') };
  await assert.rejects(ocr.recognize(damaged), UnreadablePicture);
  assert.ok(recall((await read(await drawText(sentence))).text) >= 0.95);
});

test('a picture that takes too long for OCR is refused, and its thread is stopped', async () => {
  const impatient = createTesseractOcr({ ...options, maxSeconds: 0.05 });
  const picture = { mediaType: 'image/png' as const, bytes: toPng(await drawText(sentence, 300)) };
  await assert.rejects(impatient.recognize(picture), UnreadablePicture);
});

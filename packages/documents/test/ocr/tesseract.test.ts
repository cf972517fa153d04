import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { createTesseractOcr } from '../../src/ocr/tesseract.ts';
import { turn as turnBy, turnQuarters } from '../../src/ocr/page-image.ts';
import { UnreadablePicture } from '../../src/ocr/port.ts';
import { blank, drawText, invert, photograph, toBitPng, toPng, turn } from './pictures.ts';
import { changePage, pageTexts, readPagePicture, unreadScripts } from './pages.ts';
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

const recognizePage = async (bytes: Uint8Array) => ocr.recognize({ mediaType: 'image/png', bytes });

for (const name of ['russian', 'arabic', 'japanese', 'korean']) {
  test(`Tesseract reads a page in ${name}, with at most 8 of 100 characters wrong`, async () => {
    const { text, isForeign = false } = await recognizePage(readPagePicture(name));
    const error = characterError(text, pageTexts[name]?.text ?? '');
    assert.ok(error <= 0.08, `${error}: ${text}`);
    assert.equal(isForeign, false);
  });
}

test('a page in Korean that lies upside down is read', async () => {
  const { text } = await recognizePage(changePage('korean', turn));
  assert.ok(characterError(text, pageTexts['korean']?.text ?? '') <= 0.08, text);
});

test('English lines above Arabic, Chinese and Greek ones stay as they are', async () => {
  for (const name of ['english-and-arabic', 'english-and-chinese', 'english-and-greek']) {
    const { text } = await recognizePage(readPagePicture(name));
    const truth = pageTexts[name]?.text ?? '';
    // Of one line alone, traditional signs may be taken for simplified ones, and the reverse.
    assert.ok(characterError(text, truth) <= 0.1, `${name}: ${text}`);
    assert.match(
      text.replaceAll(/\s+/g, ' '),
      /^The spillway gate was inspected on 9 June and found to leak\. Divers /,
    );
  }
});

test('a page in a script that no model reads is reported with its name, without the nonsense that was read', async () => {
  for (const [name, script] of Object.entries(unreadScripts)) {
    const result = await recognizePage(readPagePicture(name));
    assert.deepEqual([result.text, result.isForeign, result.script], ['', true, script]);
  }
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

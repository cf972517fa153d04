import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ImageMagick, initializeImageMagick } from '@imagemagick/magick-wasm';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { randomFrom } from '../../../../test/support/random.ts';
import { readerFiles } from '../../src/extract/assets.ts';
import { shownBounds } from '../../src/extract/port.ts';
import { blank, drawText, toFax, toPng } from '../ocr/pictures.ts';
import { extractor, fileOf, packages } from './read.ts';

await initializeImageMagick(await readFile(join(packages, readerFiles.magick)));

const draw = async (name: string, bytes: Uint8Array, page = 1, width = 600) =>
  (await extractor.draw(fileOf(name, bytes), { page, width })).png;

/** Decodes a PNG, with its colours at places, which are shares of its width and height. */
const decode = (png: Uint8Array | null, places: readonly (readonly [left: number, top: number])[] = []) =>
  ImageMagick.read(png ?? assert.fail('no picture'), (image) => ({
    size: [image.width, image.height],
    colours: image.getPixels((pixels) =>
      places.map(([left, top]) =>
        [...pixels.getPixel(Math.floor(left * image.width), Math.floor(top * image.height))].slice(0, 3),
      ),
    ),
  }));

test('a page of a PDF is drawn in its colours at a width, and turned as it is shown', async () => {
  const bytes = await buildPdf(
    (document) => {
      document.addPage().rect(0, 0, 300, 400).fill('red');
      document.addPage({ size: [600, 800] }).text('grey');
      // Its types do not have the attributes of a page.
      (document.page.dictionary as unknown as { readonly data: Record<string, unknown> }).data['Rotate'] = 90;
    },
    { autoFirstPage: false, size: [600, 800] },
  );
  const first = decode(await draw('a.pdf', bytes), [
    [0.25, 0.25],
    [0.75, 0.75],
  ]);
  assert.deepEqual(first, {
    size: [600, 800],
    colours: [
      [255, 0, 0],
      [255, 255, 255],
    ],
  });
  const second = (await draw('a.pdf', bytes, 2, 400)) ?? assert.fail();
  assert.deepEqual(decode(second).size, [400, 300]);
  assert.equal(second[25], 0, 'grey');
  assert.equal(await draw('a.pdf', bytes, 3), null);
});

test('a page with much detail is drawn smaller, so that its picture fits in a response', async () => {
  const random = randomFrom(7);
  const noise = blank(2_000, 2_500);
  noise.pixels.forEach((_, at) => {
    noise.pixels[at] = Math.floor(random() * 256);
  });
  const picture = toPng(noise);
  const bytes = await buildPdf((document) => document.image(Buffer.from(picture), 0, 0, { width: 600 }), {
    size: [600, 750],
  });
  for (const [name, file] of [
    ['noise.png', picture],
    ['noise.pdf', bytes],
  ] as const) {
    const png = (await draw(name, file, 1, 2_400)) ?? assert.fail();
    const [width = 0, height = 0] = decode(png).size;
    assert.ok(
      png.length <= shownBounds.bytes && width > 600 && Math.abs(height / width - 1.25) < 0.01,
      `${width} × ${height}`,
    );
  }
});

test('an image is page 1, a fax has a page for each of its images, and no image is enlarged', async () => {
  const text = await drawText('The pilot leaves at dawn.');
  const drawn = decode(await draw('a.png', toPng(text), 1, 100_000));
  assert.deepEqual(drawn.size, [text.width, text.height]);
  assert.equal(await draw('a.png', toPng(text), 2), null);
  const fax = await toFax([text, blank(300, 200)]);
  assert.deepEqual(decode(await draw('a.tiff', fax, 2, 150)).size, [150, 100]);
  assert.equal(await draw('a.tiff', fax, 3), null);
});

test('a page of a file within a mail or a PDF is drawn if one file has its name', async () => {
  const inner = await buildPdf((document) => document.addPage({ size: [600, 400] }), { size: [600, 800] });
  const part = (name: string, bytes: Uint8Array): string =>
    `--b\r\nContent-Type: application/pdf; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`;
  const mail = fileOf(
    'a.eml',
    `Subject: Plans\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee below.\r\n${part('plan.pdf', inner)}${part('twice.pdf', inner)}${part('twice.pdf', inner)}--b--\r\n`,
  );
  const portfolio = fileOf(
    'a.pdf',
    await buildPdf((document) => {
      document.text('Cover');
      document.file(inner, { name: 'plan.pdf' });
    }),
  );
  for (const file of [mail, portfolio]) {
    const { pages, png } = await extractor.draw(file, { page: 2, width: 300, attachment: 'plan.pdf' });
    assert.deepEqual([pages, decode(png).size], [2, [300, 200]]);
    await assert.rejects(extractor.draw(file, { page: 1, width: 300, attachment: 'other.pdf' }), /contains no file/);
  }
  await assert.rejects(
    extractor.draw(mail, { page: 1, width: 300, attachment: 'twice.pdf' }),
    /contains several files/,
  );
  await assert.rejects(extractor.draw(mail, { page: 1, width: 300 }), /have no pictures/);
});

test('a file without pages, a protected PDF and damage have a reason in place of a picture', async () => {
  await assert.rejects(
    draw('a.txt', Buffer.from('The pilot leaves.')),
    /Pages of a file of the format Plain text have no pictures/,
  );
  await assert.rejects(
    draw('a.pdf', await buildPdf((document) => document.text('a'), { userPassword: 'b' })),
    /protected by a password/,
  );
  await assert.rejects(draw('a.png', toPng(blank(300, 200)).subarray(0, 60)), /The image is damaged/);
});

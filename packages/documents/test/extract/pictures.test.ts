import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { pictureBounds, type Part, type SourceFile } from '../../src/extract/port.ts';
import { createExtractor } from '../../src/extract/extractor.ts';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { encodePng } from '../../src/extract/pdf/encode-png.ts';
import { bindPdf, blank, drawText, toAnimation, toBitPng, toFax, toImage, toPng, twoTone } from '../ocr/pictures.ts';
import { flac, m4a, mp3, opus, sound, wavOf, webm } from './make-audio.ts';
import { extractor, fileOf, patientExtractor, readWhole, readers, textsOf } from './read.ts';

/** A large picture takes a busy machine long. */
const readPatiently = (file: SourceFile) => readWhole(file, patientExtractor);

interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Share of dark pixels. */
  readonly dark: number;
}

/** Predictions of the PNG row filters. Source: PNG, section 9. */
const predicted = (filter: number, left: number, up: number, corner: number): number => {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter] ?? 0;
  const [a, b, c] = [left, up, corner].map((near) => Math.abs(left + up - corner - near)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
};

/** Reads a grey PNG of 8 bits. */
const decode = (png: Uint8Array): Decoded => {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  assert.deepEqual([bytes[24], bytes[25]], [8, 0], 'grey of 8 bits');
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const length = bytes.readUInt32BE(at);
    assert.equal(bytes.readUInt32BE(at + 8 + length), crc32(bytes.subarray(at + 4, at + 8 + length)));
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
  }
  const rows = inflateSync(Buffer.concat(data));
  let dark = 0;
  const above = new Uint8Array(width);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (width + 1)] ?? 0;
    let [left, corner] = [0, 0];
    for (let x = 0; x < width; x += 1) {
      const up = above[x] ?? 0;
      left = ((rows[y * (width + 1) + 1 + x] ?? 0) + predicted(filter, left, up, corner)) & 255;
      above[x] = left;
      corner = up;
      if (left < 128) dark += 1;
    }
  }
  return { width, height, dark: dark / (width * height) };
};

const pngOf = (width: number, height: number): Buffer =>
  Buffer.from(toPng({ width, height, pixels: new Uint8Array(width * height) }));

const black = pngOf(300, 100);
/** It takes seconds to decode. */
const large = pngOf(6_400, 5_000);

const makeScans = (): Promise<Uint8Array> =>
  buildPdf(
    (document) => {
      document.addPage().text('A page of text, as it was typed, with words enough to be trusted by all who read it.');
      document.addPage().image(black, 100, 300, { width: 300 });
      document.addPage();
      const scan = document.addPage().image(black, 0, 0, { width: 612, height: 700 });
      scan.fillColor('orange').text('Page 4', 300, 750);
    },
    { autoFirstPage: false, margin: 0 },
  );

const pageOf = (part: Part): number | null => {
  if (part.kind === 'unread') return null;
  return part.kind === 'text' ? part.pageStart : part.section.pageStart;
};

const kinds = (parts: readonly Part[]): readonly (readonly [string, number | null])[] =>
  parts.map((part) => [part.kind, pageOf(part)]);

test('scanned pages of a mixed PDF become pictures, and blank pages become nothing', async () => {
  const file = fileOf('mixed.pdf', await makeScans());
  const { inspection, parts } = await readPatiently(file);
  assert.deepEqual([inspection.units, inspection.paged], [4, true]);
  assert.deepEqual(kinds(parts), [
    ['text', 1],
    ['picture', 2],
    ['text', 4],
    ['picture', 4],
  ]);
  const scan = parts.find((part) => part.kind === 'picture');
  assert.equal(scan?.mediaType, 'image/png');
  const picture = decode(scan?.bytes ?? new Uint8Array());
  assert.deepEqual([picture.width, picture.height], [1_700, 2_200]);
  const expected = (300 * 100) / (612 * 792);
  assert.ok(Math.abs(picture.dark - expected) < 0.002, `${picture.dark} of the page is dark`);
  assert.deepEqual(kinds(await extractor.extract(file, { start: 2, end: 3 })), [['picture', 2]]);
});

test('a scan with a stamped line becomes a picture for OCR; a captioned picture or a slide does not', async () => {
  const stamp = 'Case 1:20-cv-03010-APM   Document 1436   Filed 09/02/25   Page 3 of 223';
  const pageWith = (text: string, height: number, y = 740): Promise<Uint8Array> =>
    buildPdf((document) => document.image(black, 0, 0, { width: 612, height }).fillColor('orange').text(text, 20, y), {
      margin: 0,
    });
  const read = async (bytes: Uint8Array) => kinds((await readPatiently(fileOf('a.pdf', bytes))).parts);
  const scan = [
    ['text', 1],
    ['picture', 1],
  ];
  assert.deepEqual(await read(await pageWith(stamp, 792)), scan);
  assert.deepEqual(await read(await pageWith(stamp, 600)), [['text', 1]]);
  assert.deepEqual(await read(await pageWith(stamp.repeat(4), 792)), [['text', 1]]);
  assert.deepEqual(await read(await pageWith(stamp, 792, 10)), scan);
  const slide = 'What we learned in the port of Husum: fewer ships, more salt, and herring at half the price';
  assert.deepEqual(await read(await pageWith(slide, 792, 300)), [['text', 1]]);
});

test('a large image is scaled down to the bounds of OCR', async () => {
  const { inspection, parts } = await readPatiently(fileOf('large.png', large));
  assert.deepEqual([inspection.format, inspection.units, inspection.paged], ['png', 1, true]);
  const [part] = parts;
  assert.ok(part?.kind === 'picture' && part.bytes.length <= pictureBounds.bytes);
  const bytes = Buffer.from(part.bytes);
  const pixels = bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
  assert.ok(pixels <= pictureBounds.pixels && pixels > pictureBounds.pixels * 0.98, `${pixels} pixels`);
});

test('the picture of an image or a PDF page states the resolution of the original', async () => {
  const page = { ...(await drawText('Ink dries in a minute.')), dotsPerInch: 150 };
  const resolutionOf = async (name: string, bytes: Uint8Array): Promise<number> => {
    const [part] = (await readPatiently(fileOf(name, bytes))).parts;
    assert.ok(part?.kind === 'picture');
    const png = Buffer.from(part.bytes);
    return Math.round(png.readUInt32BE(png.indexOf('pHYs') + 4) * 0.0254);
  };
  assert.equal(await resolutionOf('page.png', encodePng(page)), 150);
  const scaled = { ...blank(6_000, 5_000), dotsPerInch: 600 };
  scaled.pixels.fill(0, 0, 100_000);
  assert.equal(await resolutionOf('large.png', encodePng(scaled)), 548);
  assert.equal(await resolutionOf('scan.pdf', await bindPdf([toPng(page)])), 200);
});

test('GIF, BMP, AVIF and HEIC are read as one page, of an animation its first image', async () => {
  const page = await drawText('Ink dries in a minute.');
  const dark = decode(toPng(page)).dark;
  for (const format of ['Gif', 'Bmp', 'Avif'] as const) {
    const { inspection, parts } = await readPatiently(fileOf('page.bin', await toImage(page, format)));
    assert.deepEqual(
      [inspection.format, inspection.units, inspection.paged, kinds(parts)],
      [format.toLowerCase(), 1, true, [['picture', 1]]],
    );
    const [part] = parts;
    assert.ok(part?.kind === 'picture');
    assert.ok(Math.abs(decode(part.bytes).dark - dark) < dark / 5, format);
  }
  const animation = await toAnimation([page, blank(page.width, page.height)]);
  const { inspection } = await readPatiently(fileOf('moving.gif', animation));
  assert.deepEqual(inspection.notes, ['The image is an animation: the first of its 2 images was read.']);
  const ferry = await readFile(join(import.meta.dirname, '../../../../test/fixtures/ferry.heic'));
  const read = await readPatiently(fileOf('ferry.heic', ferry));
  const [photo] = read.parts;
  assert.ok(read.inspection.format === 'heic' && photo?.kind === 'picture');
  assert.deepEqual([decode(photo.bytes).width, decode(photo.bytes).height], [480, 120]);
});

test('half an image is refused in every format', async () => {
  const page = await drawText('Ink dries in a minute.');
  for (const format of ['Png', 'Jpeg', 'Gif', 'Bmp', 'Tiff', 'WebP', 'Avif'] as const) {
    const whole = await toImage(page, format);
    const half = fileOf(`half.${format}`, whole.subarray(0, whole.length * 0.6));
    await assert.rejects(readPatiently(half), /The image is (?:damaged|incomplete)/, format);
  }
});

test('a tall image is split into several pictures between its lines, and a wide image is scaled down', async () => {
  const [width, height, line] = [400, 20_500, 30];
  // Of every two lines one has dashes on it.
  const isDashed = (at: number): boolean => Math.floor(at / width / line) % 2 === 0 && (at % width) % 20 < 10;
  const lined = Uint8Array.from({ length: width * height }, (_, at) => (isDashed(at) ? 0 : 255));
  const high = toPng({ width, height, pixels: lined });
  const { parts } = await readPatiently(fileOf('page.png', high));
  const strips = parts.map((part) => decode(part.kind === 'picture' ? part.bytes : new Uint8Array()));
  assert.equal(strips.length, 3);
  assert.ok(strips.every((strip) => strip.width === width && strip.height <= pictureBounds.side));
  const tops = strips.map((_, at) => strips.slice(0, at).reduce((sum, strip) => sum + strip.height, 0));
  assert.equal((tops.at(-1) ?? 0) + (strips.at(-1)?.height ?? 0), height);
  assert.ok(tops.slice(1).every((top) => lined[(top - 1) * width] === 255));
  const dark = strips.reduce((sum, strip) => sum + strip.dark * strip.height, 0);
  assert.equal(Math.round(dark), lined.filter((pixel) => pixel === 0).length / width);

  const wide = await readPatiently(fileOf('wide.png', pngOf(12_000, 60)));
  const [banner] = wide.parts;
  assert.ok(banner?.kind === 'picture' && wide.parts.length === 1);
  const { width: across, height: down } = decode(banner.bytes);
  assert.deepEqual([across, down], [pictureBounds.side, 50]);
  const long: PDFKit.PDFDocumentOptions = { size: [100, 14_000], margin: 0 };
  const ribbon = await buildPdf(
    (document) => document.image(Buffer.from(high), 0, 0, { width: 100, height: 14_000 }),
    long,
  );
  const [page] = (await readPatiently(fileOf('ribbon.pdf', ribbon))).parts;
  assert.ok(page?.kind === 'picture');
  assert.equal(decode(page.bytes).height, pictureBounds.side);
});

test('pictures of one, two and four shades are encoded with 8 bits a pixel', async () => {
  const page = await drawText('Black letters on white paper. '.repeat(12));
  const shares = new Map<string, number>();
  const files = {
    'page.png': toPng(page),
    'tones.png': toPng(twoTone(page)),
    'four.png': toPng({ ...page, pixels: page.pixels.map((pixel) => Math.round(pixel / 85) * 85) }),
    'bits.png': await toBitPng(page),
    'fax.tiff': await toFax([page, page]),
    'scan.pdf': await bindPdf([await toBitPng(page)]),
    'blank.png': toPng(blank(875, 625)),
    'blank-bits.png': await toBitPng(blank(875, 625)),
    'blank.tiff': await toFax([blank(875, 625)]),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { parts } = await readPatiently(fileOf(name, bytes));
    assert.equal(parts.length, name === 'fax.tiff' ? 2 : 1, name);
    for (const part of parts) {
      assert.ok(part.kind === 'picture', name);
      shares.set(name, decode(part.bytes).dark);
    }
  }
  const dark = shares.get('page.png') ?? 0;
  assert.ok(dark > 0.01, `${dark} of the page is dark`);
  for (const [name, share] of shares)
    assert.ok(Math.abs(share - (name.startsWith('blank') ? 0 : dark)) < dark / 10, `${name}: ${share}, not ${dark}`);
});

const speech = { sampleRate: 16_000, channels: 1, bits: 16 };
const disc = { sampleRate: 44_100, channels: 2, bits: 16 };
const studio = { sampleRate: 192_000, channels: 2, bits: 24 };
const surround = { sampleRate: 96_000, channels: 8, bits: 32 };
const megabyte = 1_000_000;

/** Sizes of so many samples of a track, all but the last the same. */
const sizes = (count: number, size: number): readonly number[] => [...Array.from({ length: count }, () => size), 1];

const secondsOf = async (name: string, bytes: Uint8Array): Promise<number | null> => {
  const { inspection, parts } = await readPatiently(fileOf(name, bytes));
  const [part] = parts;
  assert.ok(part?.kind === 'recording', name);
  assert.deepEqual([inspection.format, part.bytes.length], [name.replace(/.*\./, ''), bytes.length]);
  return part.seconds === null ? null : Math.round(part.seconds * 10) / 10;
};

const lengths: readonly (readonly [what: string, name: string, bytes: () => Uint8Array, seconds: number | null])[] = [
  ['a WAV', 'a.wav', () => wavOf(speech, ['data', sound(80_000)]), 2.5],
  [
    'a WAV with much beside its samples',
    'b.wav',
    () => wavOf(speech, ['data', sound(80_000)], ['JUNK', sound(megabyte)]),
    2.5,
  ],
  ['a WAV of eight channels', 'c.wav', () => wavOf(surround, ['data', sound(6_144_000)]), 2],
  ['a FLAC', 'a.flac', () => flac(disc, { seconds: 30, soundBytes: 3 * megabyte }), 30],
  ['a FLAC that compresses badly', 'b.flac', () => flac(disc, { seconds: 10, soundBytes: 1_780_000 }), 10],
  ['a FLAC of a studio', 'c.flac', () => flac(studio, { seconds: 10, soundBytes: 7 * megabyte }), 10],
  [
    'a FLAC with a large cover',
    'd.flac',
    () => flac(speech, { seconds: 5, soundBytes: 90_000, coverBytes: 3 * megabyte }),
    5,
  ],
  ['an MP3', 'a.mp3', () => mp3(2_300, megabyte), 60.1],
  ['an MP3 with a large cover', 'b.mp3', () => mp3(230, 96_000, 3 * megabyte), 6],
  ['an M4A', 'a.m4a', () => m4a({ kind: 'soun', seconds: 60, sampleSizes: sizes(2_580, 372) }), 60],
  [
    'a video that is called an M4A',
    'b.m4a',
    () =>
      m4a(
        { kind: 'vide', seconds: 60, sampleSizes: sizes(1_500, 8_000) },
        { kind: 'soun', seconds: 60, sampleSizes: sizes(2_580, 372) },
      ),
    60,
  ],
  ['an Opus', 'a.ogg', () => opus(8, 60_000), 8],
  [
    'a WAV that says a second of a minute in a chunk that decides nothing',
    'd.wav',
    () => wavOf(speech, ['fact', Buffer.from([0, 1, 0, 0])], ['data', sound(1_920_000)]),
    60,
  ],
  [
    'a WAV that says a second of all that follows',
    'e.wav',
    () => wavOf(speech, ['data', sound(3_200_000), 32_000]),
    100,
  ],
  [
    'a FLAC that says a second of a whole evening',
    'e.flac',
    () => flac(disc, { seconds: 1, soundBytes: 40 * megabyte }),
    null,
  ],
  [
    'a FLAC of speech that says less than its samples allow',
    'f.flac',
    () => flac(speech, { seconds: 60, soundBytes: 4 * megabyte }),
    null,
  ],
  ['an MP3 that says a second of a minute', 'c.mp3', () => mp3(38, megabyte), null],
  [
    'an M4A that says a second of a minute',
    'c.m4a',
    () => m4a({ kind: 'soun', seconds: 1, sampleSizes: sizes(2_580, 372) }),
    null,
  ],
  [
    'an M4A whose first track is none of its length',
    'd.m4a',
    () =>
      m4a(
        { kind: 'soun', seconds: 1, sampleSizes: sizes(43, 372) },
        { kind: 'soun', seconds: 60, sampleSizes: sizes(2_580, 372) },
      ),
    60,
  ],
  ['a WebM of sound alone', 'a.webm', () => webm('A_OPUS'), null],
  ['an Opus with another behind its end', 'b.ogg', () => opus(1, 8_000, 4 * megabyte), null],
];

for (const [what, name, bytes, seconds] of lengths) {
  const known = seconds === null ? 'is of unknown length' : `is ${seconds} seconds long`;
  test(`${what} ${known}`, async () => assert.equal(await secondsOf(name, bytes()), seconds));
}

test('a WebM with video is refused as a video, with advice', async () => {
  await assert.rejects(readPatiently(fileOf('a.webm', webm('V_VP8'))), /upload their sound/);
});

const mailWith = (files: readonly (readonly [string, Uint8Array])[]): Buffer => {
  const parts = files.map(
    ([name, bytes]) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`,
  );
  return Buffer.from(
    `From: a@example.com\r\nSubject: Photos\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`,
  );
};

test('pictures in a mail are separate units, which are decoded on request', async (t) => {
  const photos = Array.from({ length: 12 }, (_, at) => [`p${at + 1}.png`, at < 11 ? large : black] as const);
  const file = fileOf('photos.eml', mailWith([...photos, ['note.txt', Buffer.from('All of them are black.')]]));
  const startedAt = performance.now();
  const { cut: _, ...inspection } = await extractor.inspect(file);
  const seconds = (performance.now() - startedAt) / 1000;
  t.diagnostic(`${seconds.toFixed(1)} s`);
  assert.ok(seconds < 5, `${seconds} s`);
  assert.deepEqual(inspection, { format: 'eml', units: 14, paged: false, notes: [], pictures: true });
  const [picture] = await extractor.extract(file, { start: 13, end: 13 });
  assert.ok(picture?.kind === 'picture');
  assert.deepEqual(picture.section.place, { attachment: 'p12.png' });
  const last = textsOf(await extractor.extract(file, { start: 14, end: 14 }));
  assert.deepEqual(
    last.map(({ text }) => text),
    ['All of them are black.'],
  );
});

test('a damaged picture in a mail is reported, and the others are read', async () => {
  const damaged = pngOf(300, 100);
  damaged.fill(0x55, 45, damaged.length - 20);
  const file = fileOf(
    'photos.eml',
    mailWith([
      ['whole.png', pngOf(300, 100)],
      ['damaged.png', damaged],
      ['note.txt', Buffer.from('Both are black.')],
    ]),
  );
  const { inspection, parts, sections } = await readPatiently(file);
  assert.deepEqual([inspection.units, inspection.notes], [4, []]);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['text', 'picture', 'unread', 'text'],
  );
  const unread = parts.find((part) => part.kind === 'unread');
  assert.equal(unread?.reason, "damaged.png was not read: The image is damaged and can't be decoded.");
  assert.equal(sections.at(-1)?.text, 'Both are black.');
});

test('reading a file may take as long as the caller allows', async () => {
  const hasty = createExtractor({ ...readers, timeoutSeconds: 0.05 });
  const range = { start: 1, end: 1 };
  await assert.rejects(hasty.extract(fileOf('large.png', large), range, 20), /within 0\.05 seconds/);
  await assert.rejects(hasty.extract(fileOf('large.png', large), range, 1_100), /within 1 seconds/);
  // Its process has to start first, which alone takes longer than is given to any file.
  assert.equal((await hasty.extract(fileOf('small.png', black), range, 60_000)).length, 1);
});

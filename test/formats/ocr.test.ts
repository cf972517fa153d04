import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import { bundleProject } from '../../scripts/bundle.ts';
import { createExtractor, createTesseractOcr } from '#documents';
import { createEmbeddedEmbedder } from '../../shared/platform/models/embedded.ts';
import {
  bindPdf,
  blank,
  drawText,
  photograph,
  scan,
  toBitPng,
  toFax,
  toPng,
  twoTone,
} from '../../packages/documents/test/ocr/pictures.ts';
import { wav } from '../../packages/documents/test/transcribe/wav.ts';
import { Pipeline } from './pipeline.ts';

const assetsDirectory = join(import.meta.dirname, '../../dist/functions/file-task');
let pipeline: Pipeline;

before(async () => {
  await bundleProject();
  // All as it lies beside the function in AWS.
  pipeline = await Pipeline.open({
    extractor: createExtractor({ assetsDirectory, processPath: join(assetsDirectory, 'read-files.cjs') }),
    ocr: createTesseractOcr({ assetsDirectory }),
    transcriber: null,
    embedder: createEmbeddedEmbedder({ assetsDirectory: join(import.meta.dirname, '../..') }),
    dimensions: 256,
  });
});
after(() => pipeline.close());

const pages = [
  'The meridian observatory logged seventeen comets during the winter of 1911. Each plate was exposed for forty minutes.',
  'A lighthouse keeper counted the herring boats every morning and wrote their number on the kitchen wall.',
];

test('a scanned PDF and a photograph are found by their text, and each picture costs one credit', async () => {
  const scanned = await pipeline.ingest('scan.pdf', await scan(pages));
  const photo = toPng(photograph(await drawText('Quartz clocks drift less than pendulum clocks in a warm cellar.')));
  const pictured = await pipeline.ingest('photo.png', photo);
  for (const job of [scanned, pictured]) assert.deepEqual([job.status, job.error], ['completed', null]);

  const [herring] = await pipeline.search('herring boats');
  assert.equal(herring?.file?.job_id, scanned.id);
  assert.deepEqual([herring?.file?.page_start, herring?.file?.page_end], [2, 2]);
  assert.ok(Number(herring?.metadata?.['ocr_confidence']) > 0.7);
  const [comets] = await pipeline.search('comets seen by an observatory', 1, 'dense');
  assert.equal(comets?.file?.page_start, 1);
  const [clocks] = await pipeline.search('pendulum quartz');
  assert.equal(clocks?.file?.job_id, pictured.id);

  const { processing } = await pipeline.worked(scanned.id);
  assert.equal(processing.ocr_credits, 2);
  const attributes = Object.fromEntries(processing.path.map((step) => [step.phase, step.attributes]));
  assert.deepEqual(attributes['content.extract'], { pages: 2, ocr_credits: 2 });
  assert.deepEqual(attributes['multimodal.credits'], { total_credits: 2 });
  const usage = await pipeline.call<{ ocr_credits: number; audio_credits: number }>(getOrganizationUsage, {});
  assert.deepEqual([usage.ocr_credits, usage.audio_credits], [3, 0]);
});

test('black and white drawings, faxes and scans are read, and blank paper is reported as without text', async () => {
  const line = 'Barnacles settle on every hull that lies in harbour for a month.';
  const [page, paper] = [await drawText(line), blank(875, 625)];
  const files = {
    'tones.png': toPng(twoTone(page)),
    'fax.tiff': await toFax([page, paper, page]),
    'bits.pdf': await bindPdf([await toBitPng(page), await toBitPng(paper)]),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const { id, status, error } = await pipeline.ingest(name, bytes);
    assert.deepEqual([name, status, error], [name, 'completed', null]);
    const hits = await pipeline.search('barnacles on a hull', 20);
    const pages = hits.flatMap(({ file }) => (file?.job_id === id ? [file.page_start] : []));
    const expected = { 'fax.tiff': [1, 3] }[name] ?? [1];
    assert.deepEqual([name, new Set(pages)], [name, new Set(expected)]);
    const { tasks } = await pipeline.worked(id);
    assert.ok(
      tasks.every((task) => task.attempt_count === 1),
      name,
    );
  }
  const empty = {
    'blank.png': toPng(paper),
    'blank.tiff': await toFax([paper]),
  };
  for (const [name, bytes] of Object.entries({ ...empty, 'blank.pdf': await bindPdf([await toBitPng(paper)]) })) {
    const { status, error } = await pipeline.ingest(name, bytes);
    assert.deepEqual([name, status, error], [name, 'completed_with_warnings', 'No text was found in the file.']);
  }
});

test('a recording in a deployment without transcription completes with a warning and costs nothing', async () => {
  const job = await pipeline.ingest('silence.wav', wav(3), {}, 'audio/wav');
  assert.deepEqual([job.status, job.error_code], ['completed_with_warnings', null]);
  assert.match(job.error ?? '', /1 recording was not transcribed: this deployment has no transcription/);
  assert.equal((await pipeline.worked(job.id)).processing.audio_credits, 0);
});

test('a job reports the unread content of its file, with or without rows of the rest', async () => {
  const letter = (attachment: string): Uint8Array =>
    Buffer.from(
      `From: a@example.com\r\nSubject: Tides\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHigh water at noon.\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${attachment}"\r\nContent-Transfer-Encoding: base64\r\n\r\nUEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==\r\n--b--\r\n`,
    );
  const mail = await pipeline.ingest('mail.eml', letter('logs.zip'));
  assert.deepEqual([mail.status, mail.error_code], ['completed', null]);
  assert.match(mail.error ?? '', /^1 attachment was skipped: logs\.zip \(Archives are not unpacked/);
  const empty = await pipeline.ingest('empty.txt', new Uint8Array());
  assert.deepEqual([empty.status, empty.error], ['completed_with_warnings', 'The file is empty.']);
  // Beyond what an item of a table may hold.
  const many = await pipeline.ingest('many.eml', letter('x'.repeat(5_000)));
  assert.ok((many.error ?? '').length <= 1_000);
});

test('a mail of many pictures is read by several tasks, and only a damaged picture is skipped', async () => {
  const picture = toPng(photograph(await drawText('Sextants are kept in boxes of mahogany.')));
  const damaged = Buffer.from(picture).fill(0x55, 45, picture.length - 20);
  const attached = (name: string, bytes: Uint8Array): string =>
    `--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`;
  const pictures = [1, 2, 3, 4, 5].map((number) => attached(`p${number}.png`, picture));
  const head =
    'Subject: Sextants\r\nFrom: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b';
  const mail = Buffer.from(`${head}\r\n\r\n${pictures.join('')}${attached('p6.png', damaged)}--b--\r\n`);
  const { id, status, error } = await pipeline.ingest('sextants.eml', mail);
  assert.deepEqual([status, error], ['completed', "p6.png was not read: The image is damaged and can't be decoded."]);
  const { tasks, processing } = await pipeline.worked(id);
  // The text of the mail and six pictures, five of these units at a time.
  assert.deepEqual([tasks.length, processing.ocr_credits], [2, 5]);
  const hits = await pipeline.search('mahogany sextants', 10);
  const places = hits.filter(({ file }) => file?.job_id === id).map(({ metadata }) => metadata?.['attachment']);
  assert.deepEqual(places.flatMap((place) => (typeof place === 'string' ? [place] : [])).toSorted(), [
    'p1.png',
    'p2.png',
    'p3.png',
    'p4.png',
    'p5.png',
  ]);
});

test('the metadata of a job sets its chunk size', async () => {
  const text = Array.from({ length: 60 }, (_, at) => `Sentence number ${at} tells of harbour lights.`).join(' ');
  const usual = await pipeline.ingest('usual.txt', Buffer.from(text));
  const small = await pipeline.ingest('small.txt', Buffer.from(text), { chunk_size: 200, chunk_overlap: 0 });
  assert.ok(small.chunks_written > 3 * usual.chunks_written, `${small.chunks_written} ${usual.chunks_written}`);
  const refused = /422.*chunk_size must be a whole number from 200 to 8000/;
  await assert.rejects(pipeline.ingest('wrong.txt', Buffer.from(text), { chunk_size: 7 }), refused);
});

test('unchanged content is embedded once: the second upload uses no token', async () => {
  const text = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}. ${pages[at % 2]}\n\n`).join('');
  const tokens: number[] = [];
  for (const name of ['first.txt', 'second.txt']) {
    const { id, status } = await pipeline.ingest(name, Buffer.from(text));
    assert.equal(status, 'completed');
    const { tasks } = await pipeline.worked(id);
    tokens.push(tasks.reduce((sum, task) => sum + task.embedding_tokens, 0));
  }
  assert.ok((tokens[0] ?? 0) > 1_000, JSON.stringify(tokens));
  assert.equal(tokens[1], 0);
});

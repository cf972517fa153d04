import assert from 'node:assert/strict';
import test from 'node:test';
import { drawText, photograph, scan, toPng } from '../recognize/pictures.ts';
import { startService } from './support/cloud.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { call, eventually, newOrganization, type TestOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const newIndex = async ({ key }: TestOrganization): Promise<string> => {
  const { body } = await call(key, 'POST', '/v1/indexes', {
    name: 'scans',
    dimensions: 256,
    distance_metric: 'cosine',
  });
  return body.id;
};

const pages = [
  'The meridian observatory logged seventeen comets during the winter of 1911. Each plate was exposed for forty minutes.',
  'A lighthouse keeper counted the herring boats every morning and wrote their number on the kitchen wall.',
];

/** A silent WAV of some seconds. */
const wav = (seconds: number): Uint8Array => {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + rate * 2 * seconds);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
};

test('a scanned PDF and a photograph answer a query on their text, and each picture costs one credit', async () => {
  const organization = await newOrganization(baseUrl);
  const { key } = organization;
  const indexId = await newIndex(organization);
  const scanned = await upload(key, indexId, 'scan.pdf', 'application/pdf', await scan(pages));
  const photo = toPng(photograph(await drawText('Quartz clocks drift less than pendulum clocks in a warm cellar.')));
  const pictured = await upload(key, indexId, 'photo.png', 'image/png', photo);
  for (const jobId of [scanned, pictured]) {
    const job = await finished(key, indexId, jobId);
    assert.equal(job.status, 'completed', JSON.stringify(job));
    assert.equal(job.error, null);
  }

  const ask = async (mode: string, text: string) =>
    (await call(key, 'POST', `/v1/indexes/${indexId}/search/${mode}`, { text, include: ['text', 'metadata'] })).body
      .results[0];
  const herring = await ask('sparse', 'herring boats');
  assert.equal(herring.file.job_id, scanned);
  assert.deepEqual([herring.file.page_start, herring.file.page_end], [2, 2]);
  assert.ok(herring.metadata.ocr_confidence > 0.7);
  assert.equal((await ask('dense', 'comets seen by an observatory')).file.page_start, 1);
  assert.equal((await ask('sparse', 'pendulum quartz')).file.job_id, pictured);

  const { body: detail } = await call(key, 'GET', `/v1/indexes/${indexId}/files/${scanned}/processing`);
  assert.equal(detail.processing.ocr_credits, 2);
  const attributes = Object.fromEntries(
    detail.processing.path.map((step: { phase: string; attributes: object }) => [step.phase, step.attributes]),
  );
  assert.deepEqual(attributes['content.extract'], { pages: 2, ocr_credits: 2 });
  assert.deepEqual(attributes['multimodal.credits'], { total_credits: 2 });
  const usage = await eventually(
    async () => (await call(organization.session, 'GET', '/v1/organization/usage')).body,
    ({ ocr_credits }) => ocr_credits === 3,
  );
  assert.equal(usage.audio_credits, 0);
});

test('the rows of unchanged content are embedded once: the second upload reads no token', async () => {
  const organization = await newOrganization(baseUrl);
  const { key } = organization;
  const indexId = await newIndex(organization);
  const text = Array.from({ length: 120 }, (_, at) => `Paragraph ${at}. ${pages[at % 2]}\n\n`).join('');
  const tokens: number[] = [];
  for (const name of ['first.txt', 'second.txt']) {
    const jobId = await upload(key, indexId, name, 'text/plain', new TextEncoder().encode(text));
    assert.equal((await finished(key, indexId, jobId)).status, 'completed');
    const { body } = await call(key, 'GET', `/v1/indexes/${indexId}/files/${jobId}/processing`);
    tokens.push(body.tasks.reduce((sum: number, task: { embedding_tokens: number }) => sum + task.embedding_tokens, 0));
  }
  assert.ok((tokens[0] ?? 0) > 1_000);
  assert.equal(tokens[1], 0);
  const vectors = await allVectors(key, indexId);
  assert.equal(vectors.length % 2, 0);
});

test('a recording, which this machine cannot transcribe, ends with warnings that say so and costs nothing', async () => {
  const organization = await newOrganization(baseUrl);
  const { key } = organization;
  const indexId = await newIndex(organization);
  const jobId = await upload(key, indexId, 'silence.wav', 'audio/wav', wav(3));
  const job = await finished(key, indexId, jobId);
  assert.equal(job.status, 'completed_with_warnings');
  assert.match(job.error ?? '', /1 recording was not transcribed: this deployment has no transcription/);
  assert.equal(job.error_code, null);
  const { body } = await call(key, 'GET', `/v1/indexes/${indexId}/files/${jobId}/processing`);
  assert.equal(body.processing.audio_credits, 0);
});

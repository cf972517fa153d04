import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { createFile } from '../../functions/files/create.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { filesRead, type JobRecord, planSend, type TaskRecord } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { bucketName } from '../../shared/kernel/names.ts';
import type { Worker } from '../../shared/pipeline/worker.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { chunkSections } from '#documents';
import type { Embedder } from '../../shared/platform/models/port.ts';
import { extractor, fileOf, textsOf } from '../../packages/documents/test/extract/read.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { letterEmbedder } from '../support/letter-embedder.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const region = 'us-east-1';
const Bucket = bucketName('test', 'content', '000000000000', region);
const store = () => s3Client(region);

const sentence =
  'The fog over the harbour of Kiel lifted late that morning, and the crew of the Erna went to breakfast.\n';
const text = Array.from({ length: 900 }, (_, at) => `Entry ${at}\n${sentence.repeat(5)}`).join('\n\n');

/** Texts that a model has embedded. */
const embedded: string[] = [];

const embedder: Embedder = {
  ...letterEmbedder,
  embed: (texts, dimensions) => {
    embedded.push(...texts);
    return letterEmbedder.embed(texts, dimensions);
  },
};

const depsOf = (worker: Worker) => ({
  ...makeDeps(worker.uses, app.cloud.runtime),
  embedders: () => embedder,
  extractor,
});

const drain = (worker: Worker): Promise<number> => app.cloud.drain(worker, depsOf(worker), 60);

const reads = () => makeDeps({ files: filesRead, plans: planSend }, app.cloud.runtime);

interface Planned {
  readonly index: string;
  readonly job: JobRecord;
  readonly tasks: readonly TaskRecord[];
}

const jobNow = async ({ index, job }: Planned): Promise<JobRecord | null> =>
  reads().files.get({ organizationId: job.organizationId, indexId: index, jobId: job.id });

/** Plans a job of a text, by default one of several tasks. */
const planText = async (filename = 'log.txt', content = text): Promise<Planned> => {
  const index = await app.newIndex(26);
  const asked = { filename, content_type: 'text/plain' };
  const { body } = await app.call(createFile, { index_id: index }, asked);
  await store().send(new PutObjectCommand({ Bucket, Key: body.object_key, Body: content }));
  const { organizationId } = await app.record(index);
  const address = { organizationId, indexId: index, jobId: body.id as string };
  const { files, plans } = reads();
  const uploaded = await files.get(address);
  assert.ok(uploaded !== null);
  await plans.resend(uploaded);
  await drain(plan);
  const job = await files.get(address);
  assert.ok(job !== null);
  return { index, job, tasks: await files.tasks(organizationId, job.id) };
};

const finish = async (planned: Planned): Promise<JobRecord | null> => {
  for (let runs = 1; runs > 0;) runs = (await drain(fileTask)) + (await drain(indexWriter));
  return jobNow(planned);
};

const keysOf = async (job: JobRecord, kind: string): Promise<readonly string[]> => {
  const Prefix = `${kind}/${job.organizationId}/${job.indexId}/${job.id}/`;
  const { Contents = [] } = await store().send(new ListObjectsV2Command({ Bucket, Prefix }));
  return Contents.map(({ Key = '' }) => Key);
};

const remove = (Key: string) => store().send(new DeleteObjectCommand({ Bucket, Key }));

/** Texts and places of the rows that the file has to become. */
const expectedRows = async (tasks: readonly TaskRecord[]) => {
  const file = fileOf('log.txt', text, 'text/plain');
  const chunks: { readonly text: string; readonly start: number }[] = [];
  for (const { unitStart, unitEnd } of tasks) {
    const parts = await extractor.extract(file, { start: unitStart, end: unitEnd });
    for (const chunk of chunkSections(textsOf(parts))) chunks.push({ text: chunk.text, start: chunk.start });
  }
  return chunks;
};

const rowsOf = async (index: string) =>
  (await app.rows(index)).map((row) => ({ text: row.text, start: row.metadata['start'] }));

test('the tasks of a planned text complete without its file', async () => {
  const planned = await planText();
  const { job, tasks, index } = planned;
  assert.ok(tasks.length > 1);
  const borders = tasks.map(({ units }) => [units?.from, units?.to]);
  assert.deepEqual(
    borders.map(([from]) => from),
    [0, ...borders.slice(0, -1).map(([, to]) => to)],
  );
  await remove(job.objectKey);
  const ended = await finish(planned);
  assert.equal(ended?.status, 'completed', ended?.error ?? '');
  assert.deepEqual(await rowsOf(index), await expectedRows(tasks));
});

test('a task whose stored units have expired reads its range of the file', async () => {
  const planned = await planText();
  const units = (await keysOf(planned.job, 'batches')).filter((key) => key.includes('/units-'));
  assert.equal(units.length, 1);
  for (const key of units) await remove(key);
  const ended = await finish(planned);
  assert.equal(ended?.status, 'completed', ended?.error ?? '');
  assert.deepEqual(await rowsOf(planned.index), await expectedRows(planned.tasks));
});

test('a job planned without stored units completes', async () => {
  const planned = await planText();
  const files = openTable(app.cloud.runtime, 'files');
  for (const { organizationId, jobId, ordinal } of planned.tasks) {
    const key = { pk: `JOB#${organizationId}#${jobId}`, sk: `TASK#${String(ordinal).padStart(6, '0')}` };
    assert.ok((await files.update(key, { remove: ['units', 'etag'] })) !== null);
  }
  const ended = await finish(planned);
  assert.equal(ended?.status, 'completed', ended?.error ?? '');
  assert.deepEqual(await rowsOf(planned.index), await expectedRows(planned.tasks));
});

test('a repeated plan stores the same units under the same key', async () => {
  const { job } = await planText();
  const before = await keysOf(job, 'batches');
  const item = { ...job, status: 'queued' };
  const files = openTable(app.cloud.runtime, 'files');
  const key = { pk: `INDEX#${job.organizationId}#${job.indexId}`, sk: job.id };
  await files.update(key, { set: { status: item.status } });
  await reads().plans.resend(job);
  await drain(plan);
  assert.deepEqual(await keysOf(job, 'batches'), before);
});

test('a task refuses a file that was overwritten after planning, and its job states that', async () => {
  const planned = await planText();
  const { job } = planned;
  for (const key of await keysOf(job, 'batches')) await remove(key);
  const { Body } = await store().send(new GetObjectCommand({ Bucket, Key: job.objectKey }));
  const other = String(await Body?.transformToString()).replaceAll('Erna', 'Olga');
  await store().send(new PutObjectCommand({ Bucket, Key: job.objectKey, Body: other }));
  const ended = await finish(planned);
  assert.deepEqual(
    [ended?.status, ended?.error],
    ['failed', 'The file was overwritten while it was read: upload it again'],
  );
  assert.deepEqual(await rowsOf(planned.index), []);
});

test('a chunk is embedded under those of its headings that its text lacks, and stored without them', async () => {
  const section = `# Boats\n\n## Winter storage\n\n${sentence.repeat(14)}\nThe cover is tied with red rope.\n`;
  const planned = await planText('guide.md', section);
  assert.equal((await finish(planned))?.status, 'completed');
  const rows = await app.rows(planned.index);
  const [first, last] = [rows[0]?.text ?? '', rows.at(-1)?.text ?? ''];
  assert.ok(first.includes('Winter storage') && !last.includes('Winter storage'));
  assert.deepEqual(rows.at(-1)?.metadata['heading_path'], ['Boats', 'Winter storage']);
  assert.ok(embedded.includes(first) && embedded.includes(`Boats\nWinter storage\n${last}`));
});

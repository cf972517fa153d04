import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { createFile } from '../../functions/files/create.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { eventsRead } from '../../shared/events/index.ts';
import { filesRead, type JobRecord, planSend } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { bucketName } from '../../shared/kernel/names.ts';
import type { Worker } from '../../shared/pipeline/worker.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import type { Embedder } from '../../shared/platform/models/port.ts';
import { toVectorRecord, VectorRecord } from '../../shared/vectors/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { extractor } from '../../packages/documents/test/extract/read.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** Vectors by the length of a text: what the model says is not what these tests are about. */
const embedder: Embedder = {
  model: 'embedded-minilm-l6-v2',
  embed: (texts) =>
    Promise.resolve({ vectors: texts.map((text) => Float32Array.of(text.length, 1, 0, 0)), tokens: texts.length }),
};

const region = 'us-east-1';

const work = async (): Promise<void> => {
  const { cloud } = app;
  const drain = (worker: Worker) =>
    cloud.drain(worker, { ...makeDeps(worker.uses, cloud.runtime), embedders: () => embedder, extractor }, 60);
  for (let runs = 1, rounds = 0; runs > 0 && rounds < 20; rounds += 1) {
    runs = 0;
    for (const worker of [plan, fileTask, indexWriter]) runs += await drain(worker);
  }
};

/** A job for lines of JSON, to its end. */
const send = async (
  index: string,
  lines: readonly (object | string)[],
  start: Endpoint = createFile,
  path: object = {},
  created: object = {},
): Promise<JobRecord> => {
  const { runtime } = app.cloud;
  const { body } = await app.call(
    start,
    { index_id: index, ...path },
    {
      filename: 'rows.jsonl',
      content_type: 'application/x-ndjson',
      metadata: { source: 'bulk', topic: 'none' },
      ...created,
    },
  );
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const Bucket = bucketName('test', 'content', runtime.config.accountId, region);
  await s3Client(region).send(new PutObjectCommand({ Bucket, Key: body.object_key, Body: text }));
  const files = makeDeps({ files: filesRead, plans: planSend }, runtime);
  const { organizationId } = await app.record(index);
  const address = { organizationId, indexId: index, jobId: body.id as string };
  const stored = await files.files.get(address);
  if (stored !== null) await files.plans.resend(stored);
  await work();
  const ended = await files.files.get(address);
  if (ended === null) throw new Error('the job is gone');
  return ended;
};

const base64 = (...numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

it('writes the rows of a file of vectors under their own ids, embeds what has text alone, and counts them', async () => {
  const index = await app.newIndex();
  const bulk = Array.from({ length: 1_500 }, (_, number) => ({ id: `bulk${number}`, vector: [number, 0, 0, 1] }));
  const job = await send(index, [
    { id: 'number', vector: [1, 2, 3, 4], metadata: { topic: 'tea' } },
    { id: 'base64', vector: base64(4, 3, 2, 1), text: 'with a text' },
    '',
    { id: 'text', vector: null, text: 'embedded', metadata: null },
    // Escapes, a key in two objects, names that other languages know, and as deep as a request may be.
    `{"id":"odd","vector":[0,0,0,1],"text":"a \\"quote\\" \\\\","metadata":{"id":1,"constructor":{"a":"\\ud83c\\udf75"},"deep":${nested(97)}}}`,
    ...bulk,
  ]);
  assert.deepEqual([job.status, job.vectorsWritten, job.error], ['completed', 1_504, null]);
  const found = await app.engine().fetch(await app.ref(index), ['number', 'base64', 'text', 'bulk1499'], true);
  assert.deepEqual(
    found.map(({ id, vector, text, metadata }) => [
      id,
      [...(vector ?? [])],
      text,
      metadata['topic'],
      metadata['source'],
    ]),
    [
      ['number', [1, 2, 3, 4], null, 'tea', 'bulk'],
      ['base64', [4, 3, 2, 1], 'with a text', 'none', 'bulk'],
      ['text', [8, 1, 0, 0], 'embedded', 'none', 'bulk'],
      ['bulk1499', [1499, 0, 0, 1], null, 'none', 'bulk'],
    ],
  );
  const { state, usage } = await app.record(index);
  assert.deepEqual([state.rows, usage.totals.vectors_written, usage.totals.embedding_tokens], [1_504, 1_504, 1]);
});

it('reads the lines of each task alone, and names a line that does not fit by its place in the file', async () => {
  const index = await app.newIndex();
  const lines = Array.from({ length: 2_000 }, (_, number) => ({ id: `row${number}`, vector: [number, 0, 0, 1] }));
  const job = await send(index, lines);
  const tasks = await makeDeps({ files: filesRead }, app.cloud.runtime).files.tasks(job.organizationId, job.id);
  assert.deepEqual([job.vectorsWritten, tasks.length], [2_000, 3]);
  const borders = tasks.flatMap(({ span }) => [span?.from, span?.to]);
  const [first = '', second = ''] = [0, 960].map((at) =>
    lines
      .slice(at, at + 960)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const [one, two] = [first.length, first.length + second.length];
  assert.deepEqual(borders, [0, one, one, two, two, job.sizeBytes]);
  assert.deepEqual(
    tasks.map(({ span }) => span?.line),
    [1, 961, 1_921],
  );
  // That it does not fit together with the metadata of the job is found where the line is written.
  const large = {
    id: 'row1949',
    vector: [0, 0, 0, 0],
    metadata: { note: 'x'.repeat(40 * 1024 - '{"note":""}'.length) },
  };
  const failed = await send(index, (lines as readonly object[]).with(1_949, large));
  assert.deepEqual(
    [failed.status, failed.error],
    ['failed', 'Line 1950: metadata with that of the job may have at most 40 KiB as JSON'],
  );
});

it('reports the text of a file of vectors, and leaves out rows without text', async () => {
  const index = await app.newIndex();
  const bulk = Array.from({ length: 4_500 }, (_, number) => ({ id: `bulk${number}`, vector: [number, 0, 0, 1] }));
  const job = await send(index, [...bulk, { id: 'last', vector: [0, 0, 1, 0], text: 'the only text' }]);
  const { events } = makeDeps({ events: eventsRead }, app.cloud.runtime);
  const filter = { type: 'file.processing.completed' } as const;
  const history = await events.page(job.organizationId, filter, { offset: 0, limit: 100 });
  const event = history.events.find(({ jobId }) => jobId === job.id);
  const { data } = JSON.parse((await events.body(job.organizationId, event?.id ?? '')) ?? '');
  assert.deepEqual([data.job.sparse_text, data.job.sparse_text_truncated], ['the only text', false]);
});

it('replaces and deletes such a file, also where ids stay the same', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [{ id: 'direct', vector: [1, 1, 1, 1] }]);
  const first = await send(index, [
    { id: 'a', vector: [1, 0, 0, 0] },
    { id: 'b', vector: [1, 0, 0, 0] },
  ]);
  const next = await send(
    index,
    [
      { id: 'b', vector: [2, 0, 0, 0] },
      { id: 'c', vector: [2, 0, 0, 0] },
    ],
    replaceFile,
    { job_id: first.id },
  );
  assert.equal(next.status, 'completed');
  const rows = await app.rows(index);
  assert.deepEqual(
    rows.map(({ id, jobId }) => [id, jobId]),
    [
      ['b', next.id],
      ['c', next.id],
      ['direct', null],
    ],
  );
  const { usage } = await app.record(index);
  assert.deepEqual([usage.totals.vectors_written, usage.totals.vectors_deleted], [5, 1]);
  await app.call(deleteFile, { index_id: index, job_id: next.id });
  assert.deepEqual(
    (await app.rows(index)).map(({ id }) => id),
    ['direct'],
  );
  const { told, counted } = await app.figures(index);
  assert.deepEqual(told, counted);
});

it('refuses a replacement that the memory of the writer could not hold, and leaves the other file as it is', async (t) => {
  const index = await app.newIndex();
  const first = await send(index, [{ id: 'a', vector: [1, 0, 0, 0] }]);
  const large = [{ id: 'b', vector: [2, 0, 0, 0], metadata: { key: 'x'.repeat(30_000) } }];
  const { memoryMb } = app.cloud;
  t.after(() => {
    app.cloud.memoryMb = memoryMb;
  });
  app.cloud.memoryMb = 1;
  const refused = await send(index, large, replaceFile, { job_id: first.id });
  assert.deepEqual([refused.status, refused.errorCode], ['failed', 'processing_failed']);
  assert.match(
    refused.error ?? '',
    /^The file and the file that it replaces are together too large for one replacement\./,
  );
  assert.deepEqual(
    (await app.rows(index)).map(({ id, jobId }) => [id, jobId]),
    [['a', first.id]],
  );
  app.cloud.memoryMb = 2;
  assert.equal((await send(index, large, replaceFile, { job_id: first.id })).status, 'completed');
});

/** JSON of so many objects within each other. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

it('ends a file with a bad line as failed, names the line and writes nothing', async () => {
  const index = await app.newIndex();
  const good = { id: 'good', vector: [1, 2, 3, 4] };
  const bad: readonly (readonly [string | object, RegExp])[] = [
    ['{"id": "x", "vector": [1, 2', /^Line 3: this is not JSON$/],
    [{ id: 'good', vector: [1, 2, 3, 4] }, /^Line 3: the id is the same as that of line 1$/],
    [{ id: 'x' }, /^Line 3: a row needs a vector or a text$/],
    [{ id: 7, vector: [1, 2, 3, 4] }, /^Line 3: id must be a text of 1 to 512 characters$/],
    [{ vector: [1, 2, 3, 4] }, /^Line 3: id must be a text of 1 to 512 characters$/],
    [{ id: 'x', vector: { 0: 1 } }, /^Line 3: vector must be a list of finite numbers, or their base64 as a text$/],
    [{ id: 'x', text: 7 }, /^Line 3: text must be a text$/],
    [{ id: 'x', text: 'tea', metadata: ['tea'] }, /^Line 3: metadata must be an object$/],
    [
      { id: 'x', text: 'tea', metadata: { '': 1 } },
      /^Line 3: every key of metadata must have from 1 to 255 characters$/,
    ],
    [
      '{"id":"x","text":"tea","metadata":{"a":[1e400]}}',
      /^Line 3: every number of metadata must be finite as a 64-bit float$/,
    ],
    [
      '{"id":"x","vector":[1,2,3,4],"metadata":{"n":1746714878034235397}}',
      /^Line 3: metadata\.n: whole numbers beyond /,
    ],
    [['x'], /^Line 3: a row has the form /],
    [{ id: 'x', text: 'tea', values: [1, 2, 3, 4] }, /^Line 3: a row has no key 'values'; a row has the form /],
    [{ id: 'x', vector: [1, 2, 3, 4], topic: 'tea' }, /^Line 3: a row has no key 'topic'; a row has the form /],
    [{ id: 'x', vector: [1, 2, 3, 4], file: null }, /^Line 3: a row has no key 'file'; a row has the form /],
    [{ id: 'x', vector: [1, 2, 3] }, /^Line 3: the vector has 3 numbers, those before it have 4$/],
    [{ id: 'x', vector: 'AAAA' }, /^Line 3: a vector as text must be base64/],
    [{ id: 'x', vector: `${base64(1, 2, 3)}A` }, /^Line 3: a vector as text must be base64/],
    [{ id: 'x', vector: [1, 2, 3, 1e300] }, /^Line 3: every number of a vector must fit a 32-bit float$/],
    ['{"id":"x\\udc00","vector":[1,2,3,4]}', /^Line 3: lone surrogate in a string$/],
    ['{"id":"x","text":"half of \\ud83c"}', /^Line 3: lone surrogate in a string$/],
    ['{"id":"x","text":"tea","metadata":{"\\ud800":1}}', /^Line 3: lone surrogate in a string$/],
    ['{"id":"x","text":"tea","metadata":{"a":1,"\\u0061":2}}', /^Line 3: repeated key$/],
    [`{"id":"x","text":"tea","metadata":${nested(99)}}`, /^Line 3: nested deeper than 99 levels$/],
    [`{"id":"x","text":"tea","metadata":${nested(100_000)}}`, /^Line 3: nested deeper than 99 levels$/],
    ['{"id":"x","text":"tea","metadata":{"a":[{"__proto__":1}]}}', /^Line 3: the key '__proto__' is not allowed$/],
    ['{"id":"x","text":"tea","\\u005f_pr\\u006fto__":1}', /^Line 3: the key '__proto__' is not allowed$/],
    [
      '{"id":"x","text":"tea","metadata":{"constructor":{"prototype":1}}}',
      /^Line 3: the key 'prototype' within 'constructor' is not allowed$/,
    ],
    [`{"id":"x","text":"${'\\n'.repeat(6_000_000)}"}`, /^Line 3: text may have at most 32,768 characters$/],
    [
      { id: 'x', vector: [1, 2, 3, 4], metadata: { big: 'x'.repeat(41_000) } },
      /^Line 3: metadata may have at most 40 KiB/,
    ],
  ];
  for (const [line, message] of bad) {
    const job = await send(index, [good, '', line]);
    assert.deepEqual([job.status, job.errorCode], ['failed', 'processing_failed']);
    assert.match(job.error ?? '', message);
  }
  const other = await send(index, [{ id: 'x', vector: [1, 2] }]);
  assert.match(other.error ?? '', /^Line 1: The index has 4 dimensions, this vector has 2$/);
  assert.deepEqual(await app.rows(index), []);
});

it('takes rows as fetching gives them', async () => {
  const [index, other] = [await app.newIndex(), await app.newIndex()];
  // Characters that are legal in a string of JSON, where most readers of text take them for something else.
  const odd = 'a\u2028b\u2029c\u0085d\u007Fe\uFEFFf';
  const metadata = { topic: 'tea', odd, long: 'tea '.repeat(100) };
  await app.upsert(index, [
    { id: 'direct', vector: [1, 2, 3, 4], text: `a text ${odd}`, metadata },
    { id: odd, vector: [2, 3, 4, 5] },
  ]);
  await send(index, [{ id: 'of a file', vector: [4, 3, 2, 1] }]);
  const fetched = async (from: string) => {
    const found = await app.engine().fetch(await app.ref(from), ['direct', odd, 'of a file'], true);
    return found.map((row) => VectorRecord.parse(toVectorRecord(row)));
  };
  const rows = await fetched(index);
  assert.deepEqual([rows[0]?.text, rows[0]?.metadata, rows[1]?.id], [`a text ${odd}`, metadata, odd]);
  const job = await send(other, rows);
  assert.deepEqual([job.status, job.vectorsWritten, job.error], ['completed', 3, null]);
  const bare = (row: object) => ({ ...row, file: null, version: null });
  const sent = rows.map((row) => ({ ...row, metadata: { source: 'bulk', topic: 'none', ...row.metadata } }));
  assert.deepEqual((await fetched(other)).map(bare), sent.map(bare));
});

/** Metadata of so many bytes as JSON. */
const weighing = (bytes: number) => ({ long: 'x'.repeat(bytes - '{"long":""}'.length) });

it('refuses rows whose metadata is too much with that of the job, and takes all that it has written itself back', async () => {
  const index = await app.newIndex();
  const row = { id: 'a', vector: [1, 2, 3, 4] };
  const half = await send(
    index,
    [{ ...row, metadata: weighing(30_000) }],
    createFile,
    {},
    { metadata: { job: weighing(20_000) } },
  );
  assert.deepEqual(
    [half.status, half.error],
    ['failed', 'Line 1: metadata with that of the job may have at most 40 KiB as JSON'],
  );
  const full = { filename: 'tea.md', content_type: 'text/markdown', metadata: weighing(40 * 1024 - 20) };
  const job = await send(index, [`# ${'Tea '.repeat(40)}`, 'Green.'], createFile, {}, full);
  assert.deepEqual([job.status, job.error], ['completed', null]);
  const [chunk, ...others] = await app.rows(index);
  if (chunk === undefined) throw new Error('there is no row');
  assert.ok(Buffer.byteLength(JSON.stringify(chunk.metadata)) > 40 * 1024);
  assert.deepEqual(others, []);
  const { id } = chunk;
  assert.equal((await app.call(updateVectors, { index_id: index }, [{ id, metadata: { read: 1 } }])).status, 200);
  const tooMuch = [{ id, metadata: { more: 'than there is room for' } }];
  assert.equal((await app.call(updateVectors, { index_id: index }, tooMuch)).status, 409);
  const [read] = (await app.rows(index)).map((found) => toVectorRecord(found));
  const { vector, text, metadata } = VectorRecord.parse(read);
  const again = { id, vector: vector ?? [1, 2, 3, 4], text, metadata };
  assert.equal((await app.upsert(index, [again])).status, 200);
  const moved = await send(index, [again], createFile, {}, { metadata: {} });
  assert.deepEqual([moved.status, moved.vectorsWritten, moved.error], ['completed', 1, null]);
  const larger = { ...again, metadata: { ...metadata, heading_path: ['x'.repeat(17_000)] } };
  assert.equal((await app.upsert(index, [larger])).status, 422);
});

it('fails where the first line only looks like a row, and reads other lines of JSON as records', async () => {
  const index = await app.newIndex();
  const form =
    'a row has the form {"id": "…", "vector": [0.1, …], "text": "…", "metadata": {…}}, with a vector, a text or both';
  const row = { id: 'a', vector: [1, 2, 3, 4] };
  const refused: readonly (readonly [string | object, string])[] = [
    [
      { vectors: [{ ...row, text: null, metadata: {}, file: null, version: 'rcp_1' }] },
      `a row has no key 'vectors'; ${form}`,
    ],
    [{ id: 'a', values: [1, 2, 3, 4], metadata: { topic: 'tea' } }, `a row has no key 'values'; ${form}`],
    [{ id: 'a', embedding: [1, 2, 3, null], title: 'Tea' }, `a row has no key 'embedding'; ${form}`],
    [{ ...row, title: 'Tea' }, `a row has no key 'title'; ${form}`],
    [{ ...row, id: 7 }, 'id must be a text of 1 to 512 characters'],
    ['{"id":"a","vector":[NaN,2,3,4]}', `vector.0: every number must be finite; ${form}`],
    ['{"id":"a","text":"tea","metadata":{"b":-Infinity}}', `metadata.b: every number must be finite; ${form}`],
    ['{"id":"a","vector":[1,2', `this is not JSON; ${form}`],
  ];
  for (const [line, message] of refused) {
    const job = await send(index, ['', line, row]);
    assert.deepEqual([job.status, job.error], ['failed', `Line 2: ${message}`]);
  }
  for (const line of [
    { id: 'sensor', values: [1, 2, 3, 4], unit: 'K' },
    { id: 'place', bbox: [1, 2, 3, 4], scores: [0.5] },
    { id: 'CVE-1', vector: 'CVSS:3.1/AV:N', title: 'Overflow' },
    { id: 'note', text: 'a note', version: '2', file: 'a.txt' },
  ]) {
    const { status, vectorsWritten } = await send(index, [line, row]);
    assert.deepEqual([status, vectorsWritten], ['completed', 1], JSON.stringify(line));
  }
  assert.ok((await app.rows(index)).every(({ id }) => id.startsWith('job_')));
});

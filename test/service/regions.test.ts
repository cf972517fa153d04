import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { openEmbeddingServer } from '../support/embedding-server.ts';
import { apiOf } from './support/api.ts';
import { finished, upload } from './support/files.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnService } from '../support/whole-service.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';

// The other region has no Amazon S3 Vectors.
const [home, away] = ['us-east-1', 'il-central-1'];
const laboratory = await openEmbeddingServer(64);
after(laboratory.close);
const { baseUrl, dataDirectory } = await startOwnService([home, away], {
  parameters: { EmbeddingBaseUrl: laboratory.url },
  embeddingModels: [
    { provider: 'openai', model: 'laboratory', dimensions: [64, 32], api_key: 'embedding-api-key-laboratory' },
  ],
});
writeFileSync(join(dataDirectory, 'secrets.json'), JSON.stringify({ 'embedding-api-key-laboratory': 'lab-key' }));

const notes = [
  { id: 'tea', text: 'Green tea wants water of eighty degrees.', metadata: { about: 'tea' } },
  { id: 'rye', text: 'Rye bread is baked with sourdough.', metadata: { about: 'bread' } },
];

/** An organization whose plan allows several regions. */
const newCustomer = async () => {
  const organization = await newOrganization(baseUrl);
  const args = ['scripts/set-plan.ts', '--local', baseUrl, '--organization', organization.id, '--plan', 'scale'];
  await promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '..', '..') });
  return organization;
};

const createIndex = async (key: Caller, cloud_region: string): Promise<string> => {
  const { id } = await apiOf(key).post('/v1/indexes', { body: { name: cloud_region, dimensions: 256, cloud_region } });
  await apiOf(key).post('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: id } }, body: notes });
  return id;
};

const runsOf = async (functionId: string): Promise<number> => {
  const { body } = await call({ baseUrl, bearer: null }, 'GET', '/_local/invocations');
  return body.functions[functionId] ?? 0;
};

const modes = ['dense', 'sparse', 'hybrid'] as const;

const searchAll = async (key: Caller, index: string) => {
  const answers: unknown[] = [];
  for (const mode of modes) {
    const body = { text: 'sourdough bread', top_k: 1, include: ['text', 'metadata', 'explanation'] };
    const { status, body: answer } = await call(key, 'POST', `/v1/indexes/${index}/search/${mode}`, body);
    assert.equal(status, 200, JSON.stringify(answer));
    const [{ explanation, ...hit }] = answer.results;
    answers.push({ ...hit, explanation: { ...explanation, index_id: null } });
  }
  return answers;
};

test('an index returns the same in every region, at home without a second function', async () => {
  const { key, session } = await newCustomer();
  const [near, far] = [await createIndex(key, home), await createIndex(key, away)];
  const before = await runsOf('index-reader');
  const expected = await searchAll(key, near);
  assert.deepEqual(
    (expected as { id: string }[]).map(({ id }) => id),
    ['rye', 'rye', 'rye'],
  );
  assert.equal(await runsOf('index-reader'), before);
  assert.deepEqual(await searchAll(key, far), expected);
  assert.equal(await runsOf('index-reader'), before + modes.length);
  for (const index of [near, far]) {
    const params = { path: { index_id: index } };
    const listed = await apiOf(key).get('/v1/indexes/{index_id}/vectors', { params });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['rye', 'tea'],
    );
  }
  const { searches } = await apiOf(session).get('/v1/organization/usage', {});
  assert.deepEqual(searches, { dense: 2, sparse: 2, hybrid: 2 });
});

test('an index chooses the engine s3_vectors only in a region that has it', async () => {
  const { key } = await newCustomer();
  const create = async (cloud_region: string) =>
    call(key, 'POST', '/v1/indexes', { name: 'engine', engine: 's3_vectors', cloud_region });
  const refused = await create(away);
  const msg = "Input should be 'lance' in the region il-central-1";
  assert.deepEqual([refused.status, refused.body.detail], [422, [{ loc: ['body', 'engine'], msg, type: 'enum' }]]);
  const created = await create(home);
  assert.deepEqual([created.status, created.body.engine], [201, 's3_vectors']);
});

test('an index whose data is missing is a 503 that says so, is named by the health check, and is not counted', async () => {
  const { key, session, id: organizationId } = await newCustomer();
  for (const region of [home, away]) {
    const index = await createIndex(key, region);
    const buckets = await readdir(join(dataDirectory, 'vectors'));
    const bucket = buckets.find((name) => name.endsWith(region)) ?? '';
    const data = join(dataDirectory, 'vectors', bucket, organizationId, index);
    await rename(data, `${data}-away`);
    // Processes that have written or read the index know its rows.
    await call(key, 'POST', '/_local/end-idle');
    for (const mode of modes) {
      const answer = await call(key, 'POST', `/v1/indexes/${index}/search/${mode}`, { text: 'tea' });
      assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'], `${mode} in ${region}`);
      assert.match(answer.body.detail, /missing or damaged: do not repeat/);
      assert.equal(answer.headers.get('retry-after'), null);
      assert.ok(!JSON.stringify(answer.body).includes('lance'), 'names of the engine stay inside');
    }
    const health = await apiOf(session).get('/v1/health/deep');
    const engine = health.find(({ name }) => name === `engine/${region}`);
    assert.deepEqual([engine?.status, engine?.error], ['failed', `DamagedIndex: ${index}`]);
    await rename(`${data}-away`, data);
    const found = await call(key, 'POST', `/v1/indexes/${index}/search/sparse`, { text: 'tea' });
    assert.deepEqual([found.status, found.body.results[0]?.id], [200, 'tea']);
  }
  const { searches } = await apiOf(session).get('/v1/organization/usage', {});
  assert.deepEqual(searches, { dense: 0, sparse: 2, hybrid: 0 });
});

/** Returns a completed export of an index. */
const exported = async (key: Caller, index: string, body: object) => {
  const started = await call(key, 'POST', `/v1/indexes/${index}/exports`, body);
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const { body: report } = await eventually(
    () => call(key, 'GET', `/v1/indexes/${index}/exports/${started.body.id}`),
    ({ body: { status } }) => status !== 'queued' && status !== 'running',
  );
  assert.deepEqual([report.status, report.rows], ['completed', notes.length]);
  return { ...report, uri: `${index}/${report.id}` };
};

test('an export moves to an index of another model only if its texts are embedded again', async () => {
  const { key, session } = await newCustomer();
  const source = (await call(key, 'POST', '/v1/indexes', { name: 'old', dimensions: 64 })).body.id;
  await call(key, 'POST', `/v1/indexes/${source}/vectors`, notes);
  const settings = { name: 'new', embedding_model: 'openai/laboratory', dimensions: 64, cloud_region: away };
  const { id: target } = (await call(key, 'POST', '/v1/indexes', settings)).body;
  const importTo = async (index: string, body: object) => call(key, 'POST', `/v1/indexes/${index}/imports`, body);
  const endOf = async (index: string, body: object) => {
    const { status, body: job } = await importTo(index, body);
    assert.equal(status, 202, JSON.stringify(job));
    return finished(key, index, job.id);
  };
  const tokensNow = async (): Promise<number> =>
    (await apiOf(session).get('/v1/organization/usage', {})).embedding_tokens;
  const [lines, parquet] = [await exported(key, source, {}), await exported(key, source, { format: 'parquet' })];
  assert.equal(lines.embedding_model, 'embedded-minilm-l6-v2');

  const [seen, tokens] = [laboratory.seen.length, await tokensNow()];
  for (const { uri } of [lines, parquet]) {
    const from = { provider: 'export', uri };
    const refused = await importTo(target, from);
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    assert.match(refused.body.detail, /embedded-minilm-l6-v2, and those of the index of openai\/laboratory/);
    const job = await endOf(target, { ...from, embed: true });
    assert.deepEqual([job.status, job.vectors_written], ['completed', notes.length]);
    await apiOf(key).delete('/v1/indexes/{index_id}/files/{job_id}', {
      params: { path: { index_id: target, job_id: job.id } },
    });
  }

  // The second import finds the vectors of the first in the cache.
  const embedded = laboratory.seen.slice(seen).flatMap(({ input }) => input);
  assert.deepEqual(embedded.toSorted(), notes.map(({ text }) => text).toSorted());
  await eventually(tokensNow, (now) => now >= tokens + notes.length);

  const file = Buffer.from(await (await fetch(lines.parts[0].url)).arrayBuffer());
  const byHand = async (embed: boolean) => {
    const [filename, contentType] = ['rows.jsonl', 'application/x-ndjson'];
    const body = { filename, content_type: contentType, embed };
    const {
      upload_url: url,
      upload_headers: headers,
      id,
    } = (await call(key, 'POST', `/v1/indexes/${target}/files`, body)).body;
    assert.equal((await fetch(url, { method: 'PUT', headers, body: file })).status, 200);
    return finished(key, target, id);
  };
  const foreign = await byHand(false);
  assert.equal(foreign.status, 'failed');
  assert.match(foreign.error ?? '', /^Line 1: the vectors are of the embedding model embedded-minilm-l6-v2/);
  assert.deepEqual(
    await call(key, 'POST', `/v1/indexes/${target}/vectors/count`, {}).then(({ body }) => body.count),
    0,
  );
  assert.equal((await byHand(true)).status, 'completed');

  const texts = await exported(key, source, { vectors: 'omit', format: 'parquet' });
  assert.equal(texts.embedding_model, null);
  assert.equal((await endOf(target, { provider: 'export', uri: texts.uri })).vectors_written, notes.length);
  const [hit] = (await call(key, 'POST', `/v1/indexes/${target}/search/dense`, { text: notes[0]?.text, top_k: 1 })).body
    .results;
  assert.equal(hit.id, 'tea');
});

test('the health check embeds by every model of every region', async () => {
  const { session } = await newCustomer();
  const outcomes = await apiOf(session).get('/v1/health/deep');
  const models = ['', '/openai/laboratory', '/embedded-multilingual-e5-small'];
  const names = [home, away].flatMap((region) => models.map((model) => `embedding/${region}${model}`));
  assert.deepEqual(
    outcomes.filter(({ name }) => name.startsWith('embedding/')).map(({ name, status }) => [name, status]),
    names.map((name) => [name, 'ok']),
  );
});

test('text of an index goes to the model that the index has chosen, and to no other', async () => {
  const { key } = await newCustomer();
  const { body: listed } = await call(key, 'GET', '/v1/models');
  const models = listed.filter(({ kind }: Record<string, unknown>) => kind === 'embedding');
  assert.deepEqual(
    models.map(({ id, dimensions, is_default }: Record<string, unknown>) => [id, dimensions, is_default]),
    [
      ['embedded-minilm-l6-v2', 384, true],
      ['openai/laboratory', 64, false],
      ['embedded-multilingual-e5-small', 384, false],
    ],
  );
  const create = async (choice: object) => call(key, 'POST', '/v1/indexes', { name: 'models', ...choice });
  const refused = [
    { field: 'embedding_model', choice: { embedding_model: 'openai/unknown' } },
    { field: 'dimensions', choice: { embedding_model: 'openai/laboratory', dimensions: 65 } },
  ];
  const messages: string[] = [];
  for (const { field, choice } of refused) {
    const { status, body } = await create(choice);
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', field]]);
    messages.push(body.detail[0].msg);
  }
  assert.deepEqual(messages, [
    "Input should be 'embedded-minilm-l6-v2' or 'openai/laboratory' or 'embedded-multilingual-e5-small' or 'default'",
    'Input should be 64 or 32, the dimensions of openai/laboratory',
  ]);
  const cases = [
    { choice: { embedding_model: 'openai/laboratory' }, is: ['openai/laboratory', 64] },
    {
      choice: { embedding_model: 'openai/laboratory', dimensions: 32, cloud_region: away },
      is: ['openai/laboratory', 32],
    },
    { choice: { embedding_model: 'embedded-minilm-l6-v2' }, is: ['embedded-minilm-l6-v2', 384] },
    { choice: {}, is: ['embedded-minilm-l6-v2', 1_536] },
  ] as const;
  for (const [at, { choice, is }] of cases.entries()) {
    const { body: index } = await create(choice);
    assert.deepEqual([index.embedding_model, index.dimensions], is);
    const path = `/v1/indexes/${index.id}`;
    const text = (kind: string): string => `A ${kind} about sourdough, number ${at}.`;
    const from = laboratory.seen.length;
    await call(key, 'POST', `${path}/vectors`, [{ id: 'note', text: text('note') }]);
    const job = await upload(key, index.id, 'file.txt', 'text/plain', Buffer.from(text('file')));
    assert.equal((await finished(key, index.id, job)).status, 'completed');
    for (const kind of ['note', 'file']) {
      const { body } = await call(key, 'POST', `${path}/search/dense`, {
        text: text(kind),
        top_k: 1,
        include: ['text'],
      });
      assert.equal(body.results[0]?.text, text(kind));
    }
    const seen = laboratory.seen.slice(from);
    const own = is[0] === 'openai/laboratory' ? [text('note'), text('file'), text('note'), text('file')] : [];
    assert.deepEqual(
      seen.flatMap(({ input }) => input),
      own,
    );
    for (const { authorization, model } of seen)
      assert.deepEqual([authorization, model], ['Bearer lab-key', 'laboratory']);
  }
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import type { OnDuplicate } from '#client';
import { apiOf } from './support/api.ts';
import { startService } from '../support/shared-service.ts';
import { makePdf } from '../support/make-pdf.ts';
import { allVectors, begin, finished, upload } from './support/files.ts';
import { type ApiAnswer, call, type Caller, newOrganization, type TestOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl } = await startService();
const run = promisify(execFile);

const createIndex = async (key: Caller, dimensions = 1536): Promise<string> =>
  (await apiOf(key).post('/v1/indexes', { body: { name: 'files', dimensions } })).id;

const best = async (key: Caller, index_id: string, text: string) => {
  const params = { path: { index_id } };
  const { results } = await apiOf(key).post('/v1/indexes/{index_id}/search/sparse', { params, body: { text } });
  assert.ok(results[0] !== undefined, `nothing is found for ${text}`);
  return results[0];
};

/** The events of a job once it has ended, by type. */
const eventsOf = async (session: Caller, jobId: string) => {
  const { events } = await eventually(
    () => apiOf(session).get('/v1/organization/webhooks/events', { params: { query: { limit: 100 } } }),
    (history) =>
      history.events.some(({ job_id, event_type }) => job_id === jobId && /completed|failed/.test(event_type)),
  );
  return Map.groupBy(
    events.filter(({ job_id }) => job_id === jobId),
    ({ event_type }) => event_type,
  );
};

test('a PDF of 300 pages runs as several tasks, and all its counts agree', { timeout: 300_000 }, async () => {
  const { key, session, id: organizationId } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const pages = Array.from(
    { length: 300 },
    (_, at) => `Page ${at + 1} tells of lighthouse keeper number ${1000 + at}.`,
  );
  const jobId = await upload(key, index, 'keepers.pdf', 'application/pdf', await makePdf(pages));
  const job = await finished(key, index, jobId);
  assert.equal(job.status, 'completed');
  const params = { path: { index_id: index, job_id: jobId } };
  const tasks = await apiOf(key).get('/v1/indexes/{index_id}/files/{job_id}/tasks', { params });
  const detail = await apiOf(key).get('/v1/indexes/{index_id}/files/{job_id}/processing', { params });
  const { processing, tasks: traced } = detail;
  const events = await eventsOf(session, jobId);
  const [completed, ...others] = events.get('file.processing.completed') ?? [];
  const rows = await allVectors(key, index);
  const sum = (name: 'chunks_written' | 'vectors_written'): number =>
    tasks.reduce((total, task) => total + task[name], 0);

  assert.ok(tasks.length >= 3);
  assert.deepEqual(
    tasks.map(({ page_start }) => page_start),
    tasks.map((_, at) => at * 50 + 1),
  );
  assert.equal(tasks.at(-1)?.page_end, 300);
  assert.ok(completed !== undefined);
  assert.deepEqual([others.length, events.get('file.processing.started')?.length], [0, 1]);
  const data: ApiAnswer['body'] = completed.payload.data;
  assert.deepEqual(data.processing, processing);
  assert.deepEqual(
    [job.vectors_written, data.job.vectors_written, sum('vectors_written'), new Set(rows.map(({ id }) => id)).size],
    [rows.length, rows.length, rows.length, rows.length],
  );
  assert.equal(job.chunks_written, sum('chunks_written'));
  assert.deepEqual([job.tasks_total, job.tasks_completed], [tasks.length, tasks.length]);
  const counted = (await call({ baseUrl, bearer: null }, 'GET', `/_local/invocations?job_id=${jobId}`)).body.functions;
  const workers = ['plan', 'file-task', 'index-writer'].reduce((total, name) => total + (counted[name] ?? 0), 0);
  assert.deepEqual([processing.serverless_invocations, job.serverless_invocations], [workers, workers]);
  const phase = (name: string) => processing.path.find((step) => step.phase === name)?.attributes;
  assert.equal(phase('content.extract')?.['pages'], 300);
  assert.equal(phase('embedding.generate')?.['vectors'], rows.length);
  const totalOf = (name: string): number =>
    traced
      .flatMap(({ trace }) => trace)
      .filter(({ phase: own }) => own === name)
      .reduce((total, step) => total + step.duration_ms, 0);
  for (const { phase: name, duration_ms } of processing.path) assert.equal(duration_ms, totalOf(name));
  const { page_start: first, page_end: last } = (await best(key, index, 'keeper number 1216')).file ?? {};
  assert.ok(Number(first) <= 217 && Number(last) >= 217, `found on pages ${first} to ${last}`);
  assert.deepEqual(
    [data.job.filename, data.job.status, completed.payload.organization_id],
    ['keepers.pdf', 'completed', organizationId],
  );
  assert.ok(data.job.sparse_text.length <= 4000 && data.job.sparse_text.startsWith('Page 1 tells'));
});

test('Markdown, plain text and HTML are found by their content under their headings', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const files = [
    ['guide.md', 'text/markdown', '# Harbour\n\nShips wait.\n\n## Pilots\n\nThe pilot boards near the *red* buoy.\n'],
    ['note.txt', 'text/plain; charset=utf-8', 'The cellar key hangs behind the grandfather clock.\n'],
    [
      'page.html',
      'text/html',
      '<html><head><title>t</title></head><body><nav>menu</nav><article><h1>Bread</h1><p>Rye dough rests overnight in a linen cloth before it is baked in the stone oven.</p></article></body></html>',
    ],
  ] as const;
  const jobs = await Promise.all(files.map(([name, type, text]) => upload(key, index, name, type, Buffer.from(text))));
  for (const job of jobs) assert.equal((await finished(key, index, job)).status, 'completed');
  const pilot = await best(key, index, 'where does the pilot board');
  assert.deepEqual(
    [pilot.file?.filename, pilot.file?.page_start, pilot.metadata?.['heading_path']],
    ['guide.md', null, ['Harbour', 'Pilots']],
  );
  assert.equal((await best(key, index, '"harbour" "the red buoy"')).id, pilot.id);
  assert.equal((await best(key, index, 'grandfather clock')).file?.filename, 'note.txt');
  assert.equal((await best(key, index, 'rye dough')).file?.filename, 'page.html');
});

test('metadata of a job is stored with its chunks, except under the names of their positions', async () => {
  const { key } = await newOrganization(baseUrl);
  const index_id = await createIndex(key);
  const body = Buffer.from('name,depth\nlake,12\n');
  const { id, upload_url, upload_headers } = await begin(key, index_id, {
    filename: 'depths.csv',
    content_type: 'text/csv',
    metadata: { team: 'survey', slide: 7, row_start: 'mine', chunk: 'mine', heading_path: 'mine' },
  });
  await fetch(upload_url, { method: 'PUT', headers: upload_headers, body });
  assert.equal((await finished(key, index_id, id)).status, 'completed');
  const [row] = await allVectors(key, index_id);
  assert.partialDeepStrictEqual(row.metadata, { team: 'survey', slide: 7, row_start: 1, chunk: 1, heading_path: [] });
});

test('an unreadable file fails with a reason, and a file without text completes with warnings', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const broken = await upload(
    key,
    index,
    'broken.pdf',
    'application/pdf',
    Buffer.from('%PDF-1.7\nnothing that a PDF needs'),
  );
  const failed = await finished(key, index, broken);
  assert.deepEqual([failed.status, failed.error_code, failed.vectors_written], ['failed', 'processing_failed', 0]);
  const [event] = (await eventsOf(session, broken)).get('file.processing.failed') ?? [];
  const data: ApiAnswer['body'] = event?.payload.data;
  assert.deepEqual([data.job.error, data.job.error_code], [failed.error, 'processing_failed']);
  const empty = await upload(key, index, 'empty.txt', 'text/plain', Buffer.from(' \n'));
  assert.equal((await finished(key, index, empty)).status, 'completed_with_warnings');
  assert.deepEqual(await allVectors(key, index), []);
});

test('curl -T uploads a file once, and only with exactly the returned headers', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const directory = await mkdtemp(join(tmpdir(), 'strata-curl-'));
  const content = 'A sentence to upload.\n';
  await writeFile(join(directory, 'good.txt'), content);
  await writeFile(join(directory, 'bad.txt'), content.replace('A', 'B'));
  const job = await begin(key, index, {
    filename: 'good.txt',
    content_type: 'text/plain',
    checksum_sha256: createHash('sha256').update(content).digest('hex'),
  });
  const curl = async (file: string, headers: Record<string, string>): Promise<string> => {
    const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const { stdout } = await run('curl', [
      '-s',
      '-T',
      join(directory, file),
      '-w',
      '\n%{http_code}',
      ...flags,
      job.upload_url,
    ]);
    return stdout;
  };
  assert.match(
    await curl('good.txt', { ...job.upload_headers, 'content-type': 'text/html' }),
    /<Code>SignatureDoesNotMatch<\/Code>[\s\S]*\n403$/,
  );
  assert.match(
    await curl('bad.txt', job.upload_headers),
    /<Code>(BadDigest|XAmzContentChecksumMismatch|InvalidRequest)<\/Code>[\s\S]*\n400$/,
  );
  assert.match(await curl('good.txt', job.upload_headers), /\n200$/);
  assert.match(await curl('good.txt', job.upload_headers), /<Code>PreconditionFailed<\/Code>[\s\S]*\n412$/);
  assert.equal((await finished(key, index, job.id)).status, 'completed');
  await rm(directory, { recursive: true });
});

for (const engine of ['lance', 's3_vectors'] as const)
  test(`a file that is uploaded again is found once, and its next version replaces it, on ${engine}`, async () => {
    const { key } = await newOrganization(baseUrl);
    const api = apiOf(key);
    const { id: index } = await api.post('/v1/indexes', { body: { name: engine, dimensions: 256, engine } });
    const send = (text: string, onDuplicate: OnDuplicate) =>
      api.uploadFile(index, {
        filename: 'opening.txt',
        contentType: 'text/plain',
        content: Uint8Array.from(Buffer.from(text)),
        onDuplicate,
      });
    const old = 'The workshop opens at nine.\n';
    const first = await send(old, 'skip');
    assert.equal((await finished(key, index, first.id)).status, 'completed');
    assert.partialDeepStrictEqual(await send(old, 'skip'), { id: first.id, status: 'completed' });
    const versions = [await send('The workshop opens at ten.\n', 'replace'), await send('It is closed.\n', 'replace')];
    assert.deepEqual(
      versions.map(({ replaces_job_id }) => replaces_job_id),
      [first.id, versions[0]?.id],
    );
    const ended = await Promise.all(versions.map(({ id }) => finished(key, index, id)));
    assert.equal(ended[1]?.status, 'completed');
    assert.deepEqual(
      (await allVectors(key, index)).map(({ text }) => text),
      ['It is closed.'],
    );
    await assert.rejects(
      api.uploadFile(index, {
        filename: 'opening.txt',
        contentType: 'text/plain',
        content: new Uint8Array(),
        replaces: first.id,
        onDuplicate: 'skip',
      }),
      TypeError,
    );
  });

/** Returns credentials of every kind that can get an upload URL, each with the call that revokes it. */
const revocable = async ({ session, id }: TestOrganization) => {
  const withoutToken = { baseUrl, bearer: null };
  const ok = async (...asked: Parameters<typeof call>): Promise<ApiAnswer['body']> => {
    const { status, body } = await call(...asked);
    assert.ok(status < 300, `${asked[1]} ${asked[2]}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const newKey = (by: Caller) => ok(by, 'POST', '/v1/api-keys', { name: 'temporary' });
  const callerOf = ({ token }: { readonly token: string }): Caller => ({ baseUrl, bearer: token });
  const [key, creator, client] = [
    await newKey(session),
    await newKey(session),
    await ok(session, 'POST', '/v1/oauth/clients', { name: 'temporary' }),
  ];
  const created = await newKey(callerOf(creator));
  const access = await ok(
    withoutToken,
    'POST',
    '/v1/oauth/token',
    `grant_type=client_credentials&client_id=${client.client_id}&client_secret=${client.client_secret}`,
    { 'content-type': 'application/x-www-form-urlencoded' },
  );
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const invitation = await ok(session, 'POST', '/v1/organization/invitations', { email, role: 'member' });
  const signIn = async (): Promise<ApiAnswer['body']> => {
    const { id_token } = await ok(withoutToken, 'POST', '/_local/id-token', { email, name: 'Member' });
    return ok({ baseUrl, bearer: id_token }, 'POST', '/v1/auth/bootstrap');
  };
  const memberOf = ({ session_token }: ApiAnswer['body']): Caller => ({ baseUrl, bearer: session_token });
  const member = await signIn();
  await ok(memberOf(member), 'POST', '/v1/organization/invitations/accept', { invitation_id: invitation.id });
  const ending = memberOf(await signIn());
  return {
    organizationHeader: { 'x-service-organization-id': id },
    credentials: [
      ['a key', callerOf(key), () => ok(session, 'DELETE', `/v1/api-keys/${key.id}`)],
      ['a key of a key', callerOf(created), () => ok(session, 'DELETE', `/v1/api-keys/${creator.id}`)],
      [
        'an OAuth client',
        { baseUrl, bearer: access.access_token as string },
        () => ok(session, 'DELETE', `/v1/oauth/clients/${client.id}`),
      ],
      ['a session', ending, () => ok(ending, 'DELETE', '/v1/auth/session')],
      ['a member', memberOf(member), () => ok(session, 'DELETE', `/v1/organization/members/${member.user.id}`)],
    ] as const,
  };
};

test('a file that arrives after its credential was revoked is deleted, and its job cancelled without an event', async () => {
  const organization = await newOrganization(baseUrl);
  const { key, session } = organization;
  const index = await createIndex(key, 256);
  const old = await upload(key, index, 'plane.txt', 'text/plain', Buffer.from('The plane stands.\n'));
  assert.equal((await finished(key, index, old)).status, 'completed');
  const { credentials, organizationHeader } = await revocable(organization);
  const jobs: string[] = [];
  for (const [name, caller, revoke] of credentials) {
    const start = async (path: string): Promise<ApiAnswer['body']> => {
      const body = { filename: 'plane.txt', content_type: 'text/plain' };
      const started = await call(caller, 'POST', `/v1/indexes/${index}/files${path}`, body, organizationHeader);
      assert.equal(started.status, 201, `${name}: ${JSON.stringify(started.body)}`);
      return started.body;
    };
    const started = [await start(''), await start(`/${old}/replace`)];
    await revoke();
    for (const { id, upload_url, upload_headers } of started) {
      const sent = await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: 'The plane hangs.\n' });
      assert.equal(sent.status, 200);
      const job = await finished(key, index, id);
      assert.deepEqual([job.status, job.error_code, job.vectors_written], ['cancelled', 'key_revoked', 0], name);
      jobs.push(id);
    }
  }
  assert.deepEqual(
    (await allVectors(key, index)).map(({ text }) => text),
    ['The plane stands.'],
  );
  for (const job_id of jobs) {
    const refused = await call(key, 'GET', `/v1/indexes/${index}/files/${job_id}/download`);
    assert.equal(refused.status, 409);
  }
  const history = await apiOf(session).get('/v1/organization/webhooks/events', { params: { query: { limit: 100 } } });
  assert.deepEqual(
    history.events.filter(({ job_id }) => jobs.includes(job_id ?? '')),
    [],
  );
});

/** Returns a completed export of an index. */
const exported = async (key: Caller, index_id: string, format: 'jsonl' | 'parquet') => {
  const path = { index_id };
  const { id } = await apiOf(key).post('/v1/indexes/{index_id}/exports', { params: { path }, body: { format } });
  return eventually(
    () =>
      apiOf(key).get('/v1/indexes/{index_id}/exports/{export_id}', { params: { path: { ...path, export_id: id } } }),
    ({ status }) => status === 'completed' || status === 'failed',
  );
};

type ImportBody = Readonly<Record<string, string>>;

const bytesOf = async (url: string): Promise<ArrayBuffer> => (await fetch(url)).arrayBuffer();

/** Rows with texts, metadata and vectors of every kind. */
const unusualRows = [
  {
    id: 'null',
    vector: [0.1, -0.2, 3e-12, 4],
    metadata: { none: null, list: [1, null, 'x', [true]], deep: { a: { b: 0 } } },
  },
  {
    id: 'ключ 🗝️',
    vector: [1, 2, 3, 4],
    text: 'e\u0301 \u{1F600}\n"quoted"',
    metadata: { 'ключ 🗝️': 'значение', $not: [] },
  },
  { id: 'empty', vector: [0.3333333432674408, 1e-7, 12345.678, -1], text: null, metadata: {} },
];

test('an export contains every row of an index, and imports write the same rows on both engines', async () => {
  const { key } = await newOrganization(baseUrl);
  const index_id = await createIndex(key, 4);
  const params = { path: { index_id } };
  await apiOf(key).post('/v1/indexes/{index_id}/vectors', { params, body: unusualRows });
  const job = await upload(key, index_id, 'notes.md', 'text/markdown', Buffer.from('# Tea\n\nGreen tea is brewed.'));
  assert.equal((await finished(key, index_id, job)).status, 'completed');
  const query = { limit: 1_000, include_vectors: true };
  const listed = await Array.fromAsync(
    apiOf(key).pages('/v1/indexes/{index_id}/vectors', { params: { ...params, query } }),
  );
  const float32 = (numbers: readonly number[] = []): number[] => [...Float32Array.from(numbers)];

  const lines = await exported(key, index_id, 'jsonl');
  assert.deepEqual([lines.error, lines.rows, lines.parts.length], [null, listed.length, 1]);
  const text = Buffer.from(await bytesOf(lines.parts[0]?.url ?? '')).toString();
  assert.equal(Buffer.byteLength(text), lines.size_bytes);
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map((row) => ({ ...row, vector: float32(row.vector) })),
    listed.map((row) => ({ ...row, embedding_model: lines.embedding_model })),
  );
  assert.equal(lines.embedding_model, 'embedded-minilm-l6-v2');

  const parquet = await exported(key, index_id, 'parquet');
  const columns = await parquetReadObjects({ file: await bytesOf(parquet.parts[0]?.url ?? '') });
  assert.deepEqual(
    columns.map((row) => ({ ...row, metadata: JSON.parse(row['metadata']) })),
    listed.map(({ id, vector, text: own, metadata, file }) => ({
      id,
      vector,
      embedding_model: parquet.embedding_model,
      text: own,
      metadata,
      job_id: file?.job_id ?? null,
      filename: file?.filename ?? null,
      page_start: file?.page_start ?? null,
      page_end: file?.page_end ?? null,
      regions: null,
      expires_at: null,
    })),
  );

  // Texts, metadata, vectors and sources of all rows; the job that wrote them is another one.
  const content = (found: readonly ApiAnswer['body'][]) =>
    found.map(({ file, ...row }) => ({ ...row, version: '', file: file === null ? null : { ...file, job_id: '' } }));
  const moved = async (from: ImportBody, engine: 'lance' | 's3_vectors' = 'lance') => {
    const settings = { name: 'moved', dimensions: 4, engine };
    const { id: target } = await apiOf(key).post('/v1/indexes', { body: settings });
    const { body, status } = await call(key, 'POST', `/v1/indexes/${target}/imports`, from);
    assert.equal(status, 202, JSON.stringify(body));
    const { error, vectors_written } = await finished(key, target, body.id);
    assert.deepEqual([error, vectors_written], [null, listed.length]);
    const rowsOfTarget = apiOf(key).pages('/v1/indexes/{index_id}/vectors', {
      params: { path: { index_id: target }, query },
    });
    // The engine s3_vectors lists in another order.
    const order = listed.map(({ id }) => id);
    const found = content(await Array.fromAsync(rowsOfTarget));
    return { target, rows: found.toSorted((a, b) => order.indexOf(a['id']) - order.indexOf(b['id'])) };
  };
  const fileName = { job_id: '', filename: `${lines.id}-part-00001.jsonl`, page_start: null, page_end: null };
  const expected = (filename: string) =>
    content(listed).map((row) => ({ ...row, file: row.file ?? { ...fileName, filename } }));
  const [fromLines, fromParquet, fromUrl] = await Promise.all([
    moved({ provider: 'export', uri: `${index_id}/${lines.id}` }),
    moved({ provider: 'export', uri: `${index_id}/${parquet.id}` }, 's3_vectors'),
    moved({ provider: 'url', uri: parquet.parts[0]?.url ?? '', filename: 'rows.parquet' }),
  ]);
  assert.deepEqual(fromLines.rows, expected(fileName.filename));
  assert.deepEqual(fromParquet.rows, expected(`${parquet.id}-part-00001.parquet`));
  assert.deepEqual(fromUrl.rows, expected('rows.parquet'));
  const { id: backId } = await exported(key, fromParquet.target, 'jsonl');
  const back = await moved({ provider: 'export', uri: `${fromParquet.target}/${backId}` });
  assert.deepEqual(back.rows, fromParquet.rows);

  const path = { ...params.path, export_id: lines.id };
  const ids = await Array.fromAsync(apiOf(key).pages('/v1/indexes/{index_id}/exports', { params }), ({ id }) => id);
  assert.deepEqual(ids.length, 2);
  await apiOf(key).delete('/v1/indexes/{index_id}/exports/{export_id}', { params: { path } });
  const gone = await call(key, 'GET', `/v1/indexes/${index_id}/exports/${lines.id}`);
  assert.equal(gone.status, 404);
  await eventually(
    () => fetch(lines.parts[0]?.url ?? ''),
    ({ status }) => status === 404,
  );
});

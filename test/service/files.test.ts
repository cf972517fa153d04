import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { apiOf } from './support/api.ts';
import { startService } from './support/cloud.ts';
import { allVectors, finished, makePdf, upload } from './support/files.ts';
import { call, type Caller, eventually, newOrganization } from './support/organization.ts';

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

test('a PDF of 300 pages runs as several tasks, and every account of it agrees', { timeout: 300_000 }, async () => {
  const { key, session, id: organizationId } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const pages = Array.from(
    { length: 300 },
    (_, at) => `Page ${at + 1} tells of lighthouse keeper number ${1000 + at}.`,
  );
  const jobId = await upload(key, index, 'keepers.pdf', 'application/pdf', await makePdf(pages));
  const job = await finished(key, index, jobId);
  assert.equal(job.status, 'completed');
  const tasks = (await call(key, 'GET', `/v1/indexes/${index}/files/${jobId}/tasks`)).body;
  const { processing, tasks: traced } = (await call(key, 'GET', `/v1/indexes/${index}/files/${jobId}/processing`)).body;
  const history = await eventsOf(session, jobId);
  const completed = history.events.filter(
    ({ job_id, event_type }: { job_id: string; event_type: string }) =>
      job_id === jobId && event_type === 'file.processing.completed',
  );
  const started = history.events.filter(
    ({ job_id, event_type }: { job_id: string; event_type: string }) =>
      job_id === jobId && event_type === 'file.processing.started',
  );
  const rows = await allVectors(key, index);
  const sum = (name: string): number =>
    tasks.reduce((total: number, task: Record<string, number>) => total + (task[name] ?? 0), 0);

  assert.ok(tasks.length >= 3);
  assert.deepEqual(
    tasks.map(({ page_start }: { page_start: number }) => page_start),
    tasks.map((_: unknown, at: number) => at * 50 + 1),
  );
  assert.equal(tasks.at(-1).page_end, 300);
  assert.deepEqual([completed.length, started.length], [1, 1]);
  const { data } = completed[0].payload;
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
  const phase = (name: string) => processing.path.find((step: { phase: string }) => step.phase === name);
  assert.deepEqual(phase('content.extract').attributes.pages, 300);
  assert.equal(phase('embedding.generate').attributes.vectors, rows.length);
  const totalOf = (name: string): number =>
    traced
      .flatMap(({ trace }: { trace: { phase: string; duration_ms: number }[] }) => trace)
      .filter(({ phase: own }: { phase: string }) => own === name)
      .reduce((total: number, step: { duration_ms: number }) => total + step.duration_ms, 0);
  for (const { phase: name, duration_ms } of processing.path) assert.equal(duration_ms, totalOf(name));
  const hit = await best(key, index, 'keeper number 1216');
  assert.ok(
    hit.file.page_start <= 217 && hit.file.page_end >= 217,
    `found on pages ${hit.file.page_start} to ${hit.file.page_end}`,
  );
  assert.deepEqual(
    [data.job.filename, data.job.status, completed[0].payload.organization_id],
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
    [pilot.file.filename, pilot.file.page_start, pilot.metadata.heading_path],
    ['guide.md', null, ['Harbour', 'Pilots']],
  );
  assert.equal((await best(key, index, 'grandfather clock')).file.filename, 'note.txt');
  assert.equal((await best(key, index, 'rye dough')).file.filename, 'page.html');
});

test('a file that cannot be read fails with a reason, one without text completes with warnings', async () => {
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
  const { payload } = (await eventsOf(session, broken)).events.find(
    ({ event_type }: { event_type: string }) => event_type === 'file.processing.failed',
  );
  assert.deepEqual([payload.data.job.error, payload.data.job.error_code], [failed.error, 'processing_failed']);
  const empty = await upload(key, index, 'empty.txt', 'text/plain', Buffer.from(' \n'));
  assert.equal((await finished(key, index, empty)).status, 'completed_with_warnings');
  assert.deepEqual(await allVectors(key, index), []);
});

test('curl -T works with exactly the returned headers and with nothing else, and only once', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key, 256);
  const directory = await mkdtemp(join(tmpdir(), 'strata-curl-'));
  const content = 'A sentence to upload.\n';
  await writeFile(join(directory, 'good.txt'), content);
  await writeFile(join(directory, 'bad.txt'), content.replace('A', 'B'));
  const request = {
    filename: 'good.txt',
    content_type: 'text/plain',
    checksum_sha256: createHash('sha256').update(content).digest('hex'),
  };
  const job = (await call(key, 'POST', `/v1/indexes/${index}/files`, request)).body;
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

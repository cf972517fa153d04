import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { finished, upload } from './support/files.ts';
import { call, newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl, dataDirectory } = await startService();

interface Line {
  readonly request_id: string;
  readonly output: { readonly message?: string; readonly [name: string]: unknown };
}

/** Returns the structured lines. The end of a process leaves a line of text. */
const logLines = async (): Promise<readonly Line[]> =>
  (await readFile(join(dataDirectory, 'functions.log'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ output }) => typeof output === 'object');

test('a forbidden request is logged, and its response has the remaining rate limit', async () => {
  const { id, key } = await newOrganization(baseUrl);
  const [own, other] = [
    (await call(key, 'POST', '/v1/indexes', { name: 'own', dimensions: 8 })).body.id,
    (await call(key, 'POST', '/v1/indexes', { name: 'other', dimensions: 8 })).body.id,
  ];
  const made = (await call(key, 'POST', '/v1/api-keys', { name: 'narrow', permissions: ['read'], index_ids: [own] }))
    .body;
  const narrow = { baseUrl, bearer: made.token };
  const answers = [
    await call(narrow, 'DELETE', `/v1/indexes/${own}`),
    await call(narrow, 'GET', `/v1/indexes/${other}`),
    await call(narrow, 'GET', '/v1/indexes/idx_absent'),
  ];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [403, 'write_permission_required'],
      [403, 'index_not_allowed'],
      [404, 'not_found'],
    ],
  );
  for (const { headers, body } of answers) {
    assert.ok(Number(headers.get('ratelimit-remaining')) > 0);
    const lines = await eventually(logLines, (all) =>
      all.some(({ output }) => output['request_id'] === body.request_id),
    );
    const line = lines.find(({ output }) => output['request_id'] === body.request_id)?.output;
    assert.deepEqual([line?.['organization_id'], line?.['subject_id']], [id, made.id]);
  }
});

test('every request writes one structured line with its metrics, and no line contains a secret', async () => {
  const { id, key, session } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'logged', dimensions: 8 })).body.id;
  const client = (await call(session, 'POST', '/v1/oauth/clients', { name: 'logged' })).body;
  const hook = (
    await call(session, 'POST', '/v1/organization/webhooks/endpoints', { url: 'http://127.0.0.1:9/nobody' })
  ).body;
  const started = (
    await call(key, 'POST', `/v1/indexes/${index}/files`, { filename: 'a.txt', content_type: 'text/plain' })
  ).body;
  const job = await upload(key, index, 'b.txt', 'text/plain', Buffer.from('The ferryman waits.'));
  await finished(key, index, job);
  const refused = await call(key, 'GET', '/v1/indexes/idx_absent');
  await call({ baseUrl, bearer: `${key.bearer}x` }, 'GET', '/v1/indexes');

  const lines = await eventually(logLines, (all) =>
    all.some(({ output }) => output['request_id'] === refused.body.request_id),
  );
  const own = lines.filter(({ output }) => output['request_id'] === refused.body.request_id);
  assert.equal(own.length, 1);
  const output: Line['output'] = own[0]?.output ?? {};
  assert.deepEqual(
    [output['message'], output['service'], output['endpoint'], output['status'], output['organization_id']],
    ['request', 'get-index', 'get-index', 404, id],
  );
  assert.deepEqual([output['index_id'], typeof output['gateway_request_id']], ['idx_absent', 'string']);
  const figures = lines.find((line) => '_aws' in line.output && line.output['service'] === 'get-index')?.output;
  assert.deepEqual([figures?.['Requests'], figures?.['ServerErrors']], [1, 0]);
  assert.partialDeepStrictEqual(figures, { _aws: { CloudWatchMetrics: [{ Namespace: 'strata' }] } });

  const text = await readFile(join(dataDirectory, 'functions.log'), 'utf8');
  const signature = new URL(started.upload_url).searchParams.get('X-Amz-Signature');
  const secrets = [key.bearer, session.bearer, client.client_secret, hook.secret, signature];
  for (const secret of secrets) assert.ok(typeof secret === 'string' && secret !== '' && !text.includes(secret));
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { apiOf } from './support/api.ts';
import { startOwnService } from '../support/whole-service.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';

const [home, away] = ['us-east-1', 'eu-west-1'];
const { baseUrl, dataDirectory } = await startOwnService([home, away]);

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

test('a search of an unreadable index is a 503 with Retry-After, and is not counted', async () => {
  const { key, session, id: organizationId } = await newCustomer();
  for (const region of [home, away]) {
    const index = await createIndex(key, region);
    const buckets = await readdir(join(dataDirectory, 'vectors'));
    const bucket = buckets.find((name) => name.endsWith(region)) ?? '';
    const data = join(dataDirectory, 'vectors', bucket, organizationId, `${index}.lance`, 'data');
    // Versions of the table stay, their rows are gone.
    await rename(data, `${data}-away`);
    for (const mode of modes) {
      const answer = await call(key, 'POST', `/v1/indexes/${index}/search/${mode}`, { text: 'tea' });
      assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'], `${mode} in ${region}`);
      assert.equal(answer.headers.get('retry-after'), '1');
      assert.ok(!JSON.stringify(answer.body).includes('lance'), 'names of the engine stay inside');
    }
    await rename(`${data}-away`, data);
    const found = await call(key, 'POST', `/v1/indexes/${index}/search/sparse`, { text: 'tea' });
    assert.deepEqual([found.status, found.body.results[0]?.id], [200, 'tea']);
  }
  const { searches } = await apiOf(session).get('/v1/organization/usage', {});
  assert.deepEqual(searches, { dense: 0, sparse: 2, hybrid: 0 });
});

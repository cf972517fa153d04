import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createUserToken } from '#client';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { finished } from './support/files.ts';
import { apiOf } from './support/api.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const must = async (caller: Caller, method: string, url: string, body?: unknown): Promise<ApiAnswer['body']> => {
  const answer = await call(caller, method, url, body);
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const path = '/v1/organization/usage/values';

test('usage is counted by the values of the usage key that filters, rows and files have', async () => {
  const { session, key } = await newOrganization(baseUrl);
  const fields = { name: 'by customer', dimensions: 2, usage_key: 'tenant' };
  const { id: index, usage_key: usageKey } = await must(key, 'POST', '/v1/indexes', fields);
  assert.equal(usageKey, 'tenant');
  const search = (caller: Caller, filter?: object, more: object = {}) =>
    must(caller, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0], filter, ...more });
  const row = (id: string, tenant?: unknown) => ({ id, vector: [1, 0], metadata: { tenant } });
  const rows = [row('a:1', 'acme'), row('a:2', 'acme'), row('b:1', 'beta'), row('l', ['acme', 'beta']), row('n')];
  await must(key, 'POST', `/v1/indexes/${index}/vectors`, rows);
  const bounds = { filter: { tenant: 'acme' }, id_prefix: 'a:', index_ids: [index] };
  const made = await must(session, 'POST', '/v1/api-keys', { name: 'acme', ...bounds });
  const acme = { baseUrl, bearer: made.token };
  const token = (filter: Parameters<typeof createUserToken>[0]['filter']) =>
    createUserToken({ key: made.token, keyId: made.id, indexIds: [index], filter });
  // Writes of a caller count for the value that its rows get.
  await must(acme, 'POST', `/v1/indexes/${index}/vectors`, [row('a:3', 'beta'), row('a:4')]);
  await must(acme, 'POST', `/v1/indexes/${index}/vectors/delete`, { ids: ['a:4', 'b:1'] });
  await must(key, 'POST', `/v1/indexes/${index}/vectors/delete`, { filter: { tenant: { $eq: 'beta' }, other: 1 } });
  await search(key, { tenant: 'beta', year: { $gt: 1 } });
  await search(key, { $and: [{ tenant: { $eq: 'acme' } }, { year: 1 }] });
  await search(acme);
  await search({ baseUrl, bearer: await token(null) });
  // A filter that no row can match counts for no value, and names none of another customer.
  await search(acme, { tenant: 'beta' });
  await search({ baseUrl, bearer: await token({ tenant: 'beta' }) });
  await search(key);
  await search(key, { tenant: { $in: ['acme'] } });
  const batch = ['acme', 'beta'].map((tenant) => ({ mode: 'dense', vector: [1, 0], filter: { tenant } }));
  await must(key, 'POST', `/v1/indexes/${index}/search/batch`, { searches: batch });
  const file = { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('The cellar key is brass.') };
  const job = await apiOf(acme).uploadFile(index, file);
  await finished(acme, index, job.id);

  const valuesOf = async (caller: Caller): Promise<ApiAnswer['body']> => must(caller, 'GET', path);
  const figuresOf = (body: ApiAnswer['body']) =>
    body.map(({ index_id, value, searches, vectors_written, vectors_deleted, file_jobs }: ApiAnswer['body']) => [
      index_id === index,
      value,
      searches.dense,
      vectors_written,
      vectors_deleted,
      file_jobs,
    ]);
  const expected = [
    [true, 'acme', 4, 5, 1, 1],
    [true, 'beta', 2, 1, 0, 0],
  ];
  const values = await eventually(
    () => valuesOf(session),
    (body) => isDeepStrictEqual(figuresOf(body), expected),
  );
  assert.ok(values[0].embedding_tokens > 0 && values[0].estimated_cost_usd >= 0, JSON.stringify(values[0]));

  // The key of a customer sees neither the figures nor the key by which they are counted.
  assert.equal((await call(acme, 'GET', path)).status, 403);
  assert.equal((await must(acme, 'GET', `/v1/indexes/${index}`)).usage_key, undefined);
  const other = await must(key, 'POST', '/v1/indexes', { name: 'other', dimensions: 2 });
  const restricted = async (ids: readonly string[]): Promise<Caller> => ({
    baseUrl,
    bearer: (await must(session, 'POST', '/v1/api-keys', { name: 'restricted', index_ids: ids })).token,
  });
  const reader = await restricted([other.id, index]);
  assert.deepEqual(figuresOf(await valuesOf(reader)), expected);
  assert.deepEqual(figuresOf(await must(reader, 'GET', `${path}?index_id=${index}`)), expected);
  for (const url of [path, `${path}?index_id=${index}`])
    assert.deepEqual(await must(await restricted([other.id]), 'GET', url), []);
  const first = await call(reader, 'GET', `${path}?limit=1`);
  assert.equal(first.body[0].value, 'acme');
  const rest = await must(reader, 'GET', `${path}?cursor=${first.headers.get('x-next-cursor')}`);
  assert.deepEqual(
    rest.map(({ value }: ApiAnswer['body']) => value),
    ['beta'],
  );
});

test('the usage key of an index is a filterable key of its metadata, and can be changed and ended', async () => {
  const { key } = await newOrganization(baseUrl);
  const { id, usage_key: none } = await must(key, 'POST', '/v1/indexes', {
    name: 'plain',
    dimensions: 2,
    non_filterable_metadata_keys: ['body'],
  });
  assert.equal(none, undefined);
  const change = (usage_key: unknown) => call(key, 'PATCH', `/v1/indexes/${id}`, { usage_key });
  assert.equal((await change('tenant')).body.usage_key, 'tenant');
  assert.equal((await must(key, 'PATCH', `/v1/indexes/${id}`, { name: 'renamed' })).usage_key, 'tenant');
  const branch = await must(key, 'POST', `/v1/indexes/${id}/branches`, { name: 'branch' });
  assert.equal(branch.usage_key, 'tenant');
  assert.equal((await change(null)).body.usage_key, undefined);
  for (const invalid of ['body', 'a.b', '$a', '', 7]) {
    const { status, body } = await change(invalid);
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'usage_key']], String(invalid));
  }
  const created = await call(key, 'POST', '/v1/indexes', {
    name: 'x',
    usage_key: 'b',
    non_filterable_metadata_keys: ['b'],
  });
  assert.deepEqual([created.status, created.body.detail[0].loc], [422, ['body', 'usage_key']]);
});

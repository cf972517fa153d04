import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { apiOf } from './support/api.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { type Caller, call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const createIndex = async (key: Caller): Promise<string> => {
  const { status, body } = await call(key, 'POST', '/v1/indexes', {
    name: 'large',
    dimensions: 8,
    engine: 's3_vectors',
  });
  assert.deepEqual([status, body.engine], [201, 's3_vectors']);
  return body.id;
};

const unit = (position: number): number[] =>
  Array.from({ length: 8 }, (_, at) => (at === position ? 1 : 0.01 * (at + 1)));

/** Calls of one index. */
const callsOf = (key: Caller, index: string) => {
  const post = async (path: string, body: object) => {
    const answer = await call(key, 'POST', `/v1/indexes/${index}/${path}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  return {
    post,
    search: async (mode: string, body: object): Promise<string[]> =>
      (await post(`search/${mode}`, body)).results.map(({ id }: { readonly id: string }) => id),
  };
};

test('an index on Amazon S3 Vectors takes vectors and files, finds them in every mode, and deletes them', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key);
  const { post, search } = callsOf(key, index);
  const items = ['red apple orchard', 'green pear garden', 'blue whale ocean', 'yellow submarine harbour'].map(
    (text, at) => ({ id: `item-${at}`, vector: unit(at), text, metadata: { at, colour: text.split(' ')[0] } }),
  );
  const { version } = await post('vectors', items);
  assert.equal((await search('dense', { vector: unit(1), top_k: 2 }))[0], 'item-1');
  assert.deepEqual(await search('sparse', { text: 'whales' }), ['item-2']);
  assert.equal((await search('hybrid', { text: 'submarine', vector: unit(3) }))[0], 'item-3');
  const filter = { at: { $gte: 2 } };
  assert.deepEqual((await search('dense', { vector: unit(0), filter })).toSorted(), ['item-2', 'item-3']);
  assert.deepEqual((await post('vectors/fetch', { ids: ['item-3', 'none'] })).vectors[0].version, version);
  const job = await upload(key, index, 'tea.txt', 'text/plain', Buffer.from('Green tea is brewed at eighty degrees.'));
  const { status, vectors_written: written } = await finished(key, index, job);
  assert.deepEqual([status, written], ['completed', 1]);
  const [found] = await search('sparse', { text: 'brewed' });
  assert.ok(found?.startsWith(job));
  assert.equal((await allVectors(key, index)).length, 5);
  assert.deepEqual(await post('vectors/delete', { ids: ['item-0', 'none'] }), { deleted: 1 });
  assert.deepEqual(await post('vectors/delete', { filter: { colour: 'blue' } }), { deleted: 1 });
  const stats = await call(key, 'GET', `/v1/indexes/${index}/stats`);
  assert.equal(stats.body.vectors, 3);
  assert.equal((await call(key, 'DELETE', `/v1/indexes/${index}`)).status, 204);
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}`)).status, 404);
});

test('a request that Amazon S3 Vectors cannot serve names the feature, or the size of the row and the limit', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const index = await createIndex(key);
  const post = (path: string, body: object) => call(key, 'POST', `/v1/indexes/${index}/${path}`, body);
  const lacking = async (path: string, body: object): Promise<readonly [number, string, string]> => {
    const answer = await post(path, body);
    return [answer.status, answer.body.code, answer.body.feature];
  };
  const vector = unit(0);
  const status = [409, 'not_supported_by_engine'] as const;
  assert.deepEqual(await lacking('search/dense', { vector, exact: true }), [...status, 'exact_search']);
  assert.deepEqual(await lacking('search/sparse', { text: '"green tea"' }), [...status, 'phrases']);
  assert.deepEqual(await lacking('search/dense', { vector, filter: { a: { $gt: 'b' } } }), [...status, 'text_ranges']);
  assert.deepEqual(await lacking('recall', {}), [...status, 'recall']);
  assert.deepEqual(await lacking('search/dense', { vector, cursor: 'any' }), [...status, 'search_cursors']);
  const ordered = await call(key, 'GET', `/v1/indexes/${index}/vectors?order_by=a`);
  assert.deepEqual([ordered.status, ordered.body.feature], [409, 'ordered_lists']);
  const branch = await call(session, 'POST', `/v1/indexes/${index}/branches`, { name: 'branch' });
  assert.deepEqual([branch.status, branch.body.feature], [409, 'branches']);
  const some = Array.from({ length: 100 }, (_, at) => `value ${at}`);
  const large = await post('search/dense', { vector, filter: { a: { $in: some } } });
  assert.deepEqual([large.status, large.body.detail[0].loc], [422, ['body', 'filter']]);
  const rows = await post('vectors', [
    { id: 'small', vector },
    { id: 'large', vector, metadata: { some } },
  ]);
  assert.deepEqual([rows.status, rows.body.detail[0].loc], [422, ['body', 1]]);
  assert.match(rows.body.detail[0].msg, /\d+ bytes of filterable metadata.*at most 2048/);
  const stale = await post('vectors', [{ id: 'small', vector, if_version: 'rcp_0' }]);
  assert.deepEqual([stale.status, stale.body.conflicts], [409, [{ id: 'small', version: null }]]);
});

test('a replaced file on Amazon S3 Vectors is found by its new text alone, until it is deleted', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key);
  const { search } = callsOf(key, index);
  const old = await upload(key, index, 'tea.txt', 'text/plain', Buffer.from('Green tea is brewed at eighty degrees.'));
  await finished(key, index, old);
  const content = Uint8Array.from(Buffer.from('Black coffee is brewed at ninety degrees.'));
  const { id } = await apiOf(key).uploadFile(index, {
    filename: 'tea.txt',
    contentType: 'text/plain',
    content,
    replaces: old,
  });
  const job = await finished(key, index, id);
  assert.equal(job.status, 'completed');
  const found = await search('sparse', { text: 'brewed' });
  assert.deepEqual([found.length, found[0]?.startsWith(id)], [1, true]);
  assert.deepEqual(await search('sparse', { text: 'green' }), []);
  assert.equal((await call(key, 'DELETE', `/v1/indexes/${index}/files/${id}`)).status, 204);
  assert.deepEqual(await search('sparse', { text: 'brewed' }), []);
  const stats = await call(key, 'GET', `/v1/indexes/${index}/stats`);
  assert.deepEqual([stats.body.vectors, await allVectors(key, index)], [0, []]);
});

test('a change that names a thousand absent ids reports a hundred of them and does not delay the next', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key);
  const { post } = callsOf(key, index);
  await post('vectors', [{ id: 'present', vector: unit(0) }]);
  const absent = Array.from({ length: 999 }, (_, at) => ({ id: `${'x'.repeat(508)}${at}`, metadata: { at } }));
  const updated = await post('vectors/update', [{ id: 'present', metadata: { at: 1 } }, ...absent]);
  assert.deepEqual([updated.updated, updated.missing.length], [1, 100]);
  const conditional = absent.map((item) => ({ ...item, if_version: 'rcp_0' }));
  const { status, body } = await call(key, 'POST', `/v1/indexes/${index}/vectors/update`, conditional);
  assert.deepEqual([status, body.conflicts.length], [409, 100]);
  await post('vectors', [{ id: 'next', vector: unit(1) }]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/whole-service.ts';
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

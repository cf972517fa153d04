import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { finished, upload } from './support/files.ts';
import { type ApiAnswer, call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const done = async (asked: Promise<ApiAnswer>, wanted = 200): Promise<ApiAnswer['body']> => {
  const { status, body } = await asked;
  assert.equal(status, wanted, JSON.stringify(body));
  return body;
};

/** Creates an index, and follows its versions. */
const openIndex = async (more: object = {}) => {
  const { key } = await newOrganization(baseUrl);
  const created = { name: 'kept', dimensions: 4, distance_metric: 'euclidean', ...more };
  const index = (await done(call(key, 'POST', '/v1/indexes', created), 201)).id;
  const path = `/v1/indexes/${index}`;
  const post = (to: string, body: object, status = 200) => done(call(key, 'POST', `${path}/${to}`, body), status);
  return {
    key,
    index,
    path,
    post,
    upsert: (id: string, text: string) => post('vectors', [{ id, text, vector: [1, 2, 3, text.length] }]),
    /** Kept versions, newest first. */
    versions: async (): Promise<readonly { version: number; created_at: string; vectors: number }[]> =>
      done(call(key, 'GET', `${path}/versions`)),
    /** Ids and texts of the rows, as of a version if one is given. */
    rows: async (asOf?: number | string): Promise<readonly string[]> => {
      const query = asOf === undefined ? '' : `?as_of=${encodeURIComponent(asOf)}`;
      const found = await done(call(key, 'GET', `${path}/vectors${query}`));
      return found.map(({ id, text }: { id: string; text: string }) => `${id} ${text}`);
    },
  };
};

test('each read returns a former version by its number or time, and a restore makes it the content again', async () => {
  const { path, key, post, upsert, versions, rows } = await openIndex();
  await upsert('tea', 'green tea');
  await upsert('rail', 'the night train');
  const [before] = await versions();
  assert.ok(before !== undefined);
  assert.equal(before.vectors, 2);
  await upsert('tea', 'black coffee');
  await post('vectors/delete', { ids: ['rail'] });
  await upsert('new', 'a bicycle');
  const now = await rows();
  const former = ['rail the night train', 'tea green tea'];
  for (const asOf of [before.version, before.created_at]) {
    assert.deepEqual(await rows(asOf), former);
    const found = await post('search/sparse', { text: 'tea', as_of: asOf });
    assert.deepEqual(
      found.results.map(({ id }: { id: string }) => id),
      ['tea'],
    );
    const dense = await post('search/dense', { vector: [1, 2, 3, 9], top_k: 1, as_of: asOf, include: ['text'] });
    assert.equal(dense.results[0].text, 'green tea');
    assert.equal((await post('vectors/count', { as_of: asOf })).count, 2);
    assert.equal((await post('vectors/fetch', { ids: ['rail', 'new'], as_of: asOf })).vectors.length, 1);
  }
  assert.deepEqual(await rows(), now);
  assert.deepEqual((await post('search/sparse', { text: 'tea' })).results, []);

  const exported = await post('exports', { as_of: before.version }, 202);
  const report = await eventually(
    () => done(call(key, 'GET', `${path}/exports/${exported.id}`)),
    ({ status }: ApiAnswer['body']) => status === 'completed',
  );
  const lines = await (await fetch(report.parts[0].url)).text();
  assert.deepEqual(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).text),
    ['the night train', 'green tea'],
  );

  const [newest] = await versions();
  const restored = await post('restore', { as_of: before.version });
  assert.deepEqual(restored, { version: before.version, vectors_written: 2, vectors_deleted: 1, left_out: 0 });
  assert.deepEqual(await rows(), former);
  assert.equal((await post('search/sparse', { text: 'tea' })).results.length, 1);
  await upsert('later', 'written after the restore');
  // A restore is undone by another one.
  await post('restore', { as_of: newest?.version ?? 0 });
  assert.deepEqual(await rows(), now);
  const stats = await done(call(key, 'GET', `${path}/stats`));
  assert.equal(stats.vectors, now.length);
});

test('a version that was never kept is a 410, and an engine without versions a 409', async () => {
  const { post, path, key, upsert } = await openIndex();
  await upsert('tea', 'green tea');
  for (const asOf of [999_999, '2001-01-01T00:00:00Z']) {
    const { status, body } = await call(key, 'POST', `${path}/restore`, { as_of: asOf });
    assert.deepEqual([status, body.code], [410, 'version_not_kept']);
    assert.equal((await post('search/sparse', { text: 'tea', as_of: asOf }, 410)).code, 'version_not_kept');
  }
  const other = await openIndex({ engine: 's3_vectors' });
  const refused = await call(other.key, 'GET', `${other.path}/versions`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'not_supported_by_engine']);
});

test('a restore brings back neither rows of a deleted file nor expired ones, and a branch keeps its own', async () => {
  const { key, index, path, post, versions, rows } = await openIndex({
    embedding_model: 'default',
    dimensions: undefined,
  });
  const file = (name: string, text: string) => upload(key, index, name, 'text/plain', Buffer.from(text));
  const gone = await file('gone.txt', 'Green tea is brewed at eighty degrees.');
  const kept = await file('kept.txt', 'The night train leaves at nine.');
  for (const job of [gone, kept]) assert.equal((await finished(key, index, job)).status, 'completed');
  await post('vectors', [
    { id: 'forever', text: 'a bicycle' },
    { id: 'brief', text: 'a moment', expires_at: new Date(Date.now() + 4_000).toISOString() },
  ]);
  const [before] = await versions();
  const branch = (await post('branches', { name: 'try' }, 201)).id;
  await done(call(key, 'DELETE', `${path}/files/${gone}`), 204);
  await post('vectors/delete', { all: true });
  assert.deepEqual(await rows(), []);
  const restored = await post('restore', { as_of: before?.version });
  assert.equal(restored.left_out, 1);
  const texts = (found: readonly string[]) =>
    found.filter((row) => !row.startsWith('brief')).map((row) => row.split(' ').slice(1).join(' '));
  assert.deepEqual(texts(await rows()).toSorted(), ['The night train leaves at nine.', 'a bicycle']);
  const ofBranch = await done(call(key, 'GET', `/v1/indexes/${branch}/vectors`));
  assert.ok(ofBranch.some(({ text }: { text: string }) => text.includes('Green tea')));
});

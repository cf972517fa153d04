import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { denseSearch } from '../../functions/search/dense.ts';
import { createFile } from '../../functions/files/create.ts';
import { getIndexStats } from '../../functions/indexes/get-stats.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { maintenanceFailed } from '../../shared/kernel/log.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

test('only recent rows of a large index are unindexed, and no more than there are', async () => {
  Object.assign(app.cloud.runtime.config, { foldBytes: 1 });
  const index = await app.newIndex();
  const path = { index_id: index };
  const remove = (ids: readonly string[]) => app.call(deleteVectors, path, { ids });
  const figures = async () => {
    const { body } = await app.call(getIndexStats, path);
    return { vectors: body.vectors, unindexed: body.unindexed_vectors };
  };
  const write = (from: number, to: number) =>
    app.upsert(
      index,
      Array.from({ length: to - from }, (_, at) => ({ id: `row${from + at}`, vector: [1, 2, 3, at] })),
    );
  await write(0, 10);
  assert.deepEqual(await figures(), { vectors: 10, unindexed: 0 });
  await app.cloud.drain(indexBuilder);
  assert.deepEqual(await figures(), { vectors: 10, unindexed: 0 });
  await write(8, 14);
  assert.deepEqual(await figures(), { vectors: 14, unindexed: 6 });
  await remove(['row9', 'row10', 'row0']);
  assert.deepEqual(await figures(), { vectors: 11, unindexed: 4 });
  Object.assign(app.cloud.runtime.config, { foldBytes: undefined });
});

test('an index that is behind asks writers to wait, shows failed maintenance, and goes on after it', async () => {
  Object.assign(app.cloud.runtime.config, { foldBytes: 1 });
  const index = await app.newIndex();
  const path = { index_id: index };
  const write = (id: string) => app.upsert(index, [{ id, vector: [1, 2, 3, 4], text: 'green tea' }]);
  assert.equal((await write('a')).status, 200);
  const refused = await write('b');
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  // What removes rows, or does not wait for its caller, is applied.
  assert.equal((await app.call(deleteVectors, path, { ids: ['none'] })).status, 200);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const run = app.cloud.run();
  const log = { ...run.log, error: (message: string, fields = {}) => void lines.push({ message, ...fields }) };
  const deps = makeDeps(indexBuilder.uses, app.cloud.runtime);
  const { organizationId } = await app.record(index);
  const message = { organization_id: organizationId, index_id: index, work: 'due' };
  await app.cloud.purge('builds');
  for (let failure = 0; failure < 2; failure += 1)
    await indexBuilder.onExhausted({ message, deps, run: { ...run, log } });
  assert.deepEqual(
    lines.map((line) => [line['message'], line['index_id'], line[maintenanceFailed.failures]]),
    [1, 2].map((failures) => ['index.maintenance.failed', index, failures]),
  );
  const shown = async () => (await app.call(getIndexStats, path)).body.maintenance;
  const { reason, since, ...failing } = await shown();
  assert.deepEqual([failing, typeof reason], [{ status: 'failing', failures: 2 }, 'string']);
  assert.equal(since, run.clock.now().toISOString());
  app.cloud.advance(6 * 3_600);
  await app.cloud.tick(sweepFiles);
  await app.cloud.drain(indexBuilder);
  assert.deepEqual(await shown(), { status: 'ok', reason: null, failures: 0, since: null });
  assert.equal((await write('b')).status, 200);
  Object.assign(app.cloud.runtime.config, { foldBytes: undefined });
});

test('an index of the largest size takes deletions and no further content, which is refused before it is sent', async () => {
  const index = await app.newIndex();
  const path = { index_id: index };
  const items = ['a', 'b'].map((id) => ({ id, vector: [1, 2, 3, 4] }));
  assert.equal((await app.upsert(index, items)).status, 200);
  const { denseBytes: limit } = (await app.record(index)).state;
  Object.assign(app.cloud.runtime.config, { maxIndexBytes: limit });
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  for (const answer of [await app.upsert(index, items), await app.call(createFile, path, file)]) {
    const { code, limit: told, current } = answer.body;
    assert.deepEqual([answer.status, code, told, current], [409, 'index_full', limit, limit]);
  }
  assert.equal((await app.call(deleteVectors, path, { ids: ['a'] })).status, 200);
  assert.equal((await app.upsert(index, items.slice(0, 1))).status, 200);
});

test('an index that passes 80 % of its maximum warns once for each crossing, and shows how much is used', async () => {
  const index = await app.newIndex();
  const path = { index_id: index };
  // Ten rows of four numbers.
  Object.assign(app.cloud.runtime.config, { maxIndexBytes: undefined, maxIndexNumbers: 40 });
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({ id: `${from + at}`, vector: [1, 2, 3, 4] }));
  const warnings = () => app.events(index, 'index.capacity_warning');
  const ratio = async () => (await app.call(getIndexStats, path)).body.capacity.ratio;
  await app.upsert(index, rows(0, 7));
  assert.deepEqual([await ratio(), await warnings()], [0.7, 0]);
  await app.upsert(index, rows(7, 8));
  await app.upsert(index, rows(8, 9));
  assert.deepEqual([await ratio(), await warnings()], [0.9, 1]);
  await app.call(deleteVectors, path, { ids: ['0', '1'] });
  await app.upsert(index, [...rows(0, 2), ...rows(9, 10)]);
  assert.deepEqual([await ratio(), await warnings()], [1, 2]);
  const full = await app.upsert(index, rows(10, 11));
  assert.deepEqual([full.status, full.body.code, full.body.limit, full.body.current], [409, 'index_full', 40, 40]);
  assert.match(full.body.detail, /it has 40 numbers in its vectors/);
  Object.assign(app.cloud.runtime.config, { maxIndexNumbers: undefined });
});

test('an exact search that cannot read all rows in its time is refused by name, and another one is to be repeated', async () => {
  const index = await app.newIndex();
  const path = { index_id: index };
  await app.upsert(index, [{ id: 'a', vector: [1, 2, 3, 4] }]);
  const body = { vector: [1, 2, 3, 4] };
  Object.assign(app.cloud.runtime.config, { readMs: 0 });
  const exact = await app.call(denseSearch, path, { ...body, exact: true });
  assert.deepEqual([exact.status, exact.body.code], [409, 'search_too_large']);
  assert.match(exact.body.detail, /Search without `exact`, or divide the rows/);
  const other = await app.call(denseSearch, path, body);
  assert.deepEqual([other.status, other.body.code], [503, 'unavailable']);
  Object.assign(app.cloud.runtime.config, { readMs: 22_000 });
  assert.equal((await app.call(denseSearch, path, { ...body, exact: true })).body.results[0].id, 'a');
});

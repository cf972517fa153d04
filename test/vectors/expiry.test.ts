import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFile } from '../../functions/files/create.ts';
import { getFile } from '../../functions/files/get.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { updateIndex } from '../../functions/indexes/update.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectorsByFilter } from '../../functions/vectors/update-by-filter.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { neverExpires } from '../../shared/indexes/index.ts';
import { laterBy } from '../../shared/kernel/clock.ts';
import { hourMs } from '../../shared/kernel/durations.ts';
import type { Filter } from '#engine';
import { everyPoint } from '../support/every-point.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const hourSeconds = 3_600;
const vector = [1, 2, 3, 4];
/** Requests between two points to die at. */
const step = Number(process.env['STEP'] ?? 7);

const inSeconds = (seconds: number): string => laterBy(app.cloud.runtime.clock.now(), seconds * 1_000).toISOString();

const count = async (index: string, filter?: Filter): Promise<number> =>
  app.engine().count(await app.ref(index), filter);

const ids = async (index: string): Promise<readonly string[]> => (await app.rows(index)).map(({ id }) => id);

const sweep = async (): Promise<void> => {
  await app.cloud.tick(sweepFiles);
  await app.work();
};

test('a row is absent from its expiry on, to reads, conditions and branches, and its storage is free an hour later', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [
    { id: 'kept', vector },
    { id: 'timed', vector, metadata: { topic: 'tea' }, expires_at: inSeconds(60) },
    { id: 'lived', vector, metadata: { topic: 'tea' }, ttl_seconds: 60 },
    { id: 'longer', vector, ttl_seconds: 7 * hourSeconds },
  ]);
  const branch = await app.newBranch(index);
  const [kept, , , timed] = await app.rows(index);
  assert.deepEqual([kept?.expiresAt, kept?.metadata], [undefined, {}]);
  assert.deepEqual([timed?.expiresAt, timed?.metadata], [Date.parse(inSeconds(60)), { topic: 'tea' }]);
  app.cloud.advance(59);
  assert.deepEqual(await ids(index), ['kept', 'lived', 'longer', 'timed']);
  app.cloud.advance(1);
  for (const one of [index, branch]) {
    assert.deepEqual(await ids(one), ['kept', 'longer']);
    assert.deepEqual([await count(one), await count(one, { topic: 'tea' })], [2, 0]);
  }
  const patched = await app.call(updateVectors, { index_id: index }, [{ id: 'timed', metadata: { topic: 'coffee' } }]);
  assert.deepEqual(patched.body.missing, ['timed']);
  const deleted = await app.call(deleteVectors, { index_id: index }, { ids: ['lived', 'kept'] });
  assert.equal(deleted.body.deleted, 1);
  const again = await app.upsert(index, [{ id: 'timed', vector, if_version: null }]);
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.deepEqual(await ids(index), ['longer', 'timed']);
  assert.equal((await app.record(index)).state.rows, 3, 'the expired row still counts');
  await sweep();
  assert.equal((await app.record(index)).state.rows, 2);
  assert.equal((await app.record(branch)).state.rows, 2);
  app.cloud.advance(8 * hourSeconds);
  for (let looks = 0; looks < 2; looks += 1) {
    await sweep();
    app.cloud.advance(hourSeconds);
  }
  const { state, expiresFrom } = await app.record(index);
  assert.deepEqual([state.rows, expiresFrom], [1, neverExpires]);
});

test('an expiry is changed by an update, and a promotion never brings an expired row back', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [
    { id: 'a', vector, metadata: { group: 'one' }, ttl_seconds: 60 },
    { id: 'b', vector, metadata: { group: 'one' } },
  ]);
  const branch = await app.newBranch(index);
  await app.call(updateVectors, { index_id: index }, [{ id: 'a', metadata: {}, expires_at: null }]);
  const byFilter = { filter: { group: 'one' }, metadata: { seen: true }, expires_at: inSeconds(120) };
  await app.call(updateVectorsByFilter, { index_id: branch }, byFilter);
  app.cloud.advance(119);
  assert.deepEqual(
    [await ids(index), await ids(branch)],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  );
  app.cloud.advance(1);
  assert.deepEqual([await ids(index), await ids(branch)], [['a', 'b'], []]);
  assert.equal((await app.call(promoteIndex, { index_id: branch }, { parent_changes: 'keep' })).status, 200);
  assert.deepEqual(await ids(index), []);
  const past = await app.upsert(index, [{ id: 'c', vector, expires_at: inSeconds(-1) }]);
  const both = await app.upsert(index, [{ id: 'c', vector, expires_at: inSeconds(9), ttl_seconds: 9 }]);
  const reserved = await app.upsert(index, [{ id: 'c', vector, metadata: { $expires_at: 1 } }]);
  assert.deepEqual([past.status, both.status, reserved.status], [422, 422, 422]);
});

test('an index says when rows and files expire that say nothing else', async () => {
  const index = await app.newIndex();
  const set = await app.call(updateIndex, { index_id: index }, { ttl_seconds: 60 });
  assert.equal(set.body.ttl_seconds, 60);
  await app.upsert(index, [
    { id: 'default', vector },
    { id: 'never', vector, expires_at: null },
    { id: 'own', vector, ttl_seconds: 120 },
  ]);
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  const own = await app.call(createFile, { index_id: index }, { ...file, expires_at: inSeconds(hourSeconds) });
  const job = await app.call(createFile, { index_id: index }, file);
  const stored = await app.call(getFile, { index_id: index, job_id: job.body.id });
  assert.equal(stored.body.expires_at, inSeconds(60));
  app.cloud.advance(60);
  assert.deepEqual(await ids(index), ['never', 'own']);
  await sweep();
  const gone = await app.call(getFile, { index_id: index, job_id: job.body.id });
  const left = await app.call(getFile, { index_id: index, job_id: own.body.id });
  assert.deepEqual([gone.status, left.status], [404, 200]);
});

test('a file that expires is removed once, with one event, wherever the sweep dies', async () => {
  const points = await everyPoint({ step }, async (fault) => {
    const index = await app.newIndex();
    const body = { filename: 'a.txt', content_type: 'text/plain', ttl_seconds: 60 };
    const path = { index_id: index, job_id: (await app.call(createFile, { index_id: index }, body)).body.id };
    app.cloud.advance(60);
    const reached = await app.dieAt(fault, sweep);
    await app.recover();
    for (let looks = 0; looks < 3; looks += 1) {
      app.cloud.advance(hourMs / 4_000);
      await sweep();
    }
    await app.recover();
    assert.equal((await app.call(getFile, path)).status, 404);
    assert.equal(await app.events(index, 'file.expired'), 1);
    return reached;
  });
  assert.ok(points > 3, `${points} points`);
});

test('a deletion of all rows counts none that has expired', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [
    { id: 'kept', vector },
    { id: 'timed', vector, expires_at: inSeconds(60) },
  ]);
  app.cloud.advance(60);
  const deleted = await app.call(deleteVectors, { index_id: index }, { all: true });
  assert.equal(deleted.body.deleted, 1);
  assert.equal((await app.record(index)).state.rows, 0);
});

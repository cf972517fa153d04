import assert from 'node:assert/strict';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { BuildMessage } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { seededNumbers } from '../../packages/engine/test/support/index-bench.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** The most that an index has, so that few rows are enough for a vector index. */
const dimensions = 4_096;
const hourSeconds = 3_600;
const next = seededNumbers(23);
/** Of the requests at which the writer could die, one in so many; 1 for each. */
const step = Number(process.env['FAULT_STEP'] ?? 47);

const vectorOf = (): Buffer => Buffer.from(Float32Array.from({ length: dimensions }, next).buffer);

const write = async (index: string, items: readonly (readonly [id: string, vector: Buffer])[]): Promise<void> => {
  const { status } = await app.upsert(
    index,
    items.map(([id, vector]) => ({ id, text: `of ${id}`, vector: vector.toString('base64') })),
  );
  assert.equal(status, 200);
};

const rowsFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, at) => [`row${start + at}`, vectorOf()] as const);

/** Files of an index in which a vector stands. */
const holding = async (index: string, vector: Buffer): Promise<number> => {
  const directory = app.cloud.runtime.config.vectorsDirectory ?? '';
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.includes(index));
  const contents = await Promise.all(names.map((name) => readFile(join(directory, name)).catch(() => Buffer.of())));
  return contents.filter((content) => content.includes(vector.subarray(0, 256))).length;
};

/** Makes the files of an index older, which have no driven clock. */
const age = async (index: string, seconds: number): Promise<void> => {
  const directory = app.cloud.runtime.config.vectorsDirectory ?? '';
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const at = new Date(Date.now() - seconds * 1_000);
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile() && entry.parentPath.includes(index)))
    await utimes(join(parentPath, name), at, at);
};

/** The sweep looks, and the builder does what it is asked for. Returns whether that was maintenance of an index. */
const sweep = async (index: string): Promise<boolean> => {
  await app.cloud.tick(sweepFiles);
  const deps = makeDeps(indexBuilder.uses, app.cloud.runtime);
  const asked = app.cloud.take('builds').map(({ body }) => BuildMessage.parse(body));
  for (const message of asked)
    await indexBuilder.handle({ deliveries: [{ message, messageId: '1', attempt: 1 }], deps, run: app.cloud.run() });
  return asked.some(({ index_id, work }) => index_id === index && work === 'purge');
};

/** Simulates a day without writes. Returns how often maintenance was requested. */
const day = async (index: string): Promise<number> => {
  let runs = 0;
  for (let look = 0; look < 4; look += 1) {
    app.cloud.advance(6 * hourSeconds);
    runs += (await sweep(index)) ? 1 : 0;
  }
  return runs;
};

const remove = async (index: string, ids: readonly string[]): Promise<void> => {
  const { status } = await app.call(deleteVectors, { index_id: index }, { ids });
  assert.equal(status, 200);
};

it('what is deleted or written over leaves the files of an index within a day, and nothing is asked for after that', async () => {
  const index = await app.newIndex(dimensions, { version_days: 0 });
  const [deleted, old, kept] = [vectorOf(), vectorOf(), vectorOf()];
  await write(index, [...rowsFrom(0, 30), ['deleted', deleted], ['changed', old], ['kept', kept]]);
  // The first version of an index is replaced too.
  assert.equal(await day(index), 4);
  await remove(index, ['deleted']);
  await write(index, [['changed', vectorOf()]]);
  assert.ok((await holding(index, deleted)) > 0 && (await holding(index, old)) > 0);
  assert.equal(await sweep(index), false, 'not at once');
  assert.equal(await day(index), 4);
  assert.deepEqual([await holding(index, deleted), await holding(index, old)], [0, 0]);
  assert.ok((await holding(index, kept)) > 0);
  assert.equal((await app.rows(index)).length, 32);
  assert.equal(await day(index), 0);
});

it('a deleted vector leaves the table of a large index too', async () => {
  const index = await app.newIndex(dimensions, { version_days: 0 });
  const deleted = vectorOf();
  await write(index, [['deleted', deleted], ...rowsFrom(0, 99)]);
  for (let start = 100; start < 300; start += 100) await write(index, rowsFrom(start, 100));
  await app.cloud.drain(indexBuilder);
  assert.equal((await app.record(index)).state.unindexedRows, 0);
  assert.ok((await holding(index, deleted)) > 0);
  await remove(index, ['deleted']);
  await day(index);
  assert.equal(await holding(index, deleted), 0);
  assert.equal((await app.rows(index)).length, 299);
});

it('rows that a branch is based on stay, and leave within a day of the deletion of the branch', async () => {
  const index = await app.newIndex(dimensions, { version_days: 0 });
  const deleted = vectorOf();
  await write(index, [['deleted', deleted], ...rowsFrom(0, 20)]);
  const branch = await app.newBranch(index);
  await app.work();
  await remove(index, ['deleted']);
  await day(index);
  assert.ok((await holding(index, deleted)) > 0);
  assert.ok((await app.rows(branch)).some(({ id }) => id === 'deleted'));
  assert.equal(await day(index), 0);
  await app.call(deleteIndex, { index_id: branch });
  await app.recover();
  assert.ok((await day(index)) > 0);
  assert.equal(await holding(index, deleted), 0);
});

it('rows that kept versions have leave a day after these', async () => {
  const index = await app.newIndex(dimensions, { version_days: 1 });
  const deleted = vectorOf();
  await write(index, [['deleted', deleted], ...rowsFrom(0, 20)]);
  await age(index, hourSeconds);
  await remove(index, ['deleted']);
  for (let looks = 0; looks < 3; looks += 1) {
    app.cloud.advance(6 * hourSeconds);
    await sweep(index);
  }
  assert.ok((await holding(index, deleted)) > 0);
  for (let days = 0; days < 2; days += 1) await day(index);
  assert.equal(await holding(index, deleted), 0);
  assert.equal((await app.rows(index)).length, 20);
});

it('wherever the writer dies', async () => {
  let points = 0;
  for (let request = 1, reached = true; reached; request += step, points += 1) {
    const index = await app.newIndex(dimensions, { version_days: 0 });
    const deleted = vectorOf();
    await write(index, [['deleted', deleted], ...rowsFrom(0, 5)]);
    const kind = points % 2 === 0 ? 'not applied' : 'reply lost';
    reached = await app.dieAt({ request, kind }, () => remove(index, ['deleted']));
    await app.recover();
    const isGone = (await app.rows(index)).length === 5;
    await day(index);
    assert.equal((await holding(index, deleted)) === 0, isGone, `died at request ${request}`);
  }
  assert.ok(points > 1, `${points} points`);
});

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { BuildMessage, indexesWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { seededNumbers } from '../../packages/engine/test/support/index-bench.ts';
import { everyPoint } from '../support/every-point.ts';
import { contentOf, type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
  // An index gets a table after a few rows.
  Object.assign(app.cloud.runtime.config, { foldBytes: 1_000_000 });
});
after(() => app.close());

/** Each row has 16 KB, so that few rows are enough. */
const dimensions = 4_096;
const next = seededNumbers(11);
/** Of the requests at which the builder could die, one in so many; 1 for each. */
const step = Number(process.env['FAULT_STEP'] ?? 7);

const itemsFrom = (start: number, count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `row${start + at}`,
    text: `row ${start + at}`,
    vector: Buffer.from(Float32Array.from({ length: dimensions }, next).buffer).toString('base64'),
  }));

const write = async (index: string, start: number, count: number): Promise<void> => {
  const { status } = await app.upsert(index, itemsFrom(start, count));
  assert.equal(status, 200);
};

const build = (): Promise<number> => app.cloud.drain(indexBuilder);

const handle = async (message: BuildMessage, messageId: string): Promise<void> => {
  const deps = makeDeps(indexBuilder.uses, app.cloud.runtime);
  await indexBuilder.handle({ deliveries: [{ message, messageId, attempt: 1 }], deps, run: app.cloud.run() });
};

/** Takes what the builder is asked for. */
const requests = (): readonly BuildMessage[] => app.cloud.take('builds').map(({ body }) => BuildMessage.parse(body));

const nearestTo = async (index: string, id: string): Promise<readonly string[]> => {
  const [row] = await app.engine().fetch(await app.ref(index), [id], true);
  const vector = row?.vector ?? new Float32Array(dimensions);
  const hits = await app.engine().search(await app.ref(index), { mode: 'dense', vector, topK: 10 });
  return hits.map((hit) => hit.row.id);
};

it('folds a grown index into its table beside the log, and asks for no more', async () => {
  const index = await app.newIndex(dimensions);
  await write(index, 0, 30);
  assert.equal((await app.record(index)).state.maintenance, 'none');
  assert.equal(await build(), 0);
  await write(index, 30, 30);
  assert.equal((await app.record(index)).state.maintenance, 'due');
  assert.equal(await build(), 1);
  await write(index, 60, 20);
  const { state, maintenanceLease, maintainedVersion, layers } = await app.record(index);
  assert.deepEqual([state.rows, state.unindexedRows, state.maintenance, maintenanceLease], [80, 20, 'none', null]);
  assert.ok(maintainedVersion > 0 && maintainedVersion < layers[0].version);
  for (const id of ['row10', 'row70']) {
    const found = await nearestTo(index, id);
    assert.deepEqual([found.length, found[0]], [10, id]);
  }
  assert.equal(await build(), 0);
});

it('folds fewer rows once writes pause, without another one', async (context) => {
  const { config } = app.cloud.runtime;
  const { foldBytes } = config;
  context.after(() => Object.assign(config, { foldBytes }));
  Object.assign(config, { foldBytes: 100_000 });
  const index = await app.newIndex(dimensions);
  const need = async (): Promise<string> => (await app.record(index)).state.maintenance;
  /** The sweep after some seconds, and how many builds it requested. */
  const sweepAfter = async (seconds: number): Promise<number> => {
    app.cloud.advance(seconds);
    await app.cloud.tick(sweepFiles);
    return build();
  };
  await write(index, 0, 60);
  await build();
  await write(index, 60, 2);
  assert.equal(await need(), 'none');
  await write(index, 62, 4);
  assert.equal(await need(), 'paused');
  assert.equal(await sweepAfter(50), 0);
  assert.equal(await sweepAfter(20), 1);
  assert.deepEqual([await need(), (await app.record(index)).state.unindexedRows], ['none', 0]);
  assert.equal(await sweepAfter(120), 0);
  assert.equal((await app.rows(index)).length, 66);
});

it('does not double the work of another message, and repeats that of a run that died', async () => {
  const index = await app.newIndex(dimensions);
  await write(index, 0, 60);
  const [message, ...others] = requests();
  assert.ok(message !== undefined);
  assert.deepEqual(others, []);
  const { indexes } = makeDeps({ indexes: indexesWrite }, app.cloud.runtime);
  const until = new Date(app.cloud.runtime.clock.now().getTime() + 60_000).toISOString();
  assert.ok(await indexes.leaseMaintenance(await app.record(index), { id: 'first', until }));
  // Commits ask for nothing as long as a builder is at it.
  await write(index, 60, 5);
  assert.deepEqual(requests(), []);
  await handle(message, 'second');
  assert.equal((await app.record(index)).state.maintenance, 'due');
  await handle(message, 'first');
  const { state, maintenanceLease } = await app.record(index);
  assert.deepEqual([state.maintenance, maintenanceLease], ['none', null]);
  await handle(message, 'second');
  assert.equal((await app.rows(index)).length, 65);
});

it('ends in the same rows wherever the builder or a commit beside it dies', async (t) => {
  const points = await everyPoint({ step, lostFrom: 1 + step }, async (fault) => {
    const index = await app.newIndex(dimensions);
    await write(index, 0, 60);
    const before = contentOf(await app.rows(index));
    const reached = await app.dieAt(fault, build);
    await app.recover();
    assert.deepEqual(contentOf(await app.rows(index)), before);
    app.cloud.advance(3_600);
    await write(index, 60, 1);
    await build();
    const { state, maintenanceLease } = await app.record(index);
    assert.deepEqual([state.rows, state.maintenance, maintenanceLease], [61, 'none', null], `request ${fault.request}`);
    assert.deepEqual((await app.rows(index)).length, 61);
    await app.cloud.purge('builds');
    return reached;
  });
  t.diagnostic(`${points} crash points`);
});

it('leaves nothing of an index that is deleted while it is built', async () => {
  const index = await app.newIndex(dimensions);
  await write(index, 0, 60);
  const directory = app.cloud.runtime.config.vectorsDirectory ?? '';
  const files = async (): Promise<number> =>
    (await readdir(directory, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && `${entry.parentPath}/${entry.name}`.includes(index),
    ).length;
  assert.ok((await files()) > 0);
  // Whichever of the two is faster.
  await Promise.allSettled([build(), app.call(deleteIndex, { index_id: index })]);
  await app.recover();
  await build();
  assert.equal(await files(), 0);
});

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { getIndexStats } from '../../functions/indexes/get-stats.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { BuildMessage, type IndexBuild, quietSeconds } from '../../shared/indexes/index.ts';
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
const next = seededNumbers(11);
/** Of the requests at which the writer could die, one in so many; 1 for each. */
const step = Number(process.env['FAULT_STEP'] ?? 407);

const itemsFrom = (start: number, count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `row${start + at}`,
    // Fresh texts are what maintenance comes for soonest.
    text: `row ${start + at}`,
    vector: Buffer.from(Float32Array.from({ length: dimensions }, next).buffer).toString('base64'),
  }));

const write = async (index: string, start: number, count: number): Promise<void> => {
  const { status } = await app.upsert(index, itemsFrom(start, count));
  assert.equal(status, 200);
};

/** An index that has come to want a vector index. */
const filledIndex = async (): Promise<string> => {
  const index = await app.newIndex(dimensions);
  for (let start = 0; start < 300; start += 100) await write(index, start, 100);
  await app.work();
  return index;
};

const buildOf = async (index: string): Promise<IndexBuild | null> => (await app.record(index)).build;

const build = (): Promise<number> => app.cloud.drain(indexBuilder);

it('maintains soon where texts are fresh, and later where rows have vectors alone', async () => {
  const maintained = async (text: string | null): Promise<boolean> => {
    const index = await app.newIndex(4);
    const items = Array.from({ length: 90 }, (_, at) => ({ id: `row${at}`, vector: [1, at, 2, 3], text }));
    for (let start = 0; start < 90; start += 30) await app.upsert(index, items.slice(start, start + 30));
    await app.work();
    return (await app.record(index)).maintainedVersion > 0;
  };
  assert.deepEqual([await maintained('green tea'), await maintained(null)], [true, false]);
});

it('builds beside the log, which waits with maintenance but not with writes', async () => {
  const index = await filledIndex();
  assert.equal((await buildOf(index))?.state, 'running');
  await write(index, 300, 60);
  await app.work();
  const { state } = await app.record(index);
  assert.equal(state.rows, 360);
  assert.ok(state.unindexedRows >= 60);
  assert.equal(await build(), 1);
  await app.work();
  const after = await app.record(index);
  assert.deepEqual([after.build, after.state.unindexedRows, after.state.rows], [null, 0, 360]);
  assert.equal(after.builtRows, 360);
  const [row] = await app.engine().fetch(await app.ref(index), ['row310'], true);
  const hits = await app.engine().search(await app.ref(index), {
    mode: 'dense',
    vector: row?.vector ?? new Float32Array(dimensions),
    topK: 10,
  });
  assert.deepEqual([hits.length, hits[0]?.row.id], [10, 'row310']);
  // The work is done: nothing asks for another build.
  await write(index, 360, 60);
  await app.work();
  assert.equal(await build(), 0);
});

/** Takes what the builder is asked to look at later of an index. */
const looksAt = (index: string): readonly BuildMessage[] =>
  app.cloud.take('builds').flatMap(({ body, delayMs }) => {
    const message = BuildMessage.parse(body);
    if (message.index_id !== index) return [];
    assert.equal(delayMs, quietSeconds * 1_000);
    return message;
  });

const handle = async (message: BuildMessage): Promise<void> => {
  const deps = makeDeps(indexBuilder.uses, app.cloud.runtime);
  await indexBuilder.handle({ deliveries: [{ message, messageId: '1', attempt: 1 }], deps, run: app.cloud.run() });
};

it('rebuilds an index that has grown, once writes to it have stopped', async () => {
  const index = await filledIndex();
  await build();
  await app.work();
  assert.deepEqual(looksAt(index), []);
  await write(index, 300, 60);
  await app.work();
  const [first] = looksAt(index);
  assert.ok(first?.op === 'look');
  await handle(first);
  const [again, ...more] = looksAt(index);
  assert.deepEqual([again, more], [first, []]);
  app.cloud.advance(quietSeconds);
  await handle({ ...first, version: first.version - 1 });
  await app.work();
  assert.deepEqual([looksAt(index), await buildOf(index)], [[], null]);
  await handle(first);
  await app.work();
  assert.equal((await buildOf(index))?.state, 'running');
  assert.equal(await build(), 1);
  await app.work();
  assert.deepEqual([looksAt(index), await buildOf(index)], [[], null]);
});

it('records between which versions no row has changed, across repeated maintenance and after a commit', async () => {
  const index = await filledIndex();
  const told = async () => {
    const { layers, maintainedVersion, unchanged } = await app.record(index);
    return { version: layers[0].version, maintainedVersion, unchanged };
  };
  const first = await told();
  const { from } = first.unchanged;
  assert.ok(from > 0 && from < first.version);
  assert.equal(await build(), 1);
  await app.work();
  const second = await told();
  assert.deepEqual(
    [second.version > first.version, second.maintainedVersion, second.unchanged],
    [true, second.version, { from, to: second.version }],
  );
  assert.deepEqual((await app.ref(index)).unchanged, second.unchanged);
  await write(index, 300, 1);
  const third = await told();
  assert.deepEqual(third, { ...second, version: third.version });
  assert.ok(third.version > second.version);
});

it('collects more vectors without texts while they are written, and maintains them once writes have stopped', async () => {
  const index = await app.newIndex(dimensions);
  const only = itemsFrom(0, 2_370).map((item) => ({ ...item, text: null }));
  const add = async (from: number, to: number): Promise<void> => {
    for (let start = from; start < to; start += 200) {
      const { status } = await app.upsert(index, only.slice(start, Math.min(to, start + 200)));
      assert.equal(status, 200);
    }
  };
  const unindexed = async (): Promise<number> => (await app.record(index)).state.unindexedRows;
  // Of so many rows a fifth is more than 366, which have 1.5 million numbers.
  await add(0, 1_950);
  await app.recover();
  await build();
  await app.recover();
  assert.deepEqual([await unindexed(), looksAt(index)], [0, []]);
  const { maintainedVersion } = await app.record(index);
  await add(1_950, 2_150);
  await app.work();
  assert.deepEqual([await unindexed(), looksAt(index)], [200, []]);
  await add(2_150, 2_350);
  const [look, ...more] = looksAt(index);
  assert.deepEqual([look, more.length], [{ ...look, op: 'look', version: maintainedVersion }, 0]);
  await add(2_350, 2_370);
  await app.work();
  assert.deepEqual([await unindexed(), looksAt(index)], [420, []]);
  assert.ok(look !== undefined);
  app.cloud.advance(quietSeconds);
  await handle(look);
  await app.work();
  assert.deepEqual([await unindexed(), (await buildOf(index))?.state], [0, 'running']);
  await app.cloud.purge('builds');
});

it('ends in the same index wherever the writer or the builder dies', async () => {
  let points = 0;
  for (let request = 1, reached = true; reached; request += step, points += 1) {
    const index = await app.newIndex(dimensions);
    await write(index, 0, 100);
    await write(index, 100, 100);
    // With these it comes to want a vector index.
    const items = itemsFrom(200, 100);
    const kind = request % 2 === 0 ? 'not applied' : 'reply lost';
    reached = await app.dieAt({ request, kind }, () => app.upsert(index, items));
    await app.recover();
    await write(index, 200, 100);
    await app.dieAt({ request: (points % 4) + 1, kind }, build);
    await app.recover();
    await build();
    await app.recover();
    const { state, build: left } = await app.record(index);
    assert.deepEqual([left, state.rows, state.unindexedRows], [null, 300, 0], `died at request ${request}`);
  }
  assert.ok(points * step > 20, `${points} points`);
});

it('leaves nothing of an index that is deleted while it is built', async () => {
  const index = await filledIndex();
  const directory = app.cloud.runtime.config.vectorsDirectory ?? '';
  const files = async (): Promise<number> =>
    (await readdir(directory, { recursive: true })).filter((name) => name.includes(index)).length;
  assert.ok((await files()) > 0);
  // Whichever of the two is faster.
  await Promise.allSettled([build(), app.call(deleteIndex, { index_id: index })]);
  await app.recover();
  await build();
  assert.equal(await files(), 0);
});

it('goes on with maintenance after a build that failed for good, and tries another after six hours', async () => {
  const index = await filledIndex();
  const running = await buildOf(index);
  assert.ok(running !== null);
  const { organizationId } = await app.record(index);
  const message: BuildMessage = {
    op: 'build',
    organization_id: organizationId,
    index_id: index,
    build_id: running.id,
  };
  await app.cloud.purge('builds');
  const deps = makeDeps(indexBuilder.uses, app.cloud.runtime);
  await indexBuilder.onExhausted({ message, deps, run: app.cloud.run() });
  await app.work();
  assert.equal((await buildOf(index))?.state, 'failed');
  const stats = async () => (await app.call(getIndexStats, { index_id: index })).body.maintenance;
  const since = app.cloud.runtime.clock.now().toISOString();
  const { reason, ...failing } = await stats();
  assert.deepEqual([failing, typeof reason], [{ status: 'failing', failures: 1, since }, 'string']);
  await write(index, 300, 60);
  await app.work();
  assert.deepEqual([(await app.record(index)).state.unindexedRows, await build()], [0, 0]);
  app.cloud.advance(6 * 3_600 + 1);
  await write(index, 360, 60);
  await app.work();
  assert.equal((await buildOf(index))?.state, 'running');
  assert.equal(await build(), 1);
  await app.work();
  assert.equal(await buildOf(index), null);
  assert.deepEqual(await stats(), { status: 'ok', reason: null, failures: 0, since: null });
  // A late message finds no build that waits for it.
  const { version } = (await app.ref(index)).layers[0];
  await handle(message);
  assert.deepEqual([(await app.ref(index)).layers[0].version, await buildOf(index)], [version, null]);
});

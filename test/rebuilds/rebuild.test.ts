import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { createRebuild } from '../../functions/rebuilds/create.ts';
import { deleteRebuild } from '../../functions/rebuilds/delete.ts';
import { getRebuild } from '../../functions/rebuilds/get.ts';
import { rollBackRebuild } from '../../functions/rebuilds/roll-back.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { rebuildIndex } from '../../functions/workers/rebuild-index/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { letterModels, rowsOfFile, whileWaiting, writeFile } from './explore.ts';
import { everyPoint } from '../support/every-point.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { randomFrom } from '../support/random.ts';
import { type Answer, contentOf, openTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp(letterModels);
});
after(() => app.close());

/** Requests between two points to die at. The suite of rebuilds takes all of them. */
const step = Number(process.env['STEP'] ?? 25);

const rowCount = 40;
const rowsOf = (text: string) =>
  Array.from({ length: rowCount }, (_, at) => ({
    id: `row-${String(at).padStart(2, '0')}`,
    vector: [at, 1, 2, 3],
    text,
  }));

/** Runs the worker of rebuilds until no message waits. */
const runRebuilds = (): Promise<number> =>
  app.cloud.drain(rebuildIndex, { ...makeDeps(rebuildIndex.uses, app.cloud.runtime), embedders: letterModels });

/** Runs the worker of rebuilds and the log until no message waits. */
const work = async (): Promise<void> => {
  for (let rounds = 0; rounds < 6; rounds += 1) {
    await runRebuilds();
    await app.work();
  }
};

/** Continues rebuilds after a crash, or after a time: by the sweep. */
const sweepOn = async (seconds = 900): Promise<void> => {
  app.cloud.advance(seconds);
  await app.cloud.tick(sweepFiles);
  await work();
};

const recover = async (): Promise<void> => {
  await app.recover();
  await work();
  await sweepOn();
};

const start = async (index: string, body: object): Promise<string> => {
  const { status, body: found } = await app.call(createRebuild, { index_id: index }, body);
  assert.equal(status, 202, JSON.stringify(found));
  return found.rebuild.id;
};

const statusOf = async (index: string, id: string): Promise<string> =>
  (await app.call(getRebuild, { index_id: index, rebuild_id: id })).body.status;

/** Asks for a rollback while the worker of rebuilds runs. */
const rollBack = async (index: string, id: string): Promise<Answer> => {
  const asked = app.call(rollBackRebuild, { index_id: index, rebuild_id: id });
  await whileWaiting(asked, runRebuilds);
  return asked;
};

const otherLanguage = (language: string): string => (language === 'english' ? 'german' : 'english');

test('a rebuild that dies at any request takes over whole, with the writes made meanwhile, and sends one event', async (t) => {
  const index = await app.newIndex();
  await app.upsert(index, rowsOf('walked'));
  let count = 0;
  const points = await everyPoint({ step }, async (fault) => {
    count += 1;
    const language = otherLanguage((await app.record(index)).textLanguage);
    const id = await start(index, { text_language: language });
    const reached = await app.dieAt(fault, work);
    await app.upsert(index, [{ id: `later-${count}`, vector: [count, 0, 0, 0], text: `later ${count}` }]);
    await app.call(deleteVectors, { index_id: index }, { ids: [`row-${String(count % rowCount).padStart(2, '0')}`] });
    const expected = contentOf(await app.rows(index));
    await recover();
    assert.equal(await statusOf(index, id), 'completed');
    const record = await app.record(index);
    assert.deepEqual([record.textLanguage, record.rebuildId], [language, id]);
    assert.deepEqual(contentOf(await app.rows(index)), expected);
    const { told, counted } = await app.figures(index);
    assert.deepEqual(told, counted);
    assert.equal(await app.events(index, 'index.rebuild.completed'), count);
    await app.call(deleteRebuild, { index_id: index, rebuild_id: id });
    await work();
    await sweepOn();
    const closed = await app.record(index);
    assert.deepEqual([closed.rebuildId, closed.dependents.size, closed.otherTables.size], [null, 0, 0]);
    assert.deepEqual(contentOf(await app.rows(index)), expected);
    return reached;
  });
  t.diagnostic(`${points} crash points`);
});

test('a rollback restores the former content with every write since, and may die at any request', async (t) => {
  const index = await app.newIndex();
  await app.upsert(index, rowsOf('walked'));
  let count = 0;
  const points = await everyPoint({ step }, async (fault) => {
    count += 1;
    const { textLanguage } = await app.record(index);
    const id = await start(index, { text_language: otherLanguage(textLanguage) });
    await work();
    assert.equal(await statusOf(index, id), 'completed');
    await app.upsert(index, [{ id: `since-${count}`, vector: [count, 0, 0, 0], text: `since ${count}` }]);
    const expected = contentOf(await app.rows(index));
    const reached = await app.dieAt(fault, () => rollBack(index, id));
    await recover();
    assert.equal((await rollBack(index, id)).body.status, 'rolled_back');
    const record = await app.record(index);
    assert.equal(record.textLanguage, textLanguage);
    assert.deepEqual(contentOf(await app.rows(index)), expected);
    await sweepOn();
    const ended = await app.record(index);
    assert.deepEqual([ended.rebuildId, ended.dependents.size, ended.otherTables.size], [null, 0, 0]);
    return reached;
  });
  t.diagnostic(`${points} crash points`);
});

test('a takeover and a rollback happen once, whichever of two runs of the log makes them', async (context) => {
  const index = await app.newIndex();
  await app.upsert(index, rowsOf('walked'));
  const expected = contentOf(await app.rows(index));
  const twice = (): Promise<unknown> => Promise.all([app.work(), app.work()]);
  context.after(() => app.cloud.turns.shuffle(null));
  app.cloud.turns.shuffle(randomFrom(1));
  for (let round = 0; round < 2; round += 1) {
    const language = otherLanguage((await app.record(index)).textLanguage);
    const id = await start(index, { text_language: language });
    for (let rounds = 0; rounds < 4; rounds += 1) await Promise.all([runRebuilds(), twice()]);
    assert.equal(await statusOf(index, id), 'completed');
    assert.deepEqual(contentOf(await app.rows(index)), expected);
    const asked = app.call(rollBackRebuild, { index_id: index, rebuild_id: id });
    await whileWaiting(asked, () => Promise.all([runRebuilds(), twice()]));
    assert.equal((await asked).body.status, 'rolled_back');
    assert.deepEqual(contentOf(await app.rows(index)), expected);
    await sweepOn();
  }
});

test('a cancelled rebuild leaves the index as it is, and a deleted index leaves no rebuild', async () => {
  const index = await app.newIndex();
  await app.upsert(index, rowsOf('walked'));
  const expected = contentOf(await app.rows(index));
  const cancelled = await start(index, { text_language: 'german' });
  const { status } = await app.call(createRebuild, { index_id: index }, { text_language: 'french' });
  assert.equal(status, 409);
  await app.call(deleteRebuild, { index_id: index, rebuild_id: cancelled });
  await work();
  assert.equal(await statusOf(index, cancelled), 'cancelled');
  assert.deepEqual(contentOf(await app.rows(index)), expected);
  assert.equal((await app.record(index)).rebuildId, null);
  await start(index, { text_language: 'german' });
  await work();
  await app.call(deleteIndex, { index_id: index });
  await work();
  await sweepOn(3_600);
  await assert.rejects(app.record(index), /is gone/);
});

test('a rebuild with other chunks dies at any request, also in the rollback, and no chunk is missing or left', async (t) => {
  const index = await app.newIndex();
  await app.upsert(index, rowsOf('walked'));
  const [jobId, file] = await writeFile(app, index, [9, 30]);
  const ofFile = async (): Promise<object> => {
    const found = (await app.rows(index)).filter((row) => row.jobId === jobId);
    return Object.fromEntries(found.map(({ id, text, metadata }) => [id, { text, metadata }]));
  };
  const wantedOf = (size: number | null): object =>
    Object.fromEntries(rowsOfFile(jobId, file, size === null ? null : { size, overlap: 20 }));
  let count = 0;
  const points = await everyPoint({ step }, async (fault) => {
    count += 1;
    const size = 200 + count;
    const begun = await app.dieAt(fault, async () => {
      await start(index, { chunking: { size, overlap: 20 } });
      await work();
    });
    await recover();
    const { rebuildId } = await app.record(index);
    const id = rebuildId ?? (await start(index, { chunking: { size, overlap: 20 } }));
    await work();
    assert.equal(await statusOf(index, id), 'completed');
    assert.deepEqual(await ofFile(), wantedOf(size));
    const undone = await app.dieAt(fault, () => rollBack(index, id));
    await recover();
    assert.equal((await rollBack(index, id)).body.status, 'rolled_back');
    assert.deepEqual(await ofFile(), wantedOf(null));
    const { told, counted } = await app.figures(index);
    assert.deepEqual(told, counted);
    assert.equal((await app.rows(index)).length, rowCount + Object.keys(wantedOf(null)).length);
    await sweepOn();
    return begun || undone;
  });
  t.diagnostic(`${points} crash points`);
});

test('rows of a task that was cut before a takeover and committed after it are cut again, unless its file names a size', async () => {
  const index = await app.newIndex();
  const size = { size: 250, overlap: 25 };
  const id = await start(index, { chunking: size });
  await work();
  assert.equal(await statusOf(index, id), 'completed');
  const shown = async (job: string): Promise<object> =>
    Object.fromEntries(
      (await app.rows(index))
        .filter(({ jobId }) => jobId === job)
        .map((row) => [row.id, { text: row.text, metadata: row.metadata }]),
    );
  const [late, lateFile] = await writeFile(app, index, [20, 30], { n: 1 }, null);
  assert.deepEqual(await shown(late), Object.fromEntries(rowsOfFile(late, lateFile, size)));
  const [sized, sizedFile] = await writeFile(app, index, [20, 30], {}, 'file');
  assert.deepEqual(await shown(sized), Object.fromEntries(rowsOfFile(sized, sizedFile, null)));
});

test('a successor that the plan has no room for ends its rebuild', async (context) => {
  app.useNewOrganization();
  const index = await app.newIndex();
  await writeFile(app, index, [60, 60]);
  const { rows } = (await app.record(index)).state;
  const id = await start(index, { chunking: { size: 200 } });
  changeLimits(context)({ vectors: rows + 1 });
  await work();
  const { status, error } = (await app.call(getRebuild, { index_id: index, rebuild_id: id })).body;
  assert.equal(status, 'failed');
  assert.match(error, new RegExp(`${rows + 1} vectors`, 'u'));
  assert.equal((await app.rows(index)).length, rows);
});

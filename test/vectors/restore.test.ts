import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { logSend } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { everyPoint } from '../support/every-point.ts';
import { contentOf, openTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** Requests between two points to die at. */
const step = Number(process.env['STEP'] ?? 5);

const rowsOf = (text: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, vector: [at, 1, 2, 3], text: `${text} ${at}` }));

test('a restore that dies at any request is applied once, and its figures add up', async () => {
  const { log } = makeDeps({ log: logSend }, app.cloud.runtime);
  const points = await everyPoint({ step }, async (fault) => {
    const index = await app.newIndex();
    await app.upsert(index, rowsOf('first', 8));
    const former = contentOf(await app.rows(index));
    const { version } = (await app.record(index)).layers[0];
    await app.upsert(index, rowsOf('second', 12));
    const receipt = await log.append(await app.record(index), { op: 'restore', version });
    const reached = await app.dieAt(fault, app.work);
    await app.recover();
    assert.deepEqual(contentOf(await app.rows(index)), former);
    // The log repeats a message that it has applied.
    await log.append(await app.record(index), { op: 'restore', version }, receipt, { again: 'later' });
    await app.upsert(index, [{ id: 'since', vector: [1, 1, 1, 1] }]);
    await app.work();
    assert.equal((await app.rows(index)).length, former.length + 1);
    const { told, counted } = await app.figures(index);
    assert.deepEqual(told, counted);
    return reached;
  });
  assert.ok(points > 3, `${points} points`);
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { toProcessing } from '../../shared/files/index.ts';
import { indexesRead, type LogChange, logSend, toWireWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { monthOf, usageRead } from '../../shared/usage/index.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { explore, scenarios } from './explore.ts';
import { assertInvariants } from './invariants.ts';
import { simulate } from './simulate.ts';
import { type Address, TestApp } from './test-app.ts';

/** Every so many-th point is one at which it goes wrong; `npm run test:faults` takes all of them. */
const step = 2_801;
const seeds = [10];
/** Scenarios whose outcomes other tests show without faults; `npm run test:faults` explores them. */
const leftOut = new Set([
  'an empty file ends with warnings',
  'a file that cannot be read at all fails',
  'a model that refuses twice and then answers',
  'a job that is cancelled while its tasks are made',
  'an empty file takes the place of what it replaces',
  'a job is deleted in the middle',
]);
const sample = Object.keys(scenarios).filter((name) => !leftOut.has(name));
/** The same for the deletion of an index. */
const dropStep = Number(process.env['FAULT_STEP'] ?? 1201);
/** The same for a replacement that is cancelled. */
const cancelStep = Number(process.env['FAULT_STEP'] ?? 167);
/** The same for two replacements of one job. */
const replaceStep = Number(process.env['FAULT_STEP'] ?? 1201);

const ofNoFile = { jobId: null, filename: null, pageStart: null, pageEnd: null };
const upsertOf = (id: string): LogChange => {
  const row = { id, vector: new Float32Array(8).fill(1), text: null, metadata: {}, ...ofNoFile };
  return { op: 'upsert', rows: [toWireWrite(row)], tokens: 0 };
};

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());

describe('pipeline invariants under faults', { concurrency: false, timeout: 280_000 }, () => {
  for (const [at, name] of sample.entries()) {
    it(`the pipeline keeps its invariants after a fault at any call: ${name}`, async (t) => {
      t.diagnostic(`${await explore(app, name, step, 29 * at + 3)} points`);
    });
  }

  for (const seed of seeds) {
    it(`the pipeline keeps its invariants under random faults, seed ${seed}`, async (t) => {
      const { calls, faults } = await simulate(app, seed);
      t.diagnostic(`${calls} calls, ${faults} faults`);
    });
  }

  it('an index deleted while a file is processed leaves nothing behind and reserves no credit', async (t) => {
    const spec = { pages: 2, texts: { 1: 'a note' }, pictures: { 2: 'a plate' }, broken: null };
    const kept = async (address: Address): Promise<readonly unknown[]> => [
      ...(await app.tasks(address)),
      ...((await app.job(address)) === null ? [] : ['job']),
      ...(await app.objects(`uploads/${address.organizationId}/`)),
      ...(await app.objects(`batches/${address.organizationId}/`)),
      ...(await app.texts(address)),
    ];
    /** The file dies at one call and the deletion at another; 0: not at all. */
    const dropAt = async (ofFile: number, ofDrop: number): Promise<readonly number[]> => {
      await app.reset();
      const { address } = await app.upload(spec);
      const before = await app.withFault({ call: ofFile, verdict: 'dies after' }, () => app.work());
      assert.ok((await kept(address)).length > 0);
      await app.call(deleteIndex, { index_id: app.indexId });
      const dropping = await app.withFault({ call: ofDrop, verdict: 'dies after' }, () => app.work());
      await app.settle();
      assert.deepEqual(await kept(address), [], `dead at ${ofFile} and ${ofDrop}`);
      const { reserved, taken } = await app.credits([address.jobId]);
      assert.deepEqual(reserved, [], `credits stay reserved, dead at ${ofFile} and ${ofDrop}`);
      assert.ok(taken <= app.models.readings.length, `${taken} credits for ${app.models.readings.length} readings`);
      const used = await app.used(address);
      assert.equal(used('ocr_credits'), taken, `credits in the books, dead at ${ofFile} and ${ofDrop}`);
      return [before.length, dropping.length];
    };
    const [ofFile = 0] = await dropAt(0, 0);
    let points = 1;
    let longestDrop = 0;
    for (let at = 1; at <= ofFile; at += dropStep, points += 1)
      longestDrop = Math.max(longestDrop, (await dropAt(at, 0))[1] ?? 0);
    for (let at = 1; at <= longestDrop; at += dropStep, points += 1) await dropAt(Math.ceil(ofFile / 2), at);
    t.diagnostic(`${points} points`);
  });

  it('a deleted index leaves the usage of its running job in the usage ledger, wherever the deletion crashes', async (t) => {
    const spec = { pages: 2, texts: { 1: 'a note' }, pictures: { 2: 'a plate' }, broken: null };
    const { log, usage } = makeDeps({ log: logSend, usage: usageRead }, app.runtime);
    const dropAt = async (call: number): Promise<number> => {
      await app.reset();
      await log.append(await app.index(), upsertOf('a'));
      await app.work();
      const { address } = await app.upload(spec);
      // Its rows wait in the log.
      await app.work(['plan', 'tasks']);
      const [job, tasks] = [await app.job(address), await app.tasks(address)];
      assert.ok(job !== null && tasks.length > 0);
      const { serverless_invocations } = toProcessing(job, tasks, job.createdAt);
      const tokens = tasks.reduce((sum, task) => sum + task.tokens, 0);
      await app.call(deleteIndex, { index_id: app.indexId });
      const calls = await app.withFault({ call, verdict: 'dies after' }, () => app.work());
      assert.equal((await usage.stored(address.organizationId)).vectors, 0, `held, dead at ${call}`);
      await app.settle();
      const used = await app.used(address);
      const figures = [
        'ocr_credits',
        'pages',
        'embedding_tokens',
        'serverless_invocations',
        'vectors_written',
      ] as const;
      assert.deepEqual(figures.map(used), [1, spec.pages, tokens, serverless_invocations, 1], `dead at ${call}`);
      return calls.length;
    };
    const calls = await dropAt(0);
    for (let call = 1; call <= calls; call += dropStep) await dropAt(call);
    t.diagnostic(`${calls} calls`);
  });

  it('a file whose tasks together exceed the vector limit fails and leaves nothing, wherever the writer crashes', async (t) => {
    const { usage } = makeDeps({ usage: usageRead }, app.runtime);
    const allow = changeLimits(t);
    const spec = { pages: 60, texts: { 1: 'the first task', 60: 'the second task' }, pictures: {}, broken: null };
    const writeAt = async (call: number): Promise<number> => {
      await app.reset();
      allow({ vectors: 1 });
      const { address } = await app.upload(spec);
      // Each finds room for itself.
      await app.work(['plan', 'tasks']);
      const calls = await app.withFault({ call, verdict: 'dies after' }, () => app.work());
      await app.settle();
      const job = await app.job(address);
      assert.deepEqual(
        [job?.status, job?.errorCode, job?.error],
        ['failed', 'processing_failed', 'The plan allows 1 vectors'],
        `dead at ${call}`,
      );
      assert.equal((await usage.stored(address.organizationId)).vectors, 0, `held, dead at ${call}`);
      await assertInvariants(app);
      return calls.length;
    };
    const calls = await writeAt(0);
    for (let call = 1; call <= calls; call += dropStep) await writeAt(call);
    t.diagnostic(`${calls} calls`);
  });

  it('a replacement that exceeds the vector limit leaves the old file unchanged, and a smaller one succeeds', async (t) => {
    const { usage } = makeDeps({ usage: usageRead }, app.runtime);
    const allow = changeLimits(t);
    const paged = (texts: readonly string[]) => ({
      pages: texts.length,
      texts: Object.fromEntries(texts.map((text, page) => [page + 1, text])),
      pictures: {},
      broken: null,
    });
    await app.reset();
    const { address } = await app.upload(paged(['one', 'two']));
    await app.work();
    allow({ vectors: 2 });
    // The room that the index has leased under the larger plan ends.
    app.cloud.advance(61);
    const replace = async (texts: readonly string[]) => {
      const { address: next } = await app.upload(paged(texts), replaceFile, address);
      await app.work();
      await app.settle();
      await assertInvariants(app);
      return (await app.job(next))?.status;
    };
    assert.equal(await replace(['one', 'two', 'three']), 'failed');
    assert.equal((await app.job(address))?.status, 'completed');
    assert.equal(await replace(['one']), 'completed');
    assert.deepEqual(
      [(await app.job(address))?.status, (await usage.stored(address.organizationId)).vectors],
      ['superseded', 1],
    );
  });

  it('a replacement cancelled around its commit replaces the file completely or not at all', async (t) => {
    const spec = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });
    /** The run that commits dies at one call, and the replacement is cancelled then. What it had called. */
    const cancelAt = async (call: number): Promise<readonly string[]> => {
      await app.reset();
      const { address } = await app.upload(spec('the first edition'));
      await app.work();
      const second = await app.upload(spec('the second edition'), replaceFile, address);
      const calls = await app.withFault({ call, verdict: 'dies after' }, () => app.work());
      const path = { index_id: app.indexId, job_id: second.address.jobId };
      second.cancelled = await app.call(cancelFile, path).then(
        () => true,
        () => false,
      );
      await app.settle();
      await assertInvariants(app);
      return calls;
    };
    const calls = await cancelAt(0);
    const commit = calls.indexOf('engine.commit') + 1;
    assert.ok(commit > 0, calls.join('\n'));
    let points = 0;
    for (let call = commit - 3; call <= commit + 8; call += cancelStep, points += 1) await cancelAt(call);
    t.diagnostic(`${points} points`);
  });

  it('of two replacements of one job the last to complete remains, wherever it crashes', async (t) => {
    const spec = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });
    /** The run of the last one dies at one call. How many it made. */
    const replaceTwice = async (call: number): Promise<number> => {
      await app.reset();
      const first = await app.upload(spec('the first edition'));
      await app.work();
      const second = await app.begin(spec('the second edition'), replaceFile, first.address);
      const third = await app.begin(spec('the third edition'), replaceFile, first.address);
      await app.store(second);
      await app.work();
      await app.store(third);
      const calls = await app.withFault({ call, verdict: 'dies after' }, () => app.work(['plan', 'tasks', 'log']));
      await app.settle();
      const jobs = await Promise.all([first, second, third].map(({ address }) => app.job(address)));
      assert.deepEqual(
        jobs.map((job) => [job?.status, job?.replacedByJobId]),
        [
          ['superseded', second.address.jobId],
          ['superseded', third.address.jobId],
          ['completed', null],
        ],
        `dead at ${call}`,
      );
      await assertInvariants(app);
      return calls.length;
    };
    const last = await replaceTwice(0);
    let points = 1;
    for (let call = 5; call <= last; call += replaceStep, points += 1) await replaceTwice(call);
    t.diagnostic(`${points} points`);
  });

  for (const moment of ['before', 'after']) {
    it(`of two replacements of a job deleted ${moment} the first completes, only the last remains`, async () => {
      const spec = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });
      const first = await app.upload(spec('the first edition'));
      await app.work();
      const [second, third] = [
        await app.begin(spec('the second edition'), replaceFile, first.address),
        await app.begin(spec('the third edition'), replaceFile, first.address),
      ];
      const forget = async (): Promise<void> => {
        first.deletion = 'done';
        await app.callDuring(deleteFile, { index_id: first.address.indexId, job_id: first.address.jobId });
      };
      if (moment === 'before') await forget();
      await app.store(second);
      await app.work();
      if (moment === 'after') await forget();
      await app.store(third);
      await app.settle();
      const [secondNow, thirdNow] = [await app.job(second.address), await app.job(third.address)];
      assert.deepEqual([secondNow?.status, secondNow?.replacedByJobId], ['superseded', third.address.jobId]);
      assert.equal(thirdNow?.status, 'completed');
      await assertInvariants(app);
    });
  }

  it('a write whose attempts all failed is reported and counted by its real outcome', async () => {
    /** Both attempts die before their call of that name. */
    const writeDyingAt = async (name: string) => {
      await app.reset();
      const { indexes, log } = makeDeps({ indexes: indexesRead, log: logSend }, app.runtime);
      const index = await app.index();
      const append = (): Promise<string> => log.append(index, upsertOf('a'));
      const calls = await app.withFault(null, async () => {
        await append();
        await app.work();
      });
      const call = calls.indexOf(name) + 1;
      assert.ok(call > 0, calls.join('\n'));
      // Without leased room, the next write makes the same calls.
      app.cloud.advance(61);
      const receiptId = await append();
      // An attempt alone holds its message and counts itself before it begins.
      for (const before of [0, 2]) {
        const made = await app.withFault({ call: call + before, verdict: 'dies before' }, () => app.work());
        assert.equal(made.at(-1), name, made.join('\n'));
      }
      await app.settle();
      return {
        receipt: await indexes.receipt(index.organizationId, index.id, receiptId),
        written: (await app.index()).usage.totals.vectors_written,
        version: (await app.rows()).map(({ version }) => version === receiptId),
      };
    };
    const committed = await writeDyingAt('UpdateItem test-indexes');
    assert.deepEqual(committed, { receipt: { written: 1, deleted: 0, error: null }, written: 2, version: [true] });
    const lost = await writeDyingAt('engine.commit');
    assert.deepEqual([lost.receipt?.written, lost.written, lost.version], [0, 1, [false]]);
    assert.equal(lost.receipt?.error, 'The change could not be applied');
  });

  it('a write is in the usage ledger of the month of its commit, even if the run crashed before', async () => {
    await app.reset();
    const { log, usage } = makeDeps({ log: logSend, usage: usageRead }, app.runtime);
    const index = await app.index();
    const now = new Date(app.fakeQueues.nowMs());
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    app.cloud.advance((nextMonth.getTime() - now.getTime()) / 1000 - 60);
    await log.append(index, upsertOf('a'));
    await app.work();
    // Within the room that the first write has leased.
    await log.append(index, upsertOf('a'));
    const calls = await app.withFault(null, () => app.work());
    const call = calls.indexOf('UpdateItem test-indexes') + 1;
    assert.ok(call > 0, calls.join('\n'));
    await log.append(index, upsertOf('b'));
    await app.withFault({ call, verdict: 'dies after' }, () => app.work());
    await app.settle();
    const books = [now, nextMonth].map((at) =>
      usage.indexMonth(index.organizationId, monthOf(at.toISOString()), index.id),
    );
    const written = (await Promise.all(books)).map((month) => month?.used.vectors_written);
    assert.deepEqual(written, [3, 0]);
    assert.equal((await app.index()).usage.totals.vectors_written, 3);
  });

  it('repeated messages with exhausted retries do not change a completed job', async () => {
    await app.reset();
    const { address } = await app.upload({ pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null });
    await app.work();
    const sent = app.fakeQueues.sent.filter(({ queue }) => queue === plan.queue || queue === fileTask.queue);
    for (const queueMessage of sent) app.fakeQueues.duplicate(queueMessage);
    for (const queueMessage of app.fakeQueues.queueMessages) queueMessage.receives = 1_000;
    await app.settle();
    assert.equal((await app.job(address))?.status, 'completed');
    await assertInvariants(app);
  });
});

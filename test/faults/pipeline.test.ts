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
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { simulate } from './simulate.ts';
import { type Address, World } from './world.ts';

/** Every so many-th point is one at which it goes wrong; `npm run test:faults` takes all of them. */
const step = 700;
const seeds = [10];
/** The same for the deletion of an index. */
const dropStep = Number(process.env['FAULT_STEP'] ?? 300);
/** The same for a replacement that is cancelled. */
const cancelStep = Number(process.env['FAULT_STEP'] ?? 19);
/** The same for the runs of a job. */
const runStep = Number(process.env['FAULT_STEP'] ?? 89);
/** The same for two replacements of one job. */
const replaceStep = Number(process.env['FAULT_STEP'] ?? 300);

const ofNoFile = { jobId: null, filename: null, pageStart: null, pageEnd: null };
const upsertOf = (id: string): LogChange => {
  const row = { id, vector: new Float32Array(8).fill(1), text: null, metadata: {}, ...ofNoFile };
  return { op: 'upsert', rows: [toWireWrite(row)], tokens: 0 };
};

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

describe('pipeline invariants under faults', { concurrency: false, timeout: 280_000 }, () => {
  for (const [at, name] of Object.keys(scenarios).entries()) {
    it(`the pipeline keeps its invariants after a fault at any call: ${name}`, async (t) => {
      t.diagnostic(`${await explore(world, name, step, 29 * at + 3)} points`);
    });
  }

  for (const seed of seeds) {
    it(`the pipeline keeps its invariants under random faults, seed ${seed}`, async (t) => {
      const { calls, faults } = await simulate(world, seed);
      t.diagnostic(`${calls} calls, ${faults} faults`);
    });
  }

  it('an index deleted while a file is processed leaves nothing behind and reserves no credit', async (t) => {
    const spec = { pages: 2, texts: { 1: 'a note' }, pictures: { 2: 'a plate' }, broken: null };
    const kept = async (address: Address): Promise<readonly unknown[]> => [
      ...(await world.tasks(address)),
      ...((await world.job(address)) === null ? [] : ['job']),
      ...(await world.objects(`uploads/${address.organizationId}/`)),
      ...(await world.objects(`batches/${address.organizationId}/`)),
      ...(await world.texts(address)),
    ];
    /** The file dies at one call and the deletion at another; 0: not at all. */
    const dropAt = async (ofFile: number, ofDrop: number): Promise<readonly number[]> => {
      await world.reset();
      const { address } = await world.upload(spec);
      const before = await world.withFault({ call: ofFile, verdict: 'dies after' }, () => world.work());
      assert.ok((await kept(address)).length > 0);
      await world.call(deleteIndex, { index_id: world.indexId });
      const dropping = await world.withFault({ call: ofDrop, verdict: 'dies after' }, () => world.work());
      await world.settle();
      assert.deepEqual(await kept(address), [], `dead at ${ofFile} and ${ofDrop}`);
      const { held, taken } = await world.credits([address.jobId]);
      assert.deepEqual(held, [], `credits are held for ever, dead at ${ofFile} and ${ofDrop}`);
      assert.ok(taken <= world.models.readings.length, `${taken} credits for ${world.models.readings.length} readings`);
      const used = await world.used(address);
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
    const { log, usage } = makeDeps({ log: logSend, usage: usageRead }, world.runtime);
    const dropAt = async (call: number): Promise<number> => {
      await world.reset();
      await log.append(await world.index(), upsertOf('a'));
      await world.work();
      const { address } = await world.upload(spec);
      // Its rows wait in the log.
      await world.work(['plan', 'tasks']);
      const [job, tasks] = [await world.job(address), await world.tasks(address)];
      assert.ok(job !== null && tasks.length > 0);
      const { serverless_invocations } = toProcessing(job, tasks, job.createdAt);
      const tokens = tasks.reduce((sum, task) => sum + task.tokens, 0);
      await world.call(deleteIndex, { index_id: world.indexId });
      const calls = await world.withFault({ call, verdict: 'dies after' }, () => world.work());
      assert.equal((await usage.stored(address.organizationId)).vectors, 0, `held, dead at ${call}`);
      await world.settle();
      const used = await world.used(address);
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
    const { usage } = makeDeps({ usage: usageRead }, world.runtime);
    const allow = changeLimits(t);
    const spec = { pages: 60, texts: { 1: 'the first task', 60: 'the second task' }, pictures: {}, broken: null };
    const writeAt = async (call: number): Promise<number> => {
      await world.reset();
      allow({ vectors: 1 });
      const { address } = await world.upload(spec);
      // Each finds room for itself.
      await world.work(['plan', 'tasks']);
      const calls = await world.withFault({ call, verdict: 'dies after' }, () => world.work());
      await world.settle();
      const job = await world.job(address);
      assert.deepEqual(
        [job?.status, job?.errorCode, job?.error],
        ['failed', 'processing_failed', 'The plan allows 1 vectors'],
        `dead at ${call}`,
      );
      assert.equal((await usage.stored(address.organizationId)).vectors, 0, `held, dead at ${call}`);
      await assertInvariants(world);
      return calls.length;
    };
    const calls = await writeAt(0);
    for (let call = 1; call <= calls; call += dropStep) await writeAt(call);
    t.diagnostic(`${calls} calls`);
  });

  it('a replacement that exceeds the vector limit leaves the old file unchanged, and a smaller one succeeds', async (t) => {
    const { usage } = makeDeps({ usage: usageRead }, world.runtime);
    const allow = changeLimits(t);
    const paged = (texts: readonly string[]) => ({
      pages: texts.length,
      texts: Object.fromEntries(texts.map((text, page) => [page + 1, text])),
      pictures: {},
      broken: null,
    });
    await world.reset();
    const { address } = await world.upload(paged(['one', 'two']));
    await world.work();
    allow({ vectors: 2 });
    const replace = async (texts: readonly string[]) => {
      const { address: next } = await world.upload(paged(texts), replaceFile, address);
      await world.work();
      await world.settle();
      await assertInvariants(world);
      return (await world.job(next))?.status;
    };
    assert.equal(await replace(['one', 'two', 'three']), 'failed');
    assert.equal((await world.job(address))?.status, 'completed');
    assert.equal(await replace(['one']), 'completed');
    assert.deepEqual(
      [(await world.job(address))?.status, (await usage.stored(address.organizationId)).vectors],
      ['superseded', 1],
    );
  });

  it('a replacement cancelled around its commit replaces the file completely or not at all', async (t) => {
    const spec = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });
    /** The run that commits dies at one call, and the replacement is cancelled then. What it had called. */
    const cancelAt = async (call: number): Promise<readonly string[]> => {
      await world.reset();
      const { address } = await world.upload(spec('the first edition'));
      await world.work();
      const second = await world.upload(spec('the second edition'), replaceFile, address);
      const calls = await world.withFault({ call, verdict: 'dies after' }, () => world.work());
      const path = { index_id: world.indexId, job_id: second.address.jobId };
      second.cancelled = await world.call(cancelFile, path).then(
        () => true,
        () => false,
      );
      await world.settle();
      await assertInvariants(world);
      return calls;
    };
    const calls = await cancelAt(0);
    const commit = calls.indexOf('engine.commit') + 1;
    assert.ok(commit > 0, calls.join('\n'));
    let points = 0;
    for (let call = commit - 3; call <= commit + 8; call += cancelStep, points += 1) await cancelAt(call);
    t.diagnostic(`${points} points`);
  });

  for (const kind of ['file', 'replacement']) {
    it(`every invocation of a ${kind} is reported, wherever one crashes`, async (t) => {
      const spec = { pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null };
      const dieAt = async (call: number): Promise<number> => {
        await world.reset();
        const replaced = kind === 'file' ? null : await world.upload({ ...spec, texts: { 1: 'an older note' } });
        await world.work();
        await (replaced === null ? world.upload(spec) : world.upload(spec, replaceFile, replaced.address));
        const calls = await world.withFault({ call, verdict: 'dies after' }, () => world.work());
        await world.settle();
        await assertRunsTold(world);
        return calls.length;
      };
      const calls = await dieAt(0);
      for (let call = 1; call <= calls; call += runStep) await dieAt(call);
      t.diagnostic(`${calls} calls`);
    });
  }

  it('of two replacements of one job the last to complete remains, wherever it crashes', async (t) => {
    const spec = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });
    /** The run of the last one dies at one call. How many it made. */
    const replaceTwice = async (call: number): Promise<number> => {
      await world.reset();
      const first = await world.upload(spec('the first edition'));
      await world.work();
      const second = await world.begin(spec('the second edition'), replaceFile, first.address);
      const third = await world.begin(spec('the third edition'), replaceFile, first.address);
      await world.store(second);
      await world.work();
      await world.store(third);
      const calls = await world.withFault({ call, verdict: 'dies after' }, () => world.work(['plan', 'tasks', 'log']));
      await world.settle();
      const jobs = await Promise.all([first, second, third].map(({ address }) => world.job(address)));
      assert.deepEqual(
        jobs.map((job) => [job?.status, job?.replacedByJobId]),
        [
          ['superseded', second.address.jobId],
          ['superseded', third.address.jobId],
          ['completed', null],
        ],
        `dead at ${call}`,
      );
      await assertInvariants(world);
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
      const first = await world.upload(spec('the first edition'));
      await world.work();
      const [second, third] = [
        await world.begin(spec('the second edition'), replaceFile, first.address),
        await world.begin(spec('the third edition'), replaceFile, first.address),
      ];
      const forget = async (): Promise<void> => {
        first.deletion = 'done';
        await world.callDuring(deleteFile, { index_id: first.address.indexId, job_id: first.address.jobId });
      };
      if (moment === 'before') await forget();
      await world.store(second);
      await world.work();
      if (moment === 'after') await forget();
      await world.store(third);
      await world.settle();
      const [secondNow, thirdNow] = [await world.job(second.address), await world.job(third.address)];
      assert.deepEqual([secondNow?.status, secondNow?.replacedByJobId], ['superseded', third.address.jobId]);
      assert.equal(thirdNow?.status, 'completed');
      await assertInvariants(world);
    });
  }

  it('a write whose attempts all failed is reported and counted by its real outcome', async () => {
    /** Both attempts die before their call of that name. */
    const writeDyingAt = async (name: string) => {
      await world.reset();
      const { indexes, log } = makeDeps({ indexes: indexesRead, log: logSend }, world.runtime);
      const index = await world.index();
      const append = (): Promise<string> => log.append(index, upsertOf('a'));
      const calls = await world.withFault(null, async () => {
        await append();
        await world.work();
      });
      const call = calls.indexOf(name) + 1;
      assert.ok(call > 0, calls.join('\n'));
      const receiptId = await append();
      // An attempt alone holds its message and counts itself before it begins.
      for (const before of [0, 2]) {
        const made = await world.withFault({ call: call + before, verdict: 'dies before' }, () => world.work());
        assert.equal(made.at(-1), name, made.join('\n'));
      }
      await world.settle();
      return {
        receipt: await indexes.receipt(index.organizationId, index.id, receiptId),
        written: (await world.index()).usage.totals.vectors_written,
        version: (await world.rows()).map(({ version }) => version === receiptId),
      };
    };
    const committed = await writeDyingAt('UpdateItem test-indexes');
    assert.deepEqual(committed, { receipt: { written: 1, deleted: 0, error: null }, written: 2, version: [true] });
    const lost = await writeDyingAt('engine.commit');
    assert.deepEqual([lost.receipt?.written, lost.written, lost.version], [0, 1, [false]]);
    assert.equal(lost.receipt?.error, 'The change could not be applied');
  });

  it('a write is in the usage ledger of the month of its commit, even if the run crashed before', async () => {
    await world.reset();
    const { log, usage } = makeDeps({ log: logSend, usage: usageRead }, world.runtime);
    const index = await world.index();
    const now = new Date(world.mailbox.nowMs());
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    world.cloud.advance((nextMonth.getTime() - now.getTime()) / 1000 - 60);
    await log.append(index, upsertOf('a'));
    const calls = await world.withFault(null, () => world.work());
    const call = calls.indexOf('UpdateItem test-indexes') + 1;
    assert.ok(call > 0, calls.join('\n'));
    await log.append(index, upsertOf('b'));
    await world.withFault({ call, verdict: 'dies after' }, () => world.work());
    await world.settle();
    const books = [now, nextMonth].map((at) =>
      usage.indexMonth(index.organizationId, monthOf(at.toISOString()), index.id),
    );
    const written = (await Promise.all(books)).map((month) => month?.used.vectors_written);
    assert.deepEqual(written, [2, 0]);
    assert.equal((await world.index()).usage.totals.vectors_written, 2);
  });

  it('repeated messages with exhausted retries do not change a completed job', async () => {
    await world.reset();
    const { address } = await world.upload({ pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null });
    await world.work();
    const sent = world.mailbox.sent.filter(({ queue }) => queue === plan.queue || queue === fileTask.queue);
    for (const letter of sent) world.mailbox.duplicate(letter);
    for (const letter of world.mailbox.letters) letter.receives = 1_000;
    await world.settle();
    assert.equal((await world.job(address))?.status, 'completed');
    await assertInvariants(world);
  });
});

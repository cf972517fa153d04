import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { replaceFile } from '../../functions/files/replace.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import type { Fault } from '../events/support/cloud.ts';
import { makePdf } from '../service/support/files.ts';
import { type Address, World } from './world.ts';

let world: World;
let pdf: Buffer;
const broken = Buffer.from('%PDF-1.7 nothing of the kind');

before(async () => {
  world = await World.open();
  pdf = await makePdf(Array.from({ length: 52 }, (_, at) => `Page ${at + 1} tells of lighthouse keeper ${at}.`));
});
after(() => world.close());

/** Every so many-th request is a point to die at; `npm run test:faults` takes all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 32);

const pathOf = ({ indexId, jobId }: Address) => ({ index_id: indexId, job_id: jobId });

interface Scenario<Stage> {
  readonly arrange: () => Promise<Stage>;
  /** What dies on the way. */
  readonly act: (stage: Stage) => Promise<unknown>;
  /** What whoever asked does again. */
  readonly repeat?: (stage: Stage) => Promise<unknown>;
  readonly check: (stage: Stage) => Promise<void>;
}

const explore = async <Stage>({ arrange, act, repeat, check }: Scenario<Stage>): Promise<number> => {
  let points = 0;
  for (const kind of ['not applied', 'reply lost'] as const satisfies readonly Fault['kind'][]) {
    for (
      let request = 1 + (kind === 'not applied' ? 0 : Math.floor(step / 2)), reached = true;
      reached;
      request += step
    ) {
      const stage = await arrange();
      reached = await world.dieAt({ request, kind }, () => act(stage));
      await world.settle();
      if (repeat !== undefined) await world.workDuring(repeat(stage));
      await world.settle();
      try {
        await check(stage);
      } catch (error) {
        throw new Error(`died at request ${request}, ${kind}`, { cause: error });
      }
      points += 1;
    }
  }
  return points;
};

const rowsOf = async (address: Address): Promise<number> => {
  const rows = await world.rows();
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'a row stands twice');
  return rows.filter(({ jobId }) => jobId === address.jobId).length;
};

const assertCompleted = async (address: Address): Promise<void> => {
  const job = await world.job(address);
  assert.equal(job?.status, 'completed');
  const tasks = await world.tasks(address);
  const sum = tasks.reduce((total, { vectorsWritten }) => total + vectorsWritten, 0);
  assert.deepEqual([job.vectorsWritten, sum, await rowsOf(address)], [52, 52, 52]);
  assert.deepEqual(await world.events(address), ['file.processing.completed', 'file.processing.started']);
  assert.equal(job.counted, true);
};

const assertNoRows = async (address: Address): Promise<void> => assert.equal(await rowsOf(address), 0);

/** A job whose file is here and which waits to be planned. */
const arrived = (bytes: Uint8Array) => () => world.upload(bytes);

const completed = async (): Promise<Address> => {
  const address = await world.upload(pdf);
  await world.work();
  return address;
};

describe('whatever dies at any request', { concurrency: false, timeout: 900_000 }, () => {
  const scenarios: Readonly<Record<string, () => Promise<number>>> = {
    'a file is planned, read, written and completed, once': () =>
      explore({ arrange: arrived(pdf), act: () => world.work(), check: assertCompleted }),
    'a file that cannot be read fails, once, and leaves no row': () =>
      explore({
        arrange: arrived(broken),
        act: () => world.work(),
        check: async (address) => {
          const job = await world.job(address);
          assert.deepEqual([job?.status, job?.errorCode, job?.counted], ['failed', 'processing_failed', true]);
          assert.deepEqual(await world.events(address), ['file.processing.failed']);
          await assertNoRows(address);
        },
      }),
    'a job that is cancelled in the middle leaves no row and tells of no end': () =>
      explore({
        arrange: async () => {
          const address = await world.upload(pdf);
          await world.work([plan]);
          return address;
        },
        act: (address) => world.call(cancelFile, pathOf(address)),
        // It may have been completed meanwhile, which is a refusal.
        repeat: (address) => world.call(cancelFile, pathOf(address)).catch(() => undefined),
        check: async (address) => {
          const job = await world.job(address);
          if (job?.status === 'completed') return assertCompleted(address);
          assert.deepEqual([job?.status, job?.counted], ['cancelled', true]);
          assert.deepEqual(await world.events(address), ['file.processing.started']);
          const open = (await world.tasks(address)).filter(({ status }) => status === 'queued' || status === 'running');
          assert.deepEqual(open, []);
          return assertNoRows(address);
        },
      }),
    'a replacement takes the place of what it replaces, whole': () =>
      explore({
        arrange: async () => {
          const old = await completed();
          const next = await world.upload(pdf, replaceFile, { job_id: old.jobId });
          return { old, next };
        },
        act: () => world.work(),
        check: async ({ old, next }) => {
          await assertCompleted(next);
          await assertNoRows(old);
          const job = await world.job(old);
          assert.deepEqual([job?.status, job?.replacedByJobId], ['superseded', next.jobId]);
        },
      }),
    'a deleted job leaves nothing': () =>
      explore({
        arrange: completed,
        act: (address) => world.workDuring(world.call(deleteFile, pathOf(address))),
        repeat: (address) => world.call(deleteFile, pathOf(address)).catch(() => undefined),
        check: async (address) => {
          assert.equal(await world.job(address), null);
          assert.deepEqual(await world.tasks(address), []);
          await assertNoRows(address);
        },
      }),
  };
  for (const [name, run] of Object.entries(scenarios)) {
    it(name, async (t) => {
      t.diagnostic(`${await run()} crash points`);
    });
  }

  it('a dead letter of a job that has been completed takes nothing from it', async () => {
    const address = await completed();
    await world.buryTask(address, 0);
    await world.settle();
    await assertCompleted(address);
  });

  it('the books agree with what stands', async () => {
    const rows = await world.rows();
    const { totals, stored } = await world.used();
    assert.equal(stored.vectors, rows.length);
    assert.equal((totals?.vectors_written ?? 0) - (totals?.vectors_deleted ?? 0), rows.length);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deleteFile } from '../../functions/files/delete.ts';
import { getFile } from '../../functions/files/get.ts';
import { listFiles } from '../../functions/files/list.ts';
import { getIndexStats } from '../../functions/indexes/get-stats.ts';
import { filesWrite, removeJobs, removeJobsUses } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { assertInvariants } from './invariants.ts';
import { type Upload, World } from './world.ts';

/** Every so many-th call is one at which a deletion dies; `npm run test:faults` takes all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 21);

const spec = { pages: 60, texts: { 1: 'a note', 55: 'another' }, pictures: { 2: 'a plate' }, broken: null };

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const completed = async (): Promise<Upload> => {
  const upload = await world.upload(spec);
  await world.work();
  assert.equal((await world.job(upload.address))?.status, 'completed');
  return upload;
};

const pathOf = ({ address }: Upload) => ({ index_id: address.indexId, job_id: address.jobId });

/** What is left of a job, wherever it could be. */
const remains = async ({ address }: Upload): Promise<readonly string[]> => {
  const { organizationId, indexId, jobId } = address;
  const job = await world.job(address);
  return [
    ...(job === null ? [] : [job.status]),
    ...(await world.tasks(address)).map(({ id }) => id),
    ...(await world.rows()).filter((row) => row.jobId === jobId).map(({ id }) => id),
    ...(await world.objects(`uploads/${organizationId}/${indexId}/${jobId}/`)),
    ...(await world.objects(`batches/${organizationId}/${indexId}/${jobId}/`)),
    ...(await world.texts(address)),
  ];
};

/** What callers see of a job. */
const seen = async (upload: Upload) => {
  const path = pathOf(upload);
  const list = (await world.call(listFiles, path)) as unknown as readonly { readonly id: string }[];
  return {
    found: await world.call(getFile, path).then(
      () => true,
      (error: unknown) => !String(error).includes('404'),
    ),
    listed: list.some(({ id }) => id === path.job_id),
    documents: (await world.call(getIndexStats, path))['documents'],
  };
};

const nothingSeen = { found: false, listed: false, documents: 0 };

/** Asks for a deletion when the writer does not get to it in time. */
const askInVain = async (upload: Upload): Promise<void> => {
  const job = await world.job(upload.address);
  assert.ok(job !== null);
  upload.deletion = 'asked';
  await world.noteDeletions();
  const deps = makeDeps(removeJobsUses, world.runtime);
  assert.equal(await removeJobs(deps, [job], world.runtime.clock, performance.now() - 25_000), false);
};

const notes = async (): Promise<number> => {
  const { files } = makeDeps({ files: filesWrite }, world.runtime);
  const later = new Date(world.mailbox.nowMs() + 86_400_000);
  return (await files.overdue('removals', later, 100)).length;
};

describe('deletions of jobs', { concurrency: false, timeout: 240_000 }, () => {
  it('the deletion of a job continues after the request timed out, and callers no longer see the job', async () => {
    await world.reset();
    const upload = await completed();
    assert.deepEqual(await seen(upload), { found: true, listed: true, documents: 1 });
    await askInVain(upload);
    assert.deepEqual(await seen(upload), nothingSeen);
    assert.ok((await remains(upload)).length > 3);
    await world.settle();
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assertInvariants(world);
  });

  it('a repeated deletion of a job joins the first one', async () => {
    await world.reset();
    const upload = await completed();
    await askInVain(upload);
    await world.callDuring(deleteFile, pathOf(upload));
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assert.rejects(world.call(deleteFile, pathOf(upload)), /404/);
  });

  it('the deletion of a job is requested again if the log has refused it', async () => {
    await world.reset();
    const upload = await completed();
    await askInVain(upload);
    world.mailbox.collect();
    for (const letter of world.mailbox.letters) if (letter.queue === 'log') await world.exhaust(letter);
    await world.settle();
    await world.settle();
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assertInvariants(world);
  });

  it('the deletion of a job either has no effect or completes, wherever the request crashes', async (t) => {
    const outcomes: string[] = [];
    const dieAt = async (call: number): Promise<number> => {
      if (world.uploads.length >= 6) await world.reset();
      const upload = await completed();
      upload.deletion = 'asked';
      await world.noteDeletions();
      const calls = await world.withFault({ call, verdict: 'dies after' }, () =>
        world.callDuring(deleteFile, pathOf(upload)),
      );
      await world.settle();
      const job = await world.job(upload.address);
      outcomes.push(job === null ? 'gone' : 'there');
      if (job === null) assert.deepEqual(await remains(upload), [], `dead at ${call}`);
      else assert.equal(job.removed, false, `dead at ${call}`);
      assert.equal(await notes(), 0, `dead at ${call}`);
      await assertInvariants(world);
      return calls.length;
    };
    await world.reset();
    const calls = await dieAt(0);
    for (let call = 1; call <= calls; call += step) await dieAt(call);
    assert.deepEqual(new Set(outcomes), new Set(['gone', 'there']));
    // Nothing of a deletion that was begun is taken back.
    assert.equal(outcomes.indexOf('there', outcomes.indexOf('gone', 1)), -1, outcomes.join(' '));
    t.diagnostic(`${outcomes.length} points`);
  });
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressOfJob, isOpen, type JobRecord, jobStates } from '../../shared/files/index.ts';
import { openFileWriter } from '../../shared/files/repository.ts';
import { JobStatus } from '../../shared/files/schemas.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { textJob } from '../support/text-job.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

type Next = keyof typeof jobStates;

const isNext = (status: JobStatus): status is Next => status in jobStates;

/** Next statuses of each status, written down a second time and by hand. */
const allowed: Readonly<Record<JobStatus, readonly Next[]>> = {
  awaiting_upload: ['queued', 'failed', 'cancelled', 'expired'],
  // Of an import, whose file arrives later.
  queued: ['queued', 'processing', 'failed', 'cancelled'],
  processing: ['completed', 'completed_with_warnings', 'failed', 'cancelled'],
  completed: ['superseded'],
  completed_with_warnings: ['superseded'],
  failed: ['superseded'],
  cancelled: [],
  expired: [],
  superseded: [],
};

const at = '2026-11-28T09:00:00.000Z';

const put = async (status: JobStatus): Promise<JobRecord> => {
  const job = textJob(cloud.runtime.clock.now(), { status });
  await openFileWriter(cloud.runtime).add(job);
  return job;
};

test('a job changes from each status to the allowed ones only', async () => {
  const files = openFileWriter(cloud.runtime);
  for (const from of JobStatus.options)
    for (const to of JobStatus.options.filter(isNext)) {
      const address = addressOfJob(await put(from));
      const changed = await files.transition(address, to, at);
      assert.equal(changed !== null, allowed[from].includes(to), `${from} → ${to}`);
      assert.equal((await files.get(address))?.status, changed === null ? from : to, `${from} → ${to}`);
    }
});

test('a job that has its file is not queued again', async () => {
  const files = openFileWriter(cloud.runtime);
  const address = addressOfJob(await put('awaiting_upload'));
  assert.ok(await files.transition(address, 'queued', at));
  assert.equal(await files.transition(address, 'queued', at), null);
});

test('a job that is replacing another can be completed, but neither failed nor cancelled', async () => {
  const files = openFileWriter(cloud.runtime);
  const address = addressOfJob(await put('processing'));
  assert.ok(await files.lockReplacement(address));
  for (const to of ['failed', 'cancelled'] as const) assert.equal(await files.transition(address, to, at), null);
  assert.ok(await files.transition(address, 'completed', at));
});

test('a job that ends without rows is noted for the sweep, even if its end is refused', async () => {
  const files = openFileWriter(cloud.runtime);
  for (const to of JobStatus.options.filter(isNext)) {
    const address = addressOfJob(await put('processing'));
    await files.transition(address, to, at);
    const isNoted = await files.postponeEndCheck(address, at);
    assert.equal(isNoted, ['completed_with_warnings', 'failed', 'cancelled'].includes(to), to);
  }
});

test('each status that the service gives a job has a component that gives it, and only ended jobs release anything', () => {
  for (const [status, { by, releases }] of Object.entries(jobStates)) {
    assert.ok(by.length > 0);
    const { data } = JobStatus.safeParse(status);
    assert.ok(releases.length === 0 || (data !== undefined && !isOpen({ status: data })), status);
  }
});

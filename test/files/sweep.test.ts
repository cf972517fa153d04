import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sweepEnds, sweepJobs } from '../../functions/workers/sweep-files/steps/sweep-jobs.ts';
import { sweepTasks } from '../../functions/workers/sweep-files/steps/sweep-tasks.ts';
import {
  addressOfJob,
  beginJob,
  enqueueJob,
  expireJob,
  jobAddressAt,
  type JobRecord,
  TaskMessage,
  tasksSend,
  planSend,
  filesWrite,
} from '../../shared/files/index.ts';
import { type LogMessage, logSend } from '../../shared/indexes/index.ts';
import { originalAllowance } from '../../shared/usage/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import type { ContentReader } from '../../shared/platform/aws/objects.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { maxBatchItems } from '../../shared/pipeline/process-batch.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putMany } from '../support/put-many.ts';
import { textJob } from '../support/text-job.ts';
import { textTask } from '../support/text-task.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const hourSeconds = 3600;

const uses = {
  files: filesWrite,
  plans: planSend,
  tasks: tasksSend,
  log: logSend,
  originals: originalAllowance,
};

/** The objects that a bucket holds; nothing else of it is asked for. */
const contentWith = (keys: readonly string[]): ContentReader => ({
  head: (_region, key) =>
    Promise.resolve(keys.includes(key) ? { sizeBytes: 1, contentType: 'text/plain', etag: '"1"' } : null),
  get: () => Promise.reject(new Error('the sweep reads no file')),
});

const jobOf = (): JobRecord => textJob(cloud.runtime.clock.now());

describe('the sweep of file jobs', { concurrency: false }, () => {
  it('the sweep expires jobs whose file never arrived, and plans those whose notification was lost', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const [never, lost, stalled] = [jobOf(), jobOf(), jobOf()];
    for (const job of [never, lost, stalled]) assert.equal(await deps.files.add(job), true);
    const now = cloud.runtime.clock.now().toISOString();
    await enqueueJob(deps.files, addressOfJob(stalled), { sizeBytes: 1, at: now });
    const content = contentWith([lost.objectKey, stalled.objectKey]);

    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    assert.deepEqual(await cloud.bodies('plan'), [], 'nothing is overdue yet');
    cloud.advance(hourSeconds / 2);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    const keysOf = async () =>
      (await cloud.bodies('plan')).map(
        (body) => (body as { Records: { s3: { object: { key: string } } }[] }).Records[0]?.s3.object.key,
      );
    assert.deepEqual(await keysOf(), [encodeURIComponent(stalled.objectKey)]);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    assert.deepEqual(await keysOf(), [], 'the next look is put off');

    cloud.advance(hourSeconds);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    assert.deepEqual(
      new Set(await keysOf()),
      new Set([lost, stalled].map(({ objectKey }) => encodeURIComponent(objectKey))),
    );
    const statuses = await Promise.all(
      [never, lost, stalled].map(async (job) => (await deps.files.get(addressOfJob(job)))?.status),
    );
    assert.deepEqual(statuses, ['awaiting_upload', 'awaiting_upload', 'queued']);
    cloud.advance(24 * hourSeconds);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    assert.equal((await deps.files.get(addressOfJob(never)))?.status, 'expired');
    await cloud.purge('plan');
    cloud.advance(48 * hourSeconds);
    await deps.files.transition(addressOfJob(lost), 'cancelled', now);
    await deps.files.transition(addressOfJob(stalled), 'cancelled', now);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    const removed = (await cloud.bodies('log')).map((body) => (body as LogMessage).change);
    const removal = (job: JobRecord) => ({ op: 'remove_job', job_id: job.id, counted: false });
    assert.deepEqual(new Set(removed), new Set([removal(lost), removal(stalled)]), 'what was cancelled is closed');
    for (const job of [lost, stalled]) await deps.files.markCounted(addressOfJob(job), processingOf(job));
    cloud.advance(hourSeconds);
    const left = await deps.files.overdue('jobs', cloud.runtime.clock.now(), 10);
    assert.deepEqual(left, [], 'what is closed is not looked at');
  });

  it('the sweep checks a job whose file never arrives twice', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const job = jobOf();
    await deps.files.add(job);
    let looks = 0;
    const content = contentWith([]);
    const head: typeof content.head = (region, key) => {
      if (key === job.objectKey) looks += 1;
      return content.head(region, key);
    };
    for (let minutes = 0; minutes <= 26 * 60; minutes += 5) {
      await sweepJobs({ ...deps, content: { ...content, head } }, cloud.runtime.clock.now());
      cloud.advance(300);
    }
    assert.equal((await deps.files.get(addressOfJob(job)))?.status, 'expired');
    assert.equal(looks, 2);
  });

  it('the sweep continues if one job cannot be checked', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const jobs = [jobOf(), jobOf(), jobOf()];
    for (const job of jobs) await deps.files.add(job);
    cloud.advance(2 * hourSeconds);
    const [hidden] = await deps.files.overdue('jobs', cloud.runtime.clock.now(), 10);
    const content = contentWith(jobs.map(({ objectKey }) => objectKey));
    const isHidden = (key: string): boolean => key.includes(jobAddressAt(hidden ?? assert.fail()).jobId);
    const head: (typeof content)['head'] = (region, key) =>
      isHidden(key) ? Promise.reject(new Error('its region does not answer')) : content.head(region, key);

    await assert.rejects(
      sweepJobs({ ...deps, content: { ...content, head } }, cloud.runtime.clock.now()),
      AggregateError,
    );
    assert.equal((await cloud.bodies('plan')).length, jobs.length - 1);
    cloud.advance(2 * hourSeconds);
    await sweepJobs({ ...deps, content }, cloud.runtime.clock.now());
    assert.equal((await cloud.bodies('plan')).length, jobs.length);
    for (const job of jobs) await expireJob(deps.files, addressOfJob(job), cloud.runtime.clock.now().toISOString());
  });

  it('the sweep resends the lost messages of tasks while their job runs', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const [running, ended] = [jobOf(), jobOf()];
    const at = cloud.runtime.clock.now().toISOString();
    for (const job of [running, ended]) {
      await deps.files.add(job);
      await enqueueJob(deps.files, addressOfJob(job), { sizeBytes: 1, at });
      await deps.files.addTask(textTask(job));
      await beginJob(deps.files, addressOfJob(job), { tasksTotal: 1, note: '', at, event: {} });
    }
    await deps.files.transition(addressOfJob(ended), 'failed', at);
    cloud.advance(2 * hourSeconds);
    await sweepTasks(deps, cloud.runtime.clock.now());
    const messages = (await cloud.bodies('tasks')).map((body) => TaskMessage.parse(body));
    assert.deepEqual(
      messages.map(({ job_id, ordinal }) => [job_id, ordinal]),
      [[running.id, 1]],
    );
    await sweepTasks(deps, cloud.runtime.clock.now());
    assert.deepEqual(await cloud.bodies('tasks'), []);
  });

  it('the sweep resends the lost message of one organization beside 10,000 jobs of another without upload', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const many = newId('org', cloud.runtime.clock.now());
    const [first, lost] = [textJob(cloud.runtime.clock.now(), { organizationId: many }), jobOf()];
    await deps.files.add(first);
    const item = (await deps.files.item(addressOfJob(first))) ?? assert.fail();
    await putMany(
      'files',
      Array.from({ length: 10_000 }, (_, nth) => ({ ...item, sk: `${first.id}-${nth}` })),
    );
    cloud.advance(1);
    const own = { ...lost, createdAt: cloud.runtime.clock.now().toISOString() };
    await deps.files.add(own);
    cloud.advance(2 * hourSeconds);

    cloud.faults.arm(null);
    const due = await deps.files.overdue('jobs', cloud.runtime.clock.now(), maxBatchItems);
    assert.equal(due.length, maxBatchItems);
    // Five partitions, at most two pages beside the crowd, and what is missing to the limit.
    assert.ok(cloud.faults.count <= 8, `${cloud.faults.count} requests`);
    const heads: string[] = [];
    const content = contentWith([own.objectKey]);
    const head: typeof content.head = (region, key) => {
      heads.push(key);
      return content.head(region, key);
    };
    cloud.faults.arm(null);
    await sweepJobs({ ...deps, content: { ...content, head } }, cloud.runtime.clock.now());
    assert.ok(heads.length <= maxBatchItems);
    assert.ok(cloud.faults.count <= 8 + 3 * maxBatchItems, `${cloud.faults.count} requests`);
    const plans = (await cloud.bodies('plan')) as { Records: { s3: { object: { key: string } } }[] }[];
    const planned = plans.map(({ Records }) => Records[0]?.s3.object.key);
    assert.ok(planned.includes(encodeURIComponent(own.objectKey)));
  });

  it('an empty file that was superseded before its usage was counted is counted nevertheless', async () => {
    const deps = makeDeps(uses, cloud.runtime);
    const stored = { deleteAll: async () => 0 };
    const job = jobOf();
    assert.equal(await deps.files.add(job), true);
    const address = addressOfJob(job);
    const at = cloud.runtime.clock.now().toISOString();
    for (const status of ['queued', 'processing', 'completed_with_warnings', 'superseded'] as const)
      assert.ok(await deps.files.transition(address, status, at), status);
    cloud.advance(hourSeconds);
    await sweepEnds({ ...deps, stored }, cloud.runtime.clock.now());
    const removals = await cloud.bodies('log');
    assert.partialDeepStrictEqual(removals, [{ change: { op: 'remove_job', job_id: job.id, counted: false } }]);
    await deps.files.deleteEndNote(address);
  });
});

const processingOf = (job: JobRecord) => ({
  job_id: job.id,
  ocr_credits: 0,
  audio_credits: 0,
  audio_seconds: 0,
  serverless_invocations: 0,
  end_to_end_latency_ms: 0,
  path: [],
});

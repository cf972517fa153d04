import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getFile } from '../../functions/files/get.ts';
import { getFileProcessing } from '../../functions/files/get-processing.ts';
import { listFiles } from '../../functions/files/list.ts';
import { addressOfJob, filesWrite, newTask } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../events/support/cloud.ts';
import { call, machine } from '../support/call.ts';
import { putReadyIndex } from '../support/ready-index.ts';
import { textJob } from '../support/text-job.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

interface Shown {
  readonly serverless_invocations: number;
}

test('a running job has one count of its invocations, and that of a list has those of no task', async () => {
  const { runtime } = cloud;
  const now = runtime.clock.now();
  const at = now.toISOString();
  const caller = machine(newId('org', now));
  const { organizationId } = caller;
  const indexId = await putReadyIndex(runtime, organizationId);
  const { files } = makeDeps({ files: filesWrite }, runtime);
  const job = textJob(now, { organizationId, indexId });
  const address = addressOfJob(job);
  await files.add(job);
  await files.enqueue(address, { sizeBytes: 1, at });
  await files.noteInvocation(address, 'planned');
  const whole = { id: newId('task', now), ordinal: 1, unitStart: 1, unitEnd: 1, paged: false, createdAt: at };
  const task = newTask(job, whole);
  await files.addTask(task);
  await files.begin(address, { tasksTotal: 1, note: '', at, event: {} });
  for (const invocationId of ['attempt', 'another']) await files.startTask(task, { invocationId, at });

  const path = { index_id: indexId, job_id: job.id };
  const shown = (await call(runtime, getFile, caller, { path })).body as Shown;
  const detail = (await call(runtime, getFileProcessing, caller, { path })).body as { job: Shown; processing: Shown };
  const [listed] = (await call(runtime, listFiles, caller, { path: { index_id: indexId } })).body as Shown[];
  assert.deepEqual(
    [shown, detail.job, detail.processing, listed].map((one) => one?.serverless_invocations),
    [3, 3, 3, 1],
  );
  assert.deepEqual(shown, detail.job);
});

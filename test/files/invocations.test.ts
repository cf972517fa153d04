import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getFile } from '../../functions/files/get.ts';
import { getFileProcessing } from '../../functions/files/get-processing.ts';
import { listFiles } from '../../functions/files/list.ts';
import { addressOfJob, beginJob, enqueueJob } from '../../shared/files/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call } from '../support/call.ts';
import { putStoredJob } from '../support/stored-job.ts';
import { textTask } from '../support/text-task.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

interface Shown {
  readonly serverless_invocations: number;
}

test('a running job counts its invocations, and in a list it leaves out those of its tasks', async () => {
  const { runtime } = cloud;
  const now = runtime.clock.now();
  const at = now.toISOString();
  const { caller, indexId, files, job } = await putStoredJob(runtime);
  const address = addressOfJob(job);
  await enqueueJob(files, address, { sizeBytes: 1, at });
  await files.noteInvocation(address, 'planned');
  const task = textTask(job);
  await files.addTask(task);
  await beginJob(files, address, { tasksTotal: 1, note: '', at, event: {} });
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

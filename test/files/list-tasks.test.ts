import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listFileTasks } from '../../functions/files/list-tasks.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf } from '../support/call.ts';
import { putStoredJob } from '../support/stored-job.ts';
import { textTask } from '../support/text-task.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

/** More than a page has by default. */
const tasks = 103;

test('the tasks of a file job are listed at once, or in pages if a limit is given', async () => {
  const { runtime } = cloud;
  const { caller, indexId, files, job } = await putStoredJob(runtime);
  const ordinals = Array.from({ length: tasks }, (_, before) => before + 1);
  for (const ordinal of ordinals) {
    await files.addTask(textTask(job, { ordinal, unitStart: ordinal, unitEnd: ordinal }));
  }
  const list = async (query: Readonly<Record<string, string>> = {}) => {
    const path = { index_id: indexId, job_id: job.id };
    const { statusCode, body, headers } = await answerOf(runtime, listFileTasks, caller, { path, query });
    assert.equal(statusCode, 200, body);
    const listed = (JSON.parse(body) as readonly { readonly ordinal: number }[]).map(({ ordinal }) => ordinal);
    return { listed, next: headers['x-next-cursor'] };
  };
  assert.deepEqual(await list(), { listed: ordinals, next: undefined });
  const first = await list({ limit: '9' });
  assert.deepEqual(first.listed, ordinals.slice(0, 9));
  const cursor = first.next ?? '';
  assert.deepEqual((await list({ limit: '2', cursor })).listed, [10, 11]);
  assert.deepEqual(await list({ cursor }), { listed: ordinals.slice(9), next: undefined });
  for (const limit of ['0', 'x']) {
    const path = { index_id: indexId, job_id: job.id };
    assert.equal((await answerOf(runtime, listFileTasks, caller, { path, query: { limit } })).statusCode, 422);
  }
});

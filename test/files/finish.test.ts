import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { eventsRead, recordEvents } from '../../shared/events/index.ts';
import { beginJob, completeJob, filesWrite } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { lengthOf } from '../../shared/kernel/text.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { textJob } from '../support/text-job.ts';
import { textTask } from '../support/text-task.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

/** Text in the completed event of a job; tasks keep 4,000 characters of theirs. */
const told = async (texts: readonly string[]): Promise<readonly [text: string, truncated: boolean]> => {
  const uses = { files: filesWrite, events: recordEvents('files'), history: eventsRead };
  const deps = makeDeps(uses, cloud.runtime);
  const now = cloud.runtime.clock.now();
  const at = now.toISOString();
  const job = textJob(now, { status: 'queued' });
  const address = { organizationId: job.organizationId, indexId: job.indexId, jobId: job.id };
  await deps.files.add(job);
  for (const [index, text] of texts.entries()) {
    const task = { organizationId: job.organizationId, indexId: job.indexId, jobId: job.id, ordinal: index + 1 };
    await deps.files.addTask(textTask(job, { ordinal: task.ordinal }));
    const sparse = { sparseText: Array.from(text).slice(0, 4_000).join(''), sparseLength: lengthOf(text) };
    await deps.files.saveWork(task, { trace: [], ...sparse, warning: '' });
  }
  await beginJob(deps.files, address, { tasksTotal: texts.length, note: '', at, event: {} });
  await completeJob(deps, job, cloud.runtime.clock);
  const { events } = await deps.history.page(job.organizationId, {}, { offset: 0, limit: 10 });
  const { data } = JSON.parse((await deps.history.body(job.organizationId, events[0]?.id ?? '')) ?? '');
  return [data.job.sparse_text, data.job.sparse_text_truncated];
};

it('a completed job contains the first 4,000 characters of its text, and whether there was more', async () => {
  const [half, whole] = ['a'.repeat(2_000), '字'.repeat(4_000)];
  assert.deepEqual(await told([]), ['', false]);
  assert.deepEqual(await told(['', 'one', '', 'two']), ['one\ntwo', false]);
  assert.deepEqual(await told([whole]), [whole, false]);
  assert.deepEqual(await told([`${whole}!`]), [whole, true]);
  assert.deepEqual(await told([half.slice(1), half]), [`${half.slice(1)}\n${half}`, false]);
  // What joins the texts of tasks takes room too.
  assert.deepEqual(await told([half, half]), [`${half}\n${half.slice(1)}`, true]);
});

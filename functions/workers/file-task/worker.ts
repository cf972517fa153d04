import { failJob, jobAddressIn, TaskMessage } from '../../../shared/files/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { finalTaskError } from './steps/explain-failure.ts';
import { settleReservations } from './steps/reserve-quota.ts';
import { runTask } from './steps/run-task.ts';
import { fileTaskUses } from './uses.ts';

export const fileTask = worker({
  id: 'file-task',
  summary: 'Extracts, chunks and embeds one range of a file and appends its rows to the index log',
  queue: 'tasks',
  message: TaskMessage,
  uses: fileTaskUses,
  assets: ['readers', 'ocr'],
  attempts: 4,
  timeoutSeconds: 300,
  memoryMb: 3008,
  batchSize: 1,
  maxConcurrency: 100,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runTask({ deps, run }, message);
    return [];
  },
  onExhausted: async ({ message, deps, run }) => {
    const address = { ...jobAddressIn(message, message.job_id), ordinal: message.ordinal };
    const job = await deps.files.noteTaskInvocation(address, run.invocationId);
    if (job === null) {
      await settleReservations({ deps, run }, message);
      return;
    }
    const task = await deps.files.taskAt(address);
    // A duplicate message of a completed task does not fail its job.
    if (task?.status !== 'completed') {
      const error = finalTaskError(message.ordinal, task);
      await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
    }
    await settleReservations({ deps, run }, message);
  },
});

import { setTimeout } from 'node:timers/promises';
import type { FileJobResponse } from '../../schema.ts';
import { type Call, type Command, textOption } from '../command.ts';

const underWay = 'awaiting_upload,queued,processing';
const pollMs = 2_000;

const jobsOf = async (call: Call, indexId: string, status: string | undefined): Promise<readonly FileJobResponse[]> => {
  const params = { path: { index_id: indexId }, query: { limit: 1_000, ...(status !== undefined && { status }) } };
  const found: FileJobResponse[] = [];
  for await (const job of call.client().pages('/v1/indexes/{index_id}/files', { params })) found.push(job);
  return found;
};

export const jobs: Command = {
  usage: 'jobs [--status STATUS,…] [--watch]',
  summary: 'lists file jobs; --watch waits until all have ended',
  options: { status: { type: 'string' }, watch: { type: 'boolean' } },
  run: async (call) => {
    const indexId = await call.indexId();
    if (call.options['watch'] === true) {
      for (;;) {
        const { length } = await jobsOf(call, indexId, underWay);
        call.note(`${length} jobs under way`, true);
        if (length === 0) break;
        await setTimeout(pollMs);
      }
      call.note('All jobs have ended.');
    }
    for (const job of await jobsOf(call, indexId, textOption(call, 'status')))
      call.print(
        job,
        `${job.id}  ${job.status.padEnd(23)}  ${String(job.vectors_written).padStart(6)}  ${job.filename}`,
      );
  },
};

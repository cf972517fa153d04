import { type Command, exitCodes, manyRetries, textOption } from '../command.ts';
import { listJobs, rowOf, unresolvedFailures, waitForJobs } from '../file-jobs.ts';

export const jobs: Command = {
  usage: 'jobs [--status STATUS,…] [--watch]',
  summary: 'lists file jobs; --watch waits until all have ended, and ends with 1 if one failed',
  options: { status: { type: 'string' }, watch: { type: 'boolean' } },
  retries: manyRetries,
  run: async (call) => {
    const indexId = await call.indexId();
    const status = textOption(call, 'status');
    const watches = call.options['watch'] === true;
    if (watches) {
      await waitForJobs(call, indexId);
      call.note('All jobs have ended.');
    }
    for (const job of await listJobs(call, indexId, status === undefined ? {} : { status }))
      call.print(job, rowOf(job));
    return watches && unresolvedFailures(await listJobs(call, indexId)).length > 0 ? exitCodes.failed : 0;
  },
};

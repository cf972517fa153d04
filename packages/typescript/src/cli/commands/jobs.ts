import { argument, chooseAction, type Command, exitCodes, manyRetries, textOption } from '../command.ts';
import { listJobs, rowOf, unresolvedFailures, waitForJobs } from '../file-jobs.ts';

const { subcommands, run } = chooseAction({
  show: async (call) => {
    const path = { index_id: await call.indexId(), job_id: argument(call, 1, 'ID') };
    const job = await call.client().get('/v1/indexes/{index_id}/files/{job_id}', { params: { path } });
    call.print(job, JSON.stringify(job, null, 2));
  },
  cancel: async (call) => {
    const path = { index_id: await call.indexId(), job_id: argument(call, 1, 'ID') };
    const job = await call.client().post('/v1/indexes/{index_id}/files/{job_id}/cancel', { params: { path } });
    call.print(job, rowOf(job));
  },
  retry: async (call) => {
    const path = { index_id: await call.indexId(), job_id: argument(call, 1, 'ID') };
    const job = await call.client().post('/v1/indexes/{index_id}/files/{job_id}/retry', { params: { path } });
    call.print(job, rowOf(job));
  },
});

export const jobs: Command = {
  usage: 'jobs [--status STATUS,…] [--watch] | jobs show ID | cancel ID | retry ID',
  summary: 'lists file jobs; --watch waits until all have ended, and ends with 1 if one failed',
  subcommands,
  options: { status: { type: 'string' }, watch: { type: 'boolean' } },
  retries: manyRetries,
  run: async (call) => {
    if (call.args.length > 0) return run(call);
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

import { filesWrite, planSend, tasksSend } from '../../../shared/files/index.ts';
import { importsSend, importsSweep } from '../../../shared/imports/index.ts';
import { logSend } from '../../../shared/indexes/index.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';
import { contentReader } from '../../../shared/platform/aws/content.ts';
import { sweepImports } from './steps/sweep-imports.ts';
import { sweepEnds, sweepJobs } from './steps/sweep-jobs.ts';
import { sweepTasks } from './steps/sweep-tasks.ts';

/** Every part may run beside the work that it repeats, and twice. */
export const sweepFiles = schedule({
  id: 'sweep-files',
  summary: 'Finds file jobs that wait for what was lost, sets them going again, and ends those whose file never came',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: {
    files: filesWrite,
    content: contentReader,
    plans: planSend,
    tasks: tasksSend,
    log: logSend,
    imports: importsSweep,
    importQueue: importsSend,
  },
  handle: async ({ deps, run }) => {
    await sweepJobs(deps, run.clock.now());
    await sweepEnds(deps, run.clock.now());
    await sweepTasks(deps, run.clock.now());
    await sweepImports(deps, run.clock.now());
  },
});

import { credentialStore } from '../../../shared/connectors/index.ts';
import { crawlsErase } from '../../../shared/crawls/index.ts';
import { erasureStore } from '../../../shared/erasures/index.ts';
import { evaluationsSend, evaluationsWrite } from '../../../shared/evaluations/index.ts';
import { recordEvents } from '../../../shared/events/index.ts';
import { exportsSend, exportStore } from '../../../shared/exports/index.ts';
import { filesWrite, planSend, tasksSend } from '../../../shared/files/index.ts';
import { importsSend, importsSweep } from '../../../shared/imports/index.ts';
import { buildsSend, deletionsSend, indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import { allSettled } from '../../../shared/kernel/all-settled.ts';
import { rebuildsSend, rebuildStore } from '../../../shared/rebuilds/index.ts';
import { uploadsSweep } from '../../../shared/openai-files/index.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';
import { originalAllowance } from '../../../shared/usage/index.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { sweepErasures } from './steps/sweep-erasures.ts';
import { sweepEvaluations } from './steps/sweep-evaluations.ts';
import { sweepExports } from './steps/sweep-exports.ts';
import { sweepImports } from './steps/sweep-imports.ts';
import { sweepIndexes } from './steps/sweep-indexes.ts';
import { sweepMaintenance } from './steps/sweep-maintenance.ts';
import { sweepEnds, sweepJobs } from './steps/sweep-jobs.ts';
import { sweepReconciliations } from './steps/sweep-reconciliations.ts';
import { sweepRebuilds } from './steps/sweep-rebuilds.ts';
import { sweepRemovals } from './steps/sweep-removals.ts';
import { sweepUploads } from './steps/sweep-uploads.ts';
import { sweepTasks } from './steps/sweep-tasks.ts';

/** Every part may run concurrently with the work that it repeats, and twice. */
export const sweepFiles = schedule({
  id: 'sweep-files',
  summary: 'Restarts file jobs and indexes whose messages were lost, expires uploads, and completes deletions',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: {
    files: filesWrite,
    content: contentReader('uploads'),
    stored: contentWriter({ deletes: ['uploads', 'batches'] }),
    events: recordEvents('files'),
    plans: planSend,
    tasks: tasksSend,
    indexes: indexesWrite,
    log: logSend,
    builds: buildsSend,
    imports: importsSweep,
    importQueue: importsSend,
    exports: exportStore,
    exportQueue: exportsSend,
    erasures: erasureStore,
    deletions: deletionsSend,
    evaluations: evaluationsWrite,
    evaluationQueue: evaluationsSend,
    rebuilds: rebuildStore,
    rebuildQueue: rebuildsSend,
    crawled: crawlsErase,
    connectors: credentialStore,
    originals: originalAllowance,
    uploads: uploadsSweep,
  },
  handle: async ({ deps, run }) => {
    const parts = [
      sweepJobs,
      sweepEnds,
      sweepRemovals,
      sweepTasks,
      sweepImports,
      sweepExports,
      sweepErasures,
      sweepEvaluations,
      sweepRebuilds,
      sweepIndexes,
      sweepMaintenance,
      sweepReconciliations,
      sweepUploads,
    ];
    await allSettled(
      parts.map((part) => part(deps, run.clock.now())),
      'the sweep is incomplete',
    );
  },
});

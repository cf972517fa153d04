import { DeletionMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { eraseIndex } from './steps/erase-index.ts';
import { runErasure } from './steps/run-erasure.ts';
import { indexDeleterUses } from './uses.ts';

export const indexDeleter = worker({
  id: 'index-deleter',
  summary:
    'Deletes what belongs to a deleted index: jobs, crawls, imports, connectors, files and its table. Removes what is left of erased rows, and signs receipts',
  queue: 'deletions',
  message: DeletionMessage,
  uses: indexDeleterUses,
  assets: ['engine'],
  attempts: 4,
  timeoutSeconds: 300,
  memoryMb: 1024,
  batchSize: 1,
  maxConcurrency: 10,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries)
      if (message.erasure_id === undefined) await eraseIndex({ deps, run }, message);
      else await runErasure({ deps, run }, { ...message, erasure_id: message.erasure_id });
    return [];
  },
  // The sweep requests it again until the record is gone, or the erasure is completed.
  onExhausted: async ({ message, run }) => {
    run.log.error('index.deletion.failed', { ...message });
  },
});

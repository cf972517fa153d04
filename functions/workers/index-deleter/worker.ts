import { DeletionMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { eraseIndex } from './steps/erase-index.ts';
import { indexDeleterUses } from './uses.ts';

export const indexDeleter = worker({
  id: 'index-deleter',
  summary: 'Deletes what belongs to a deleted index: jobs, crawls, imports, connectors, files and its table',
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
    for (const { message } of deliveries) await eraseIndex({ deps, run }, message);
    return [];
  },
  // The sweep of indexes requests the deletion again until the record is gone.
  onExhausted: async ({ message, run }) => {
    run.log.error('index.deletion.failed', { ...message });
  },
});

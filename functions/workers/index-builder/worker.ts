import { BuildMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { maintainIndex, noteFailure } from './steps/maintain-index.ts';
import { indexBuilderUses } from './uses.ts';

export const indexBuilder = worker({
  id: 'index-builder',
  summary: 'Merges the segments of an index and folds them into its table, concurrently with the writer of its log',
  queue: 'builds',
  message: BuildMessage,
  uses: indexBuilderUses,
  assets: ['engine'],
  attempts: 2,
  timeoutSeconds: 600,
  memoryMb: 3008,
  // Building a vector index sorts on disk, and uses about half a byte for each number of a vector.
  storageMb: 10_240,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message, messageId } of deliveries) await maintainIndex({ deps, run }, message, messageId);
    return [];
  },
  onExhausted: ({ message, deps, run }) => noteFailure({ deps, run }, message),
});

import { BuildMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { buildIndex, reportFailedBuild, checkWhetherQuiet } from './steps/build-index.ts';
import { indexBuilderUses } from './uses.ts';

export const indexBuilder = worker({
  id: 'index-builder',
  summary: 'Rebuilds the vector index of an index, concurrently with the writer of its log',
  queue: 'builds',
  message: BuildMessage,
  uses: indexBuilderUses,
  assets: ['engine'],
  attempts: 2,
  timeoutSeconds: 600,
  memoryMb: 3008,
  // A build sorts on disk, and uses about half a byte for each number of a vector.
  storageMb: 10_240,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) {
      if (message.op === 'build') await buildIndex(deps, message);
      else await checkWhetherQuiet(deps, message, run.clock);
    }
    return [];
  },
  onExhausted: async ({ message, deps }) => {
    // Without the check, the index stays as it is until the next write.
    if (message.op === 'build') await reportFailedBuild(deps, message);
  },
});

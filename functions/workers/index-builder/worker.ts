import { BuildMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { buildIndex, giveUp, lookAtIndex } from './steps/build-index.ts';
import { indexBuilderUses } from './uses.ts';

export const indexBuilder = worker({
  id: 'index-builder',
  summary: 'Builds the vector index of an index anew, beside the writer of its log',
  queue: 'builds',
  message: BuildMessage,
  uses: indexBuilderUses,
  assets: ['engine'],
  attempts: 2,
  timeoutSeconds: 600,
  memoryMb: 3008,
  // An index is sorted on disk while it is built, in about half a byte for each number of a vector.
  storageMb: 10_240,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) {
      if (message.op === 'build') await buildIndex(deps, message);
      else await lookAtIndex(deps, message, run.clock);
    }
    return [];
  },
  onTerminal: async ({ message, deps }) => {
    // A look that is lost leaves an index as it is until it is written to again.
    if (message.op === 'build') await giveUp(deps, message);
  },
});

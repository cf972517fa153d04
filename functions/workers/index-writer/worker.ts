import { LogMessage } from '../../../shared/indexes/index.ts';
import { orderedWorker } from '../../../shared/pipeline/worker.ts';
import { endPoison } from './steps/end-poison.ts';
import { writeLog } from './steps/write-log.ts';
import { indexWriterUses } from './uses.ts';

export const indexWriter = orderedWorker({
  id: 'index-writer',
  summary: 'Applies the log of each index, one writer per index, all waiting changes in one commit',
  queue: 'log',
  message: LogMessage,
  uses: indexWriterUses,
  assets: ['engine'],
  timeoutSeconds: 90,
  memoryMb: 3008,
  batchSize: 10,
  maxConcurrency: 100,
  handle: ({ deliveries, deps, run }) => writeLog({ deps, run }, deliveries),
  ordered: {
    countRetry: ({ message: { organization_id: organizationId, index_id: id }, messageId, deps, run }) =>
      deps.indexes.countRetry({ organizationId, id }, messageId, run.clock.now()),
    noteFailure: ({ message: { organization_id: organizationId, index_id: id }, messageId, deps }) =>
      deps.indexes.noteFailedRetry({ organizationId, id }, messageId),
    endPoison: ({ message, mayLookUp, deps, run }) => endPoison({ deps, run }, message, mayLookUp),
  },
});

import { LogMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { failTask } from './steps/fail-task.ts';
import { notApplied } from './steps/receipts.ts';
import { refuseChange } from './steps/refuse-change.ts';
import { isOfDoneTask, isTakenOn } from './steps/take-on.ts';
import { writeLog } from './steps/write-log.ts';
import { indexWriterUses } from './uses.ts';

export const indexWriter = worker({
  id: 'index-writer',
  summary: 'Applies the log of each index, one writer per index, all waiting changes in one commit',
  queue: 'log',
  message: LogMessage,
  uses: indexWriterUses,
  assets: ['engine'],
  attempts: 5,
  timeoutSeconds: 120,
  memoryMb: 3008,
  batchSize: 10,
  maxConcurrency: 100,
  handle: ({ deliveries, deps, run }) => writeLog({ deps, run }, deliveries),
  onTerminal: async ({ message, deps, run }) => {
    const writing = { deps, run };
    if ((await isOfDoneTask(writing, message)) || (await isTakenOn(writing, message))) return;
    await refuseChange(writing, message, notApplied);
    await failTask(writing, message, 'The rows of the file could not be written');
  },
});

import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite } from '../../../shared/files/index.ts';
import { buildsSend, indexesWrite, LogMessage, logSend } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { connectorsKeep } from '../../../shared/connectors/index.ts';
import { crawlsErase, crawlsWrite } from '../../../shared/crawls/index.ts';
import { importsWrite } from '../../../shared/imports/index.ts';
import { creditBook, usageWrite } from '../../../shared/usage/index.ts';
import { engineWrite } from '../../../shared/platform/engine/engine-write.ts';
import { failTask } from './steps/fail-task.ts';
import { notApplied } from './steps/receipts.ts';
import { refuseChange } from './steps/refuse-change.ts';
import { isOfDoneTask, isTakenOn } from './steps/take-on.ts';
import { writeLog } from './steps/write-log.ts';

export const indexWriter = worker({
  id: 'index-writer',
  summary: 'Applies the log of each index, one writer per index, all waiting changes in one commit',
  queue: 'log',
  message: LogMessage,
  uses: {
    indexes: indexesWrite,
    files: filesWrite,
    content: contentReader,
    stored: contentWriter,
    indexEvents: recordEvents('indexes'),
    events: recordEvents('files'),
    log: logSend,
    builds: buildsSend,
    engines: engineWrite,
    usage: usageWrite,
    credits: creditBook,
    crawls: crawlsWrite,
    crawled: crawlsErase,
    imports: importsWrite,
    connectors: connectorsKeep,
    organizations: organizationsRead,
  },
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

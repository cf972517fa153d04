import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite } from '../../../shared/files/index.ts';
import { ImportMessage, importsCopy, importsSend } from '../../../shared/imports/index.ts';
import { logSend } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { partUploader } from '../../../shared/platform/aws/upload-parts.ts';
import { objectSources } from '../../../shared/platform/object-sources/capability.ts';
import { copyImport, endAttempts } from './steps/copy-import.ts';

export const importFile = worker({
  id: 'import-file',
  summary: 'Copies an object from the storage of others to where an upload would lie',
  queue: 'imports',
  message: ImportMessage,
  uses: {
    imports: importsCopy,
    queue: importsSend,
    files: filesWrite,
    organizations: organizationsRead,
    sources: objectSources,
    content: contentReader,
    stored: contentWriter,
    parts: partUploader,
    events: recordEvents('files'),
    log: logSend,
  },
  attempts: 4,
  timeoutSeconds: 600,
  memoryMb: 512,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await copyImport({ deps, run }, message);
    return [];
  },
  onTerminal: ({ message, deps, run }) =>
    endAttempts({ deps, run }, message, 'The object could not be copied after several attempts'),
});

import { ImportMessage } from '../../../shared/imports/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { copyImport, retryLaterOrFail } from './steps/copy-import.ts';
import { importFileUses } from './uses.ts';

export const importFile = worker({
  id: 'import-file',
  summary: 'Copies an object from an external storage, or a file of an export, to the content bucket',
  queue: 'imports',
  message: ImportMessage,
  uses: importFileUses,
  attempts: 4,
  timeoutSeconds: 600,
  memoryMb: 512,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await copyImport({ deps, run }, message);
    return [];
  },
  onExhausted: ({ message, deps, run }) =>
    retryLaterOrFail({ deps, run }, message, 'The object could not be copied after several attempts'),
});

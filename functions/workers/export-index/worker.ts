import { exportAddressIn, ExportMessage } from '../../../shared/exports/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { failExport, runExport } from './steps/run-export.ts';
import { exportIndexUses } from './uses.ts';

export const exportIndex = worker({
  id: 'export-index',
  summary: 'Writes the rows of an index to files, part by part',
  queue: 'exports',
  message: ExportMessage,
  uses: exportIndexUses,
  assets: ['engine'],
  attempts: 4,
  timeoutSeconds: 600,
  memoryMb: 2048,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runExport({ deps, run }, exportAddressIn(message));
    return [];
  },
  onExhausted: ({ message, deps, run }) => failExport({ deps, run }, exportAddressIn(message)),
});

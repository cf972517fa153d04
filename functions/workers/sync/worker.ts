import { connectionAddressIn, SyncMessage } from '../../../shared/connectors/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { runSync } from './steps/run-sync.ts';
import { syncUses } from './uses.ts';

export const sync = worker({
  id: 'sync',
  summary: 'Syncs indexes with connected sources, step by step',
  queue: 'sync',
  message: SyncMessage,
  uses: syncUses,
  attempts: 5,
  timeoutSeconds: 300,
  // Four items of 128 MiB at a time, each both in chunks and complete.
  memoryMb: 2048,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runSync({ deps, run }, connectionAddressIn(message));
    return [];
  },
  // The schedule starts the sync again and counts the failure, since the record has the due time.
  onExhausted: () => Promise.resolve(),
});

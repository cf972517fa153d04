import { connectionAddressIn, SyncMessage } from '../../../shared/connectors/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { runSync } from './steps/run-sync.ts';
import { syncUses } from './uses.ts';

export const sync = worker({
  id: 'sync',
  summary: 'Brings the indexes up to date with the connected sources, step by step',
  queue: 'sync',
  message: SyncMessage,
  uses: syncUses,
  attempts: 5,
  timeoutSeconds: 300,
  // Four things of 128 MiB at a time, each in pieces and as a whole.
  memoryMb: 2048,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runSync({ deps, run }, connectionAddressIn(message));
    return [];
  },
  // The connection itself says when it is due: the schedule asks again, and counts how often nothing came of it.
  onTerminal: () => Promise.resolve(),
});

import { connectorsDue, syncSend } from '../../../shared/connectors/index.ts';
import { processBatch } from '../../../shared/pipeline/process-batch.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';

const limit = 1_000;

export const sweepSyncs = schedule({
  id: 'sweep-syncs',
  summary: 'Starts the syncs of connectors that are due',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: { connectors: connectorsDue, syncs: syncSend },
  handle: async ({ deps }) => {
    await processBatch(await deps.connectors.due(limit), (address) => deps.syncs.send(address));
  },
});

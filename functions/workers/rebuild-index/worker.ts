import { worker } from '../../../shared/pipeline/worker.ts';
import { rebuildAddressIn, RebuildMessage } from '../../../shared/rebuilds/index.ts';
import { failRebuild, runRebuild } from './steps/run-rebuild.ts';
import { rebuildIndexUses } from './uses.ts';

export const rebuildIndex = worker({
  id: 'rebuild-index',
  summary: 'Fills the successor of an index, and keeps the content that does not serve up to date',
  queue: 'rebuilds',
  message: RebuildMessage,
  uses: rebuildIndexUses,
  assets: ['engine'],
  attempts: 4,
  timeoutSeconds: 600,
  memoryMb: 3008,
  // Folding a large successor sorts on disk.
  storageMb: 10_240,
  batchSize: 1,
  maxConcurrency: 20,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message, messageId } of deliveries)
      await runRebuild({ deps, run }, rebuildAddressIn(message), messageId);
    return [];
  },
  onExhausted: ({ message, deps, run }) => failRebuild({ deps, run }, rebuildAddressIn(message)),
});

import { LogMessage } from '../../../shared/indexes/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { reconcileOutside } from './steps/reconcile-outside.ts';
import { reconcilerUses } from './steps/reconciler-uses.ts';

export const reconciler = worker({
  id: 'reconciler',
  summary: 'Refuses changes that the index writer could neither apply nor reconcile, so that its log continues',
  queue: 'reconcile',
  message: LogMessage,
  uses: reconcilerUses,
  attempts: 5,
  timeoutSeconds: 30,
  memoryMb: 512,
  batchSize: 1,
  maxConcurrency: 5,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await reconcileOutside({ deps, run }, message);
    return [];
  },
  onExhausted: ({ message, deps, run }) => reconcileOutside({ deps, run }, message),
});

import * as z from 'zod';
import { EventRef, eventsWrite, failedMessages, relayEvent } from '../../../shared/events/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import {
  continueReplay,
  deliveriesStart,
  deliveryProvider,
  ReplayRef,
  replaysWrite,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Hands recorded events to the delivery provider, and takes replays of ranges on step by step. */
export const relay = worker({
  id: 'relay',
  summary: 'Hands recorded events to the delivery provider',
  queue: 'relay',
  message: z.union([EventRef, ReplayRef]),
  uses: {
    events: eventsWrite,
    provider: deliveryProvider,
    webhooks: webhooksRead,
    starter: deliveriesStart,
    replays: replaysWrite,
  },
  attempts: 10,
  batchSize: 10,
  maxConcurrency: 20,
  timeoutSeconds: 30,
  memoryMb: 256,
  handle: ({ deliveries, deps, run }) =>
    failedMessages(deliveries, run.log, (message) =>
      'replay_id' in message ? continueReplay(deps, message) : relayEvent(deps, message),
    ),
  onTerminal: async ({ message, deps }) => {
    // A replay lies in its table still, and the sweep asks for it again.
    if ('replay_id' in message) return;
    await deps.events.settle(message.organization_id, message.event_id, 'failed');
  },
});

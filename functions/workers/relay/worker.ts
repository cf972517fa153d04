import { EventRef, eventsWrite, failedMessages, relayEvent } from '../../../shared/events/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { deliveryProvider } from '../../../shared/webhooks/index.ts';

/** Hands recorded events to the delivery provider. */
export const relay = worker({
  id: 'relay',
  summary: 'Hands recorded events to the delivery provider',
  queue: 'relay',
  message: EventRef,
  uses: { events: eventsWrite, provider: deliveryProvider },
  attempts: 10,
  batchSize: 10,
  maxConcurrency: 20,
  timeoutSeconds: 30,
  memoryMb: 256,
  handle: ({ deliveries, deps, run }) => failedMessages(deliveries, run.log, (event) => relayEvent(deps, event)),
  onTerminal: ({ message, deps }) => deps.events.settle(message.organization_id, message.event_id, 'failed'),
});

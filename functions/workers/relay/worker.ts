import * as z from 'zod';
import { EventRef, eventsWrite, putOffEvent, relayEvents } from '../../../shared/events/index.ts';
import { failedMessages } from '../../../shared/pipeline/failed-messages.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { eventBus } from '../../../shared/platform/aws/event-bus.ts';
import {
  continueReplay,
  deliveriesStart,
  deliveryProvider,
  ReplayRef,
  replaysWrite,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Hands recorded events to the delivery provider and the event bus, and takes replays of ranges on step by step. */
export const relay = worker({
  id: 'relay',
  summary: 'Hands recorded events to the delivery provider and the event bus',
  queue: 'relay',
  message: z.union([EventRef, ReplayRef]),
  uses: {
    events: eventsWrite,
    provider: deliveryProvider,
    bus: eventBus,
    webhooks: webhooksRead,
    starter: deliveriesStart,
    replays: replaysWrite,
  },
  attempts: 10,
  batchSize: 10,
  maxConcurrency: 20,
  timeoutSeconds: 30,
  memoryMb: 256,
  handle: ({ deliveries, deps, run }) => {
    const relayed = relayEvents(
      deps,
      deliveries.flatMap(({ message }) => ('event_id' in message ? [message] : [])),
    );
    return failedMessages(deliveries, run.log, async (message) => {
      if ('replay_id' in message) return continueReplay(deps, message);
      const failure = (await relayed).get(message.event_id);
      if (failure !== undefined) throw failure;
    });
  },
  onTerminal: async ({ message, deps, run }) => {
    // A replay lies in its table still, and the sweep asks for it again.
    if ('replay_id' in message) return;
    await putOffEvent(deps.events, message, run.clock);
  },
});

import * as z from 'zod';
import { AuditRef, auditRead } from '../../../shared/audit/index.ts';
import { EventRef, eventsWrite, deferEvent, relayEvents } from '../../../shared/events/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { processMessages } from '../../../shared/pipeline/process-messages.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { eventBus } from '../../../shared/platform/aws/event-bus.ts';
import {
  continueReplay,
  deliveriesStart,
  deliveryProvider,
  relayAuditRecord,
  ReplayRef,
  replaysWrite,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Publishes recorded events and audit records to the delivery provider and the event bus, and runs the steps of replays. */
export const relay = worker({
  id: 'relay',
  summary: 'Publishes recorded events to the delivery provider and the event bus',
  queue: 'relay',
  message: z.union([EventRef, ReplayRef, AuditRef]),
  uses: {
    events: eventsWrite,
    provider: deliveryProvider,
    bus: eventBus,
    webhooks: webhooksRead,
    starter: deliveriesStart,
    replays: replaysWrite,
    audit: auditRead,
    organizations: organizationsRead,
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
    return processMessages(deliveries, run.log, async (message) => {
      if ('replay_id' in message) return continueReplay(deps, message);
      if ('audit_id' in message) return relayAuditRecord(deps, message);
      const failure = (await relayed).get(message.event_id);
      if (failure !== undefined) throw failure;
    });
  },
  onExhausted: async ({ message, deps, run }) => {
    // The sweep finds a replay in its table and enqueues it again. A record that never succeeded has no event.
    if ('replay_id' in message || 'audit_id' in message) return;
    await deferEvent(deps.events, message, run.clock);
  },
});

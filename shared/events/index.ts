import { capability } from '../kernel/capability.ts';
import type { Runtime } from '../kernel/capability.ts';
import { sendMessages } from '../platform/aws/queue.ts';
import { type EventReader, type EventWriter, openEventReader, openEventWriter } from './repository.ts';
import type { EventRef } from './schemas.ts';

export const eventsRead = capability<EventReader>(['events.read'], openEventReader);
export const eventsWrite = capability<EventWriter>(['events.read', 'events.write'], openEventWriter);

/** Enqueues messages that relay events. Safe to repeat. */
export interface RelaySender {
  send(events: readonly EventRef[]): Promise<void>;
}

export const relaySend = capability<RelaySender>(['relay.send'], (runtime: Runtime) => ({
  send: (events) => sendMessages(runtime, 'relay', runtime.config.homeRegion, events),
}));

export {
  auditRecorded,
  endpointDisabled,
  exportCompleted,
  exportFailed,
  fileCompleted,
  fileExpired,
  fileFailed,
  fileStarted,
  indexCapacityWarning,
  indexCreated,
  indexUpdated,
  indexErased,
  rebuildCompleted,
  rebuildFailed,
  type NewEvent,
} from './build.ts';
export { truncateEnvelope, envelopeLimitBytes, maxSparseTextCharacters } from './truncate-envelope.ts';
export { deleteWithEvents } from './delete-with-events.ts';
export { listEventHistory } from './list.ts';
export { type EventRecorder, recordEvents, sweepOutbox } from './outbox.ts';
export { deferEvent, relayEvents } from './relay.ts';
export type { EventRange, EventReader, EventWriter } from './repository.ts';
export {
  type Envelope,
  eventData,
  EventType,
  eventTypes,
  namedEventTypes,
  exampleCapacity,
  IndexCapacity,
} from './event-data.ts';
export { EventHistory, EventHistoryQuery, EventRef } from './schemas.ts';
export { fillSlot, slotAttribute } from './outbox-slots.ts';

import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type Capability, capability, type Runtime } from '../../kernel/capability.ts';
import { lazy } from '../../kernel/memoize.ts';
import type { OutgoingEvent } from '../delivery/port.ts';
import { requestTimeouts } from './request-timeouts.ts';

/** Event bus of the operator that also receives every event. */
export interface EventBus {
  /**
   * Puts events on the bus and returns a map of rejected event ids to reasons. A retry puts an event again under the
   * same id.
   * Does nothing if no bus is configured. Throws if there was no response.
   */
  put(events: readonly OutgoingEvent[]): Promise<ReadonlyMap<string, string>>;
}

const maxEntries = 10;
/** Maximum bytes of one request, counted as EventBridge does. */
const maxBytes = 256 * 1024;

/**
 * Returns the size of an entry: 14 bytes for its time, and the UTF-8 of its other parts. Source: the user guide of
 * EventBridge.
 */
const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  14 + [Source, DetailType, Detail].reduce((bytes, part) => bytes + Buffer.byteLength(part), 0);

/** Builds an entry. The id is added to the envelope, because an entry has no headers. */
const entryOf = (source: string, bus: string, { id, type, createdAt, body }: OutgoingEvent): PutEventsRequestEntry => ({
  EventBusName: bus,
  Source: source,
  DetailType: type,
  Time: new Date(createdAt),
  Detail: `{"id":${JSON.stringify(id)},${body.slice(body.indexOf('{') + 1)}`,
});

interface Entry {
  readonly id: string;
  readonly entry: PutEventsRequestEntry;
}

/** Splits entries into requests within the limits; an entry that is too large is sent alone. */
const requestsOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const requests: Entry[][] = [];
  let bytes = Infinity;
  for (const { id, entry } of entries) {
    const size = entryBytes(entry);
    const last = requests.at(-1);
    if (last === undefined || last.length === maxEntries || bytes + size > maxBytes) {
      requests.push([{ id, entry }]);
      bytes = size;
    } else {
      last.push({ id, entry });
      bytes += size;
    }
  }
  return requests;
};

const openEventBus = ({ config }: Runtime): EventBus => {
  const bus = config.delivery.eventBus;
  if (bus === null) return { put: () => Promise.resolve(new Map()) };
  const connect = lazy(
    () => new EventBridgeClient({ region: config.homeRegion, requestHandler: requestTimeouts(5_000) }),
  );
  return {
    put: async (events) => {
      const refused = new Map<string, string>();
      const entries = events.map((event) => ({ id: event.id, entry: entryOf(config.deployment, bus, event) }));
      for (const request of requestsOf(entries)) {
        // A response of 200 may reject single entries. Each has its own result, in the order of the request.
        const response = await connect().send(new PutEventsCommand({ Entries: request.map(({ entry }) => entry) }));
        for (const [at, { id }] of request.entries()) {
          const { EventId, ErrorCode, ErrorMessage } = response.Entries?.[at] ?? {};
          if (EventId === undefined) refused.set(id, `${ErrorCode ?? 'no result'}: ${ErrorMessage ?? ''}`);
        }
      }
      return refused;
    },
  };
};

/** Puts events on the configured bus; does nothing if there is none. */
export const eventBus: Capability<EventBus> = capability(['bus.put'], openEventBus);

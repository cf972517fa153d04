import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type Capability, capability, type Runtime } from '../../kernel/capability.ts';
import { lazy } from '../../kernel/memoize.ts';
import type { OutgoingEvent } from '../delivery/port.ts';
import { requestTimeouts } from './request-timeouts.ts';

/** A bus of the user's own that every event is put on too. */
export interface EventBus {
  /**
   * Puts events on the bus; resolves with the ids of those that it did not take, by why. A repeat puts an event on the
   * bus once more, under the same id. Does nothing where no bus is configured. Throws where no answer came.
   */
  put(events: readonly OutgoingEvent[]): Promise<ReadonlyMap<string, string>>;
}

const maxEntries = 10;
/** Of one request, counted as EventBridge does. */
const maxBytes = 256 * 1024;

/**
 * What counts of an entry: 14 bytes for its time, and the UTF-8 of its other parts. Source: the user guide of EventBridge.
 */
const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  14 + [Source, DetailType, Detail].reduce((bytes, part) => bytes + Buffer.byteLength(part), 0);

/** The id stands beside the envelope, because an entry has no header to carry it. */
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

/** Cuts entries into requests that the bus takes whole; an entry that is too large by itself goes alone. */
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
        // An answer of 200 may refuse single entries: each has its own result, in the order of the request.
        const answer = await connect().send(new PutEventsCommand({ Entries: request.map(({ entry }) => entry) }));
        for (const [at, { id }] of request.entries()) {
          const { EventId, ErrorCode, ErrorMessage } = answer.Entries?.[at] ?? {};
          if (EventId === undefined) refused.set(id, `${ErrorCode ?? 'no result'}: ${ErrorMessage ?? ''}`);
        }
      }
      return refused;
    },
  };
};

/** Puts events on the bus that the deployment names; does nothing where it names none. */
export const eventBus: Capability<EventBus> = capability(['bus.put'], openEventBus);

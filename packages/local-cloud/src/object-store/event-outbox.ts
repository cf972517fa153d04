import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectCreated } from './contracts.ts';
import type { Database } from './database.ts';

const maxDeliveriesInFlight = 16;
const firstRetryMs = 100;
const maxRetryMs = 30_000;
const drainMs = 5_000;

interface StoredEvent {
  readonly sequencer: number;
  /** JSON, as `add` wrote it. */
  readonly event: string;
}

export interface EventOutbox {
  /** Stores an event within the caller's transaction. */
  add(event: Omit<ObjectCreated, 'versionSequencer'>): void;
  /** Starts the delivery of added events. Has to be called after the commit. */
  wake(): void;
  /** Stops retries, and waits five seconds for running calls. Events without a confirmed delivery stay stored. */
  close(): Promise<void>;
}

/**
 * Runs `work`, and retries it after a pause if it fails. The caller has stored an event, and must not fail because events
 * cannot be read at the moment.
 */
const retryWork = (work: () => void, onError: (error: unknown) => void): (() => void) => {
  let retry: NodeJS.Timeout | undefined;
  const run = (): void => {
    try {
      work();
    } catch (error) {
      onError(error);
      retry ??= setTimeout(() => {
        retry = undefined;
        run();
      }, maxRetryMs).unref();
    }
  };
  return run;
};

/** Delivers stored events, first those of an earlier run. An event is deleted only after `deliver` has resolved. */
export const openEventOutbox = (
  database: Database,
  deliver: ((event: ObjectCreated) => Promise<void>) | undefined,
  onError: (error: unknown) => void,
): EventOutbox => {
  if (deliver === undefined) return { add: () => {}, wake: () => {}, close: async () => {} };
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let lastStarted = 0;

  const startDeliveries = (): void => {
    const free = maxDeliveriesInFlight - inFlight.size;
    if (free <= 0 || stopping.signal.aborted) return;
    const rows = database.sql.all`
      SELECT * FROM events WHERE sequencer > ${lastStarted} ORDER BY sequencer LIMIT ${free}` as StoredEvent[];
    for (const { sequencer, event } of rows) {
      lastStarted = sequencer;
      const stored = JSON.parse(event) as Omit<ObjectCreated, 'versionSequencer'>;
      const versionSequencer = sequencer.toString(16).toUpperCase().padStart(16, '0');
      const delivery = deliverUntilDone({ ...stored, versionSequencer }, deliver, onError, stopping.signal)
        .then((done) => {
          if (done) database.remove('events', { sequencer });
        })
        .catch(onError)
        .finally(() => {
          inFlight.delete(delivery);
          wake();
        });
      inFlight.add(delivery);
    }
  };

  const wake = retryWork(startDeliveries, onError);

  return {
    add: (event) => {
      database.insert('events', { event: JSON.stringify(event) });
    },
    wake,
    close: async () => {
      stopping.abort();
      await Promise.race([Promise.allSettled(inFlight), delay(drainMs, undefined, { ref: false })]);
    },
  };
};

/** Whether the event was delivered before the store stopped. */
const deliverUntilDone = async (
  event: ObjectCreated,
  deliver: (event: ObjectCreated) => Promise<void>,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let retryMs = firstRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
    try {
      await deliver(event);
      return true;
    } catch (error) {
      onError(error);
      await delay(retryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  return false;
};

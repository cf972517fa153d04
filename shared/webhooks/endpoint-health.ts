import { openTable } from '../db/table.ts';
import { endpointDisabled, type EventRecorder, fillSlot, recordEvents, slotAttribute } from '../events/index.ts';
import { laterBy } from '../kernel/clock.ts';
import { type Capability, capability, type Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { keyOf, type WebhookEndpoint } from './record.ts';
import { maxPauseMs } from './retry-schedule.ts';

/** Result of an attempt, for the health of its endpoint. */
interface AttemptResult {
  readonly accepted: boolean;
  /** Whether the attempt was so short that many concurrent ones do not occupy the workers. */
  readonly quick: boolean;
  /** Whether the attempt was slow and received no response. */
  readonly silent: boolean;
}

/** Why another attempt is in progress. `wait`: the receiver is slow or not known. `skip`: it timed out at its last attempt. */
type Rejection = 'wait' | 'skip';

/** How an attempt is made: concurrently with others, or as the only one, the `probe` of a half-open circuit. */
type AttemptMode = 'concurrent' | 'probe';

/**
 * Circuit breaker of webhook endpoints. A receiver that is slow or hangs occupies workers. An endpoint that is not known to
 * respond quickly therefore gets one attempt at a time, its probe. This limits the workers that such endpoints occupy, and
 * attempts to other endpoints start at once.
 */
export interface EndpointHealth {
  /** Returns the rejection that the given state already implies; null if `acquireAttempt` has to decide. */
  knownRejection(endpoint: WebhookEndpoint): Rejection | null;
  /** Decides whether an attempt may start. A probe has a lease of 20 seconds. */
  acquireAttempt(endpoint: WebhookEndpoint): Promise<AttemptMode | Rejection>;
  /** Records the result of an attempt and releases its probe. Disables an endpoint after five days without a success. */
  recordAttempt(endpoint: WebhookEndpoint, result: AttemptResult, mode: AttemptMode): Promise<void>;
  /**
   * Disables an endpoint whose receiver returned 410. Returns whether the endpoint is disabled. False: its URL has changed
   * since the attempt, or the event of an earlier disabling is not recorded yet.
   */
  markGone(endpoint: WebhookEndpoint): Promise<boolean>;
}

/** Lease of a probe. It exceeds the timeout of an attempt. */
const probeMs = 20_000;
const trustMs = 60_000;
const failingLimitMs = 5 * dayMs;

/** Result of an attempt with its mode and time. */
interface RecordedAttempt {
  readonly result: AttemptResult;
  readonly mode: AttemptMode;
  readonly at: Date;
}

/**
 * Returns the attributes after an attempt: how long the receiver is trusted, and the end of the probe. A concurrent attempt
 * does not end the probe of another. Otherwise several attempts would go on at a receiver that has become slow.
 */
const attributesAfter = ({ result, mode, at }: RecordedAttempt) => ({
  responsive_until: result.quick ? laterBy(at, trustMs).toISOString() : at.toISOString(),
  ...(mode === 'probe' ? { probe_until: at.toISOString() } : {}),
});

/** Writes of the health attributes. Each requires that the URL is still that of the attempt. */
const openHealthStore = (runtime: Runtime, recorder: EventRecorder) => {
  const table = openTable(runtime, 'webhooks');
  return {
    /** Acquires the probe of an endpoint. Returns false if another attempt has it. */
    acquireProbe: async ({ organizationId, id, url }: WebhookEndpoint, at: Date): Promise<boolean> => {
      const set = { probe_until: laterBy(at, probeMs).toISOString() };
      const condition = { url: { eq: url }, probe_until: { lte: at.toISOString() } };
      return (await table.update(keyOf(organizationId, id), { set, condition })) !== null;
    },
    recordSuccess: async ({ organizationId, id, url }: WebhookEndpoint, attempt: RecordedAttempt): Promise<void> => {
      await table.update(keyOf(organizationId, id), {
        set: attributesAfter(attempt),
        remove: ['failing_since', 'silent'],
        condition: { url: { eq: url } },
      });
    },
    /** @param restart Whether `failing_since` starts with this attempt, even if it is set. */
    recordFailure: async (
      { organizationId, id, url }: WebhookEndpoint,
      attempt: RecordedAttempt,
      restart: boolean,
    ): Promise<void> => {
      const since = { failing_since: attempt.at.toISOString() };
      await table.update(keyOf(organizationId, id), {
        set: { ...attributesAfter(attempt), silent: attempt.result.silent, ...(restart ? since : {}) },
        setOnce: restart ? {} : since,
        condition: { url: { eq: url } },
      });
    },
    /** Disables an endpoint and stores the event in one write. Returns whether the endpoint is disabled afterwards. */
    disable: async (endpoint: WebhookEndpoint, reason: 'gone' | 'failing', at: Date): Promise<boolean> => {
      const { organizationId, id, url, failingSince } = endpoint;
      const event = endpointDisabled({ organizationId, at, endpoint: { id, reason } });
      const item = await table.update(keyOf(organizationId, id), {
        set: { disabled_reason: reason, updated_at: at.toISOString(), ...fillSlot('disabled', event) },
        condition: {
          url: { eq: url },
          disabled_reason: { exists: false },
          [slotAttribute('disabled')]: { exists: false },
          ...(reason === 'failing' && failingSince !== null ? { failing_since: { eq: failingSince } } : {}),
        },
      });
      if (item === null) return (await table.get(keyOf(organizationId, id)))?.['disabled_reason'] !== undefined;
      await recorder.flush(organizationId, item);
      return true;
    },
  };
};

/** Whether another attempt has the probe of an endpoint that is not known to respond quickly. */
const isProbed = ({ responsiveUntil, probeUntil }: WebhookEndpoint, at: Date): boolean =>
  responsiveUntil <= at.toISOString() && probeUntil > at.toISOString();

/** Whether the last attempt was so long ago that earlier failures no longer count, for example after an outage. */
const wasIdle = ({ responsiveUntil }: WebhookEndpoint, at: Date): boolean =>
  at.getTime() - Date.parse(responsiveUntil) > maxPauseMs;

const rejectionOf = ({ silent }: WebhookEndpoint): Rejection => (silent ? 'skip' : 'wait');

const openHealth = ({ clock }: Runtime, store: ReturnType<typeof openHealthStore>): EndpointHealth => ({
  knownRejection: (endpoint) => (isProbed(endpoint, clock.now()) ? rejectionOf(endpoint) : null),
  acquireAttempt: async (endpoint) => {
    const at = clock.now();
    if (endpoint.responsiveUntil > at.toISOString()) return 'concurrent';
    return !isProbed(endpoint, at) && (await store.acquireProbe(endpoint, at)) ? 'probe' : rejectionOf(endpoint);
  },
  recordAttempt: async (endpoint, result, mode) => {
    const at = clock.now();
    const attempt = { result, mode, at };
    const { failingSince, silent } = endpoint;
    // While the receiver is trusted for more than half of the period, a quick result does not extend it.
    const extendsTrust = !result.quick || endpoint.responsiveUntil <= laterBy(at, trustMs / 2).toISOString();
    if (result.accepted) {
      if (extendsTrust || failingSince !== null || silent) await store.recordSuccess(endpoint, attempt);
      return;
    }
    const idle = wasIdle(endpoint, at);
    if (extendsTrust || failingSince === null) await store.recordFailure(endpoint, attempt, idle);
    if (failingSince !== null && !idle && at.getTime() - Date.parse(failingSince) >= failingLimitMs) {
      await store.disable(endpoint, 'failing', at);
    }
  },
  markGone: (endpoint) => store.disable(endpoint, 'gone', clock.now()),
});

const recording = recordEvents('webhooks');

export const endpointHealth: Capability<EndpointHealth> = capability(
  ['webhooks.read', 'webhooks.write', ...recording.needs],
  (runtime) => openHealth(runtime, openHealthStore(runtime, recording.make(runtime))),
);

import { openTable } from '../db/table.ts';
import { endpointDisabled, type EventRecorder, fillSlot, recordEvents, slotAttribute } from '../events/index.ts';
import { type Capability, capability, type Runtime } from '../kernel/capability.ts';
import { keyOf, type WebhookEndpoint } from './record.ts';

/** How an attempt ended, as far as the endpoint is concerned; `silence`: the receiver gave no answer in time. */
type Ending = 'success' | 'failure' | 'silence';

/**
 * What is known of the receivers of endpoints. A receiver that hangs holds a run for as long as an attempt may take, so
 * of one that is not known to answer, a single attempt at a time is made: however many events wait for such receivers,
 * the runs that they hold stay few, and everybody else's attempts begin at once.
 */
export interface EndpointHealth {
  /** Whether it is known, without asking, that `takeTurn` would say `skip`. */
  skips(endpoint: WebhookEndpoint): boolean;
  /**
   * Whether an attempt may begin. `wait`: the first one since long is under way and will tell; `skip`: the receiver hung
   * when last tried, and is being tried by another attempt.
   */
  takeTurn(endpoint: WebhookEndpoint): Promise<'go' | 'wait' | 'skip'>;
  /** Notes how an attempt ended; disables an endpoint after five days without one success. */
  note(endpoint: WebhookEndpoint, ending: Ending): Promise<void>;
  /**
   * Stops an endpoint whose receiver said that it is gone, unless its address has changed since. Whether it receives
   * nothing any more: false where that was said of an old address, or where an earlier stop is still to be told of.
   */
  markGone(endpoint: WebhookEndpoint): Promise<boolean>;
}

/** Longer than an attempt can take. */
const turnMs = 20_000;
const trustMs = 60_000;
const failingLimitMs = 5 * 86_400_000;

const later = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

/** What is written about a receiver; what was learned at an old address says nothing of the one that is there now. */
const openMarks = (runtime: Runtime, recorder: EventRecorder) => {
  const table = openTable(runtime, 'webhooks');
  return {
    /** Whether nobody else has the turn of an endpoint. */
    take: async ({ organizationId, id, url }: WebhookEndpoint, at: Date): Promise<boolean> => {
      const set = { probe_until: later(at, turnMs) };
      const condition = { url: { eq: url }, probe_until: { lte: at.toISOString() } };
      return (await table.update(keyOf(organizationId, id), { set, condition })) !== null;
    },
    success: async ({ organizationId, id, url }: WebhookEndpoint, at: Date): Promise<void> => {
      await table.update(keyOf(organizationId, id), {
        set: { responsive_until: later(at, trustMs), probe_until: at.toISOString() },
        remove: ['failing_since', 'silent'],
        condition: { url: { eq: url } },
      });
    },
    failure: async ({ organizationId, id, url }: WebhookEndpoint, silent: boolean, at: Date): Promise<void> => {
      const responsiveUntil = silent ? at.toISOString() : later(at, trustMs);
      await table.update(keyOf(organizationId, id), {
        set: { silent, responsive_until: responsiveUntil, probe_until: at.toISOString() },
        setOnce: { failing_since: at.toISOString() },
        condition: { url: { eq: url } },
      });
    },
    /** Disables an endpoint and tells of it in one write. Whether it is disabled then, by whomever. */
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

/** Whether somebody else has the turn of an endpoint that is not known to answer. */
const isProbed = ({ responsiveUntil, probeUntil }: WebhookEndpoint, at: Date): boolean =>
  responsiveUntil <= at.toISOString() && probeUntil > at.toISOString();

const openHealth = ({ clock }: Runtime, marks: ReturnType<typeof openMarks>): EndpointHealth => ({
  skips: (endpoint) => endpoint.silent && isProbed(endpoint, clock.now()),
  takeTurn: async (endpoint) => {
    const at = clock.now();
    if (endpoint.responsiveUntil > at.toISOString()) return 'go';
    if (!isProbed(endpoint, at) && (await marks.take(endpoint, at))) return 'go';
    return endpoint.silent ? 'skip' : 'wait';
  },
  note: async (endpoint, ending) => {
    const at = clock.now();
    const { failingSince, silent } = endpoint;
    const trusted = endpoint.responsiveUntil > later(at, trustMs / 2);
    if (ending === 'success') {
      if (!trusted || failingSince !== null || silent) await marks.success(endpoint, at);
      return;
    }
    if (!trusted || failingSince === null || ending === 'silence') {
      await marks.failure(endpoint, ending === 'silence', at);
    }
    if (failingSince !== null && at.getTime() - Date.parse(failingSince) >= failingLimitMs) {
      await marks.disable(endpoint, 'failing', at);
    }
  },
  markGone: (endpoint) => marks.disable(endpoint, 'gone', clock.now()),
});

const recording = recordEvents('webhooks');

export const endpointHealth: Capability<EndpointHealth> = capability(
  ['webhooks.read', 'webhooks.write', ...recording.needs],
  (runtime) => openHealth(runtime, openMarks(runtime, recording.make(runtime))),
);

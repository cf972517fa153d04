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
  /**
   * Whether an attempt may begin. `wait`: the first one since long is under way and will tell; `skip`: the receiver hung
   * when last tried, and is being tried by another attempt.
   */
  takeTurn(endpoint: WebhookEndpoint): Promise<'go' | 'wait' | 'skip'>;
  /** Notes how an attempt ended; disables an endpoint after five days without one success. */
  note(endpoint: WebhookEndpoint, ending: Ending): Promise<void>;
  /** Stops an endpoint whose receiver said that it is gone, unless its address has changed since. */
  markGone(endpoint: WebhookEndpoint): Promise<void>;
}

/** Longer than an attempt can take. */
const turnMs = 20_000;
const trustMs = 60_000;
const failingLimitMs = 5 * 86_400_000;

const later = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

const openHealth = (runtime: Runtime, recorder: EventRecorder): EndpointHealth => {
  const table = openTable(runtime, 'webhooks');

  /** Disables an endpoint and tells of it in one write. */
  const disable = async (endpoint: WebhookEndpoint, reason: 'gone' | 'failing'): Promise<void> => {
    const { organizationId, id, url, failingSince } = endpoint;
    const at = runtime.clock.now();
    const item = await table.update(keyOf(organizationId, id), {
      set: {
        disabled_reason: reason,
        updated_at: at.toISOString(),
        ...fillSlot('disabled', endpointDisabled({ organizationId, at, endpoint: { id, reason } })),
      },
      condition: {
        url: { eq: url },
        disabled_reason: { exists: false },
        [slotAttribute('disabled')]: { exists: false },
        ...(reason === 'failing' && failingSince !== null ? { failing_since: { eq: failingSince } } : {}),
      },
    });
    if (item !== null) await recorder.flush(organizationId, item);
  };

  const noteSuccess = async ({ organizationId, id }: WebhookEndpoint, at: Date): Promise<void> => {
    await table.update(keyOf(organizationId, id), {
      set: { responsive_until: later(at, trustMs), probe_until: at.toISOString() },
      remove: ['failing_since', 'silent'],
      condition: { pk: { exists: true } },
    });
  };

  const noteFailure = async ({ organizationId, id }: WebhookEndpoint, silent: boolean, at: Date): Promise<void> => {
    await table.update(keyOf(organizationId, id), {
      set: { silent, responsive_until: silent ? at.toISOString() : later(at, trustMs), probe_until: at.toISOString() },
      setOnce: { failing_since: at.toISOString() },
      condition: { pk: { exists: true } },
    });
  };

  return {
    takeTurn: async ({ organizationId, id, responsiveUntil, silent }) => {
      const at = runtime.clock.now();
      if (responsiveUntil > at.toISOString()) return 'go';
      const taken = await table.update(keyOf(organizationId, id), {
        set: { probe_until: later(at, turnMs) },
        condition: { probe_until: { lte: at.toISOString() } },
      });
      if (taken !== null) return 'go';
      return silent ? 'skip' : 'wait';
    },
    note: async (endpoint, ending) => {
      const at = runtime.clock.now();
      const trusted = endpoint.responsiveUntil > later(at, trustMs / 2);
      const { failingSince } = endpoint;
      if (ending === 'success') {
        if (!trusted || failingSince !== null || endpoint.silent) await noteSuccess(endpoint, at);
        return;
      }
      if (!trusted || failingSince === null || ending === 'silence') {
        await noteFailure(endpoint, ending === 'silence', at);
      }
      if (failingSince !== null && at.getTime() - Date.parse(failingSince) >= failingLimitMs) {
        await disable(endpoint, 'failing');
      }
    },
    markGone: (endpoint) => disable(endpoint, 'gone'),
  };
};

const recording = recordEvents('webhooks');

export const endpointHealth: Capability<EndpointHealth> = capability(
  ['webhooks.read', 'webhooks.write', ...recording.needs],
  (runtime) => openHealth(runtime, recording.make(runtime)),
);

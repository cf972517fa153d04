import { openTable } from '../db/table.ts';
import { endpointDisabled, type EventRecorder, fillSlot, recordEvents, slotAttribute } from '../events/index.ts';
import { laterBy } from '../kernel/clock.ts';
import { type Capability, capability, type Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { keyOf, type WebhookEndpoint } from './record.ts';
import { longestPauseMs } from './schedule.ts';

/** How an attempt ended, as far as the endpoint is concerned. */
interface Ending {
  readonly accepted: boolean;
  /** Whether it was over so soon that many of them side by side hold nobody up. */
  readonly quick: boolean;
  /** Whether it took its time and came to no answer. */
  readonly silent: boolean;
}

/**
 * Why an attempt may not begin beside the one that is under way. `wait`: the receiver is slow, or has not been heard of
 * for long; `skip`: it hung when last tried.
 */
type Refusal = 'wait' | 'skip';

/** How an attempt is made: beside any others, or `alone`, with the turn of the endpoint until it has been noted. */
type Turn = 'beside' | 'alone';

/**
 * What is known of the receivers of endpoints. A receiver that hangs or takes its time holds a run meanwhile, so of one
 * that is not known to answer quickly, a single attempt at a time is made: however many events wait for such receivers,
 * the runs that they hold stay few, and everybody else's attempts begin at once.
 */
export interface EndpointHealth {
  /** What `takeTurn` is known to refuse without asking; null where an attempt may begin. */
  refusal(endpoint: WebhookEndpoint): Refusal | null;
  /** Whether an attempt may begin. */
  takeTurn(endpoint: WebhookEndpoint): Promise<Turn | Refusal>;
  /** Notes how an attempt ended, which gives its turn back; disables an endpoint after five days of attempts without one success. */
  note(endpoint: WebhookEndpoint, ending: Ending, turn: Turn): Promise<void>;
  /**
   * Stops an endpoint whose receiver said that it is gone, unless its address has changed since. Whether it receives
   * nothing any more: false where that was said of an old address, or where an earlier stop is still to be told of.
   */
  markGone(endpoint: WebhookEndpoint): Promise<boolean>;
}

/** Longer than an attempt can take. */
const turnMs = 20_000;
const trustMs = 60_000;
const failingLimitMs = 5 * dayMs;

/** How an attempt went. */
interface Ended {
  readonly ending: Ending;
  readonly turn: Turn;
  readonly at: Date;
}

/**
 * What an attempt leaves: whether the receiver is trusted, and the turn where it was its own. One that was made beside
 * others gives none back, or as many as there were would go on side by side at a receiver that has become slow.
 */
const afterwards = ({ ending, turn, at }: Ended) => ({
  responsive_until: ending.quick ? laterBy(at, trustMs).toISOString() : at.toISOString(),
  ...(turn === 'alone' ? { probe_until: at.toISOString() } : {}),
});

/** What is written about a receiver; what was learned at an old address says nothing of the one that is there now. */
const openMarks = (runtime: Runtime, recorder: EventRecorder) => {
  const table = openTable(runtime, 'webhooks');
  return {
    /** Whether nobody else has the turn of an endpoint. */
    take: async ({ organizationId, id, url }: WebhookEndpoint, at: Date): Promise<boolean> => {
      const set = { probe_until: laterBy(at, turnMs).toISOString() };
      const condition = { url: { eq: url }, probe_until: { lte: at.toISOString() } };
      return (await table.update(keyOf(organizationId, id), { set, condition })) !== null;
    },
    success: async ({ organizationId, id, url }: WebhookEndpoint, ended: Ended): Promise<void> => {
      await table.update(keyOf(organizationId, id), {
        set: afterwards(ended),
        remove: ['failing_since', 'silent'],
        condition: { url: { eq: url } },
      });
    },
    /** @param anew Whether the time in which attempts fail begins with this one, whatever was before. */
    failure: async ({ organizationId, id, url }: WebhookEndpoint, ended: Ended, anew: boolean): Promise<void> => {
      const since = { failing_since: ended.at.toISOString() };
      await table.update(keyOf(organizationId, id), {
        set: { ...afterwards(ended), silent: ended.ending.silent, ...(anew ? since : {}) },
        setOnce: anew ? {} : since,
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

/** Whether somebody else has the turn of an endpoint that is not known to answer quickly. */
const isProbed = ({ responsiveUntil, probeUntil }: WebhookEndpoint, at: Date): boolean =>
  responsiveUntil <= at.toISOString() && probeUntil > at.toISOString();

/** Whether nothing was tried for so long, as while the service or the organization rested, that it says nothing of a receiver. */
const hasRested = ({ responsiveUntil }: WebhookEndpoint, at: Date): boolean =>
  at.getTime() - Date.parse(responsiveUntil) > longestPauseMs;

const refusalOf = ({ silent }: WebhookEndpoint): Refusal => (silent ? 'skip' : 'wait');

const openHealth = ({ clock }: Runtime, marks: ReturnType<typeof openMarks>): EndpointHealth => ({
  refusal: (endpoint) => (isProbed(endpoint, clock.now()) ? refusalOf(endpoint) : null),
  takeTurn: async (endpoint) => {
    const at = clock.now();
    if (endpoint.responsiveUntil > at.toISOString()) return 'beside';
    return !isProbed(endpoint, at) && (await marks.take(endpoint, at)) ? 'alone' : refusalOf(endpoint);
  },
  note: async (endpoint, ending, turn) => {
    const at = clock.now();
    const ended = { ending, turn, at };
    const { failingSince, silent } = endpoint;
    // Of a receiver that is trusted for some time yet, an ending like the last one tells nothing new.
    const news = !ending.quick || endpoint.responsiveUntil <= laterBy(at, trustMs / 2).toISOString();
    if (ending.accepted) {
      if (news || failingSince !== null || silent) await marks.success(endpoint, ended);
      return;
    }
    const rested = hasRested(endpoint, at);
    if (news || failingSince === null) await marks.failure(endpoint, ended, rested);
    if (failingSince !== null && !rested && at.getTime() - Date.parse(failingSince) >= failingLimitMs) {
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

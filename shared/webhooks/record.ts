import { type EventType, namedEventTypes } from '../events/index.ts';
import { flagOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { DisabledReason } from './schemas.ts';

/** Secret that was replaced by a newer one. */
export interface PreviousSecret {
  /** As stored. */
  readonly secret: string;
  /** Until when deliveries are also signed with this secret. */
  readonly until: string;
}

/** State of the circuit breaker of an endpoint. */
interface Health {
  /** First failed attempt since the last that succeeded; null after a success. */
  readonly failingSince: string | null;
  /** Until when the receiver counts as responsive; in the past if it is not known to be. */
  readonly responsiveUntil: string;
  /** End of the lease of the probe: until then no other attempt starts. */
  readonly probeUntil: string;
  /** Whether the receiver did not respond to the last recorded attempt. */
  readonly silent: boolean;
}

/** Webhook endpoint of an organization. */
export interface WebhookEndpoint extends Health {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Null: every type. */
  readonly eventTypes: readonly EventType[] | null;
  readonly description: string | null;
  /** Null if the endpoint is enabled. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * Encrypted; `SigningSecrets` decrypts it to sign a delivery. The service returns the secret once, after its creation, and
   * never logs it.
   */
  readonly storedSecret: string;
  readonly previousSecrets: readonly PreviousSecret[];
  /** Encrypted secret with which Svix signs its requests to the relay; null before the endpoint was written to Svix. */
  readonly channelSecret: string | null;
  /** Version and time of the last write to Svix; null before the first. */
  readonly mirror: { readonly version: string; readonly at: string } | null;
}

/** Returns the table key of an endpoint. */
export const keyOf = (organizationId: string, endpointId: string) => ({ pk: `ORG#${organizationId}`, sk: endpointId });

const mirrorOf = (item: Item): WebhookEndpoint['mirror'] => {
  const [version, at] = [textOf(item, 'mirror_version'), textOf(item, 'mirrored_at')];
  return version === null || at === null ? null : { version, at };
};

/** Reads a stored endpoint. The casts are safe because only this entity writes such items. */
export const toEndpoint = (item: Item): WebhookEndpoint => ({
  id: item.sk,
  organizationId: item.pk.slice('ORG#'.length),
  url: item['url'] as string,
  eventTypes: (item['event_types'] as EventType[] | undefined) ?? null,
  description: textOf(item, 'description'),
  disabledReason: textOf(item, 'disabled_reason') as DisabledReason | null,
  createdAt: item['created_at'] as string,
  updatedAt: item['updated_at'] as string,
  storedSecret: item['secret'] as string,
  previousSecrets: (item['previous_secrets'] as unknown as PreviousSecret[] | undefined) ?? [],
  failingSince: textOf(item, 'failing_since'),
  responsiveUntil: textOf(item, 'responsive_until') ?? '',
  probeUntil: textOf(item, 'probe_until') ?? '',
  silent: flagOf(item, 'silent'),
  channelSecret: textOf(item, 'channel_secret'),
  mirror: mirrorOf(item),
});

/** Whether events of a type are for the endpoints alone that name it. */
export const isByName = (type: string): boolean => namedEventTypes.some((named) => named === type);

/** Whether an endpoint is enabled and receives events of a type. */
export const isSubscribed = ({ disabledReason, eventTypes }: WebhookEndpoint, type: string): boolean =>
  disabledReason === null && (eventTypes === null ? !isByName(type) : eventTypes.some((wanted) => wanted === type));

/** Returns the previous secrets with which deliveries are still signed. */
export const validSecrets = ({ previousSecrets }: WebhookEndpoint, at: Date): readonly PreviousSecret[] =>
  previousSecrets.filter(({ until }) => until > at.toISOString());

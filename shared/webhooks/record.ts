import type { EventType } from '../events/index.ts';
import { flagOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { DisabledReason } from './schemas.ts';

/** A secret that a newer one has taken the place of. */
export interface PreviousSecret {
  /** As stored. */
  readonly secret: string;
  /** Until when deliveries are signed with it too. */
  readonly until: string;
}

/** How the receiver of an endpoint has answered lately. */
interface Health {
  /** First failed attempt since the last that succeeded; null after a success. */
  readonly failingSince: string | null;
  /** Until when the receiver counts as one that answers; the past where that is not known. */
  readonly responsiveUntil: string;
  /** Until when one attempt alone is made, which will tell whether the receiver answers. */
  readonly probeUntil: string;
  /** Whether the last that is known of the receiver is that it left an attempt without an answer. */
  readonly silent: boolean;
}

/** Where one organization receives events. */
export interface WebhookEndpoint extends Health {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Null: every type. */
  readonly eventTypes: readonly EventType[] | null;
  readonly description: string | null;
  /** Null while it receives. */
  readonly disabledReason: DisabledReason | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /**
   * As stored; `SigningSecrets` opens it where a delivery is signed. It leaves the service once, in the answer that makes it,
   * and is never logged.
   */
  readonly storedSecret: string;
  readonly previousSecrets: readonly PreviousSecret[];
  /** Secret, as stored, with which Svix signs its requests to the header relay; null before Svix has heard of the endpoint. */
  readonly channelSecret: string | null;
  /** The endpoint as Svix has it: which version of it, and when it was written; null before that. */
  readonly mirror: { readonly version: string; readonly at: string } | null;
}

/** Address of an endpoint in its table. */
export const keyOf = (organizationId: string, endpointId: string) => ({ pk: `ORG#${organizationId}`, sk: endpointId });

const mirrorOf = (item: Item): WebhookEndpoint['mirror'] => {
  const [version, at] = [textOf(item, 'mirror_version'), textOf(item, 'mirrored_at')];
  return version === null || at === null ? null : { version, at };
};

/** An endpoint as it is stored; the casts hold because only this entity writes such items. */
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

/** Whether an endpoint receives events of a type. */
export const wants = ({ disabledReason, eventTypes }: WebhookEndpoint, type: string): boolean =>
  disabledReason === null && (eventTypes === null || eventTypes.some((wanted) => wanted === type));

/** Previous secrets that deliveries are still signed with. */
export const validSecrets = ({ previousSecrets }: WebhookEndpoint, at: Date): readonly PreviousSecret[] =>
  previousSecrets.filter(({ until }) => until > at.toISOString());

import { randomBytes } from 'node:crypto';
import { present } from '../../db/condition.ts';
import { openTable } from '../../db/table.ts';
import type { Runtime } from '../../kernel/capability.ts';
import { dayMs } from '../../kernel/durations.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { newSigningSecret } from '../../platform/delivery/webhook-signature.ts';
import { maxConcurrentRequests, type SvixApi } from '../../platform/delivery/svix-api.ts';
import { relayRoute } from './relay.ts';
import { keyOf, toEndpoint, type WebhookEndpoint } from '../record.ts';
import { openSigningSecrets } from '../signing-secrets.ts';
import { channelsOf } from './messages.ts';

/** Copies webhook endpoints to Svix. */
export interface SvixMirror {
  /** Writes the endpoints of an organization that have changed since the last write or were not written for a day. */
  renew(endpoints: readonly WebhookEndpoint[]): Promise<void>;
  /** Writes all endpoints of an organization after Svix has lost them or was replaced. */
  restore(endpoints: readonly WebhookEndpoint[]): Promise<void>;
}

/** Svix may disable an endpoint by itself. A daily write enables it again. */
const refreshMs = dayMs;

/** Version of the written form. Endpoints that were written in another form are written again. */
const form = 'pairs';

const versionOf = ({ updatedAt }: WebhookEndpoint): string => `${updatedAt} ${form}`;

/** Returns the URL of the header relay for an endpoint. */
const relayUrlOf = (runtime: Runtime, { organizationId, id }: WebhookEndpoint): string => {
  const path = relayRoute.path.replace('{organization_id}', organizationId).replace('{endpoint_id}', id);
  return `${runtime.config.delivery.relayUrl}${path}`;
};

export const openMirror = (runtime: Runtime, api: SvixApi): SvixMirror => {
  const table = openTable(runtime, 'webhooks');
  const secrets = openSigningSecrets(runtime);

  const isStale = (endpoint: WebhookEndpoint): boolean => {
    const { mirror } = endpoint;
    if (mirror?.version !== versionOf(endpoint)) return true;
    return runtime.clock.now().getTime() - Date.parse(mirror.at) >= refreshMs;
  };

  const renewOne = async ({ organizationId, id }: WebhookEndpoint): Promise<void> => {
    const key = keyOf(organizationId, id);
    const fresh = await secrets.seal({ organizationId, id }, newSigningSecret(randomBytes(32)));
    // The secret is stored before it is sent to Svix, so a retry sends the same secret.
    const item = await table.update(key, {
      setOnce: { channel_secret: fresh },
      condition: present,
    });
    if (item === null) return;
    const endpoint = toEndpoint(item);
    await api.saveEndpoint(organizationId, {
      id,
      url: relayUrlOf(runtime, endpoint),
      secret: await secrets.open(endpoint, endpoint.channelSecret ?? ''),
      channels: channelsOf(endpoint),
      disabled: endpoint.disabledReason !== null,
    });
    await table.update(key, {
      set: { mirror_version: versionOf(endpoint), mirrored_at: runtime.clock.now().toISOString() },
      condition: { updated_at: { eq: endpoint.updatedAt } },
    });
  };

  const write = async (endpoints: readonly WebhookEndpoint[]): Promise<void> => {
    const [first] = endpoints;
    if (first === undefined) return;
    await api.saveApplication(first.organizationId);
    await inParallel(endpoints, maxConcurrentRequests, renewOne);
  };

  return {
    renew: (endpoints) => write(endpoints.filter(isStale)),
    restore: async (endpoints) => {
      // Endpoints are marked stale before the application is created. If this run stops then, the next one repeats it.
      await inParallel(endpoints, maxConcurrentRequests, ({ organizationId, id }) =>
        table.update(keyOf(organizationId, id), { remove: ['mirror_version'], condition: present }),
      );
      await write(endpoints);
    },
  };
};

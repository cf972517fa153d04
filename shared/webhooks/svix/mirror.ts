import { randomBytes } from 'node:crypto';
import { present } from '../../db/condition.ts';
import { openTable } from '../../db/table.ts';
import type { Runtime } from '../../kernel/capability.ts';
import { dayMs } from '../../kernel/durations.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { newSigningSecret } from '../../platform/delivery/sign.ts';
import { abreast, type SvixApi } from '../../platform/delivery/svix-api.ts';
import { relayRoute } from './relay.ts';
import { keyOf, toEndpoint, type WebhookEndpoint } from '../record.ts';
import { openSigningSecrets } from '../secrets.ts';
import { channelsOf } from './messages.ts';

/** Keeps the endpoints that Svix has like those of this service. */
export interface SvixMirror {
  /** Writes to Svix what has changed of endpoints of an organization since it was last written, and all once a day. */
  renew(endpoints: readonly WebhookEndpoint[]): Promise<void>;
  /** Writes all endpoints of an organization to Svix, which has lost them or is another. */
  restore(endpoints: readonly WebhookEndpoint[]): Promise<void>;
}

/** Svix may disable an endpoint by itself; what is still enabled here is so again there a day later at most. */
const keptMs = dayMs;

/** Changes with what is written of an endpoint, so that those in an older form are written anew. */
const form = 'channels';

const versionOf = ({ updatedAt }: WebhookEndpoint): string => `${updatedAt} ${form}`;

/** Address of the header relay for an endpoint, under that of the API. */
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
    return runtime.clock.now().getTime() - Date.parse(mirror.at) >= keptMs;
  };

  const renewOne = async ({ organizationId, id }: WebhookEndpoint): Promise<void> => {
    const key = keyOf(organizationId, id);
    const fresh = await secrets.seal({ organizationId, id }, newSigningSecret(randomBytes(32)));
    // Kept before Svix hears of it, so that a repeat gives Svix the same.
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
    await inParallel(endpoints, abreast, renewOne);
  };

  return {
    renew: (endpoints) => write(endpoints.filter(isStale)),
    restore: async (endpoints) => {
      // Before there is an application again: if the rest is cut short, the next to send finds them stale.
      await inParallel(endpoints, abreast, ({ organizationId, id }) =>
        table.update(keyOf(organizationId, id), { remove: ['mirror_version'], condition: present }),
      );
      await write(endpoints);
    },
  };
};

import type { Runtime } from '../../kernel/capability.ts';
import { unavailable } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import { maxConcurrentRequests, type SvixApi, type SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import { deliveriesOf } from '../publish.ts';
import type { WebhookEndpoint } from '../record.ts';
import type { WebhookReader } from '../repository.ts';
import { messageToAll, messageToOne } from './messages.ts';
import type { SvixMirror } from './mirror.ts';

/** Sends messages to Svix. A sender is created for one call, because it remembers what it has restored. */
interface SvixSender {
  /** Ensures that Svix sends an event to the endpoints that subscribe to its type. */
  toAll(event: OutgoingEvent, subscribed: readonly WebhookEndpoint[]): Promise<void>;
  /** Ensures that Svix sends the body of a delivery. */
  toOne(delivery: NewDelivery, body: string): Promise<void>;
}

interface SenderDeps {
  readonly api: SvixApi;
  readonly webhooks: Pick<WebhookReader, 'list'>;
  readonly mirror: SvixMirror;
}

export const openSvixSender = ({ clock }: Runtime, { api, webhooks, mirror }: SenderDeps): SvixSender => {
  const restore = memoizePerKey(async (organizationId: string) => mirror.restore(await webhooks.list(organizationId)));

  /** Creates a message. Returns false if Svix only reports that it knows the message. */
  const queue = async (organizationId: string, message: SvixMessage): Promise<boolean> => {
    const creation = await api.createMessage(organizationId, message);
    if (creation !== 'no_application') return creation === 'queued';
    await restore(organizationId);
    const again = await api.createMessage(organizationId, message);
    if (again === 'no_application') throw unavailable(`Svix has no application for ${organizationId}`);
    return again === 'queued';
  };

  const toOne = async (delivery: NewDelivery, body: string): Promise<void> => {
    const { organizationId, eventId, endpointId } = delivery;
    const message = messageToOne(delivery, body);
    if (await queue(organizationId, message)) return;
    if ((await api.destinations(organizationId, message.id)).has(endpointId)) return;
    // Svix has stored the message without queueing it, and accepts no message of this id again.
    const another = { ...message, id: `${message.id}.${newId('dlv', clock.now())}` };
    if (!(await queue(organizationId, another))) throw unavailable(`Svix does not send event ${eventId}`);
  };

  return {
    toOne,
    toAll: async (event, subscribed) => {
      const { organizationId, id, body } = event;
      if (await queue(organizationId, messageToAll(event))) return;
      const attempted = await api.destinations(organizationId, id);
      const missing = subscribed.filter((endpoint) => !attempted.has(endpoint.id));
      await inParallel(deliveriesOf(event, missing), maxConcurrentRequests, (delivery) => toOne(delivery, body));
    },
  };
};

import type { Runtime } from '../../kernel/capability.ts';
import { unavailable } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import type { OutgoingEvent } from '../../platform/delivery/port.ts';
import { abreast, type SvixApi, type SvixMessage } from '../../platform/delivery/svix-api.ts';
import type { NewDelivery } from '../delivery-record.ts';
import { deliveriesOf } from '../publish.ts';
import type { WebhookEndpoint } from '../record.ts';
import type { WebhookReader } from '../repository.ts';
import { messageToAll, messageToOne } from './messages.ts';
import type { SvixMirror } from './mirror.ts';

/** Sends as long as one call lasts. */
interface SvixSender {
  /** Makes sure that Svix sends an event to those who want it. */
  toAll(event: OutgoingEvent, wanting: readonly WebhookEndpoint[]): Promise<void>;
  /** Makes sure that Svix sends the body of a delivery. */
  toOne(delivery: NewDelivery, body: string): Promise<void>;
}

interface SenderDeps {
  readonly api: SvixApi;
  readonly webhooks: Pick<WebhookReader, 'list'>;
  readonly mirror: SvixMirror;
}

export const openSvixSender = ({ clock }: Runtime, { api, webhooks, mirror }: SenderDeps): SvixSender => {
  const restored = memoizePerKey(async (organizationId: string) => mirror.restore(await webhooks.list(organizationId)));

  /** False where Svix only says that it knows the message. */
  const queue = async (organizationId: string, message: SvixMessage): Promise<boolean> => {
    const creation = await api.createMessage(organizationId, message);
    if (creation !== 'homeless') return creation === 'queued';
    await restored(organizationId);
    const again = await api.createMessage(organizationId, message);
    if (again === 'homeless') throw unavailable(`Svix has no application for ${organizationId}`);
    return again === 'queued';
  };

  const toOne = async (delivery: NewDelivery, body: string): Promise<void> => {
    const { organizationId, eventId, endpointId } = delivery;
    const message = messageToOne(delivery, body);
    if (await queue(organizationId, message)) return;
    if ((await api.destinations(organizationId, message.id)).has(endpointId)) return;
    // Svix has kept the message without queueing it, and takes none of this id again.
    const another = { ...message, id: `${message.id}.${newId('dlv', clock.now())}` };
    if (!(await queue(organizationId, another))) throw unavailable(`Svix does not send event ${eventId}`);
  };

  return {
    toOne,
    toAll: async (event, wanting) => {
      const { organizationId, id, body } = event;
      if (await queue(organizationId, messageToAll(event))) return;
      const attempted = await api.destinations(organizationId, id);
      const missing = wanting.filter((endpoint) => !attempted.has(endpoint.id));
      await inParallel(deliveriesOf(event, missing), abreast, (delivery) => toOne(delivery, body));
    },
  };
};

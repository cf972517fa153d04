import { eventsRead } from '../events/index.ts';
import type { Runtime } from '../kernel/capability.ts';
import { openSvixApi, type SvixApi, type SvixAttempt, type SvixDelivery } from '../platform/delivery/svix-api.ts';
import * as z from 'zod';
import { AttemptRecord, type DeliveredType, testType } from './delivery-schemas.ts';
import type { Delivery, NewDelivery } from './delivery-record.ts';
import type { Deliverer } from './deliverer.ts';
import { wants, type WebhookEndpoint } from './record.ts';
import { openWebhookReader } from './repository.ts';
import { openMirror } from './svix-mirror.ts';
import type { SvixEnvelope } from './svix-relay.ts';

/** What Svix keeps of an event: the envelope as text, so that its bytes come out as they went in. */
const payloadOf = (eventId: string, body: string): SvixEnvelope => ({ event_id: eventId, envelope: body });

/** What the relay told Svix of an attempt. */
const RelayAnswer = z.object({
  status_code: AttemptRecord.shape.status_code.default(null),
  error: AttemptRecord.shape.error.default(null),
  duration_ms: z.int(),
});

const Dropped = z.object({ dropped: z.literal(true) });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isDropped = ({ answer }: SvixAttempt): boolean => Dropped.safeParse(parsed(answer)).success;

const attemptOf = (attempt: SvixAttempt, at: number): AttemptRecord => {
  const { data } = RelayAnswer.safeParse(parsed(attempt.answer));
  return {
    attempt: at + 1,
    at: attempt.at.toISOString(),
    status_code: data?.status_code ?? null,
    // Without a word of the relay, Svix did not reach it.
    error: data === undefined ? 'interrupted' : data.error,
    duration_ms: data?.duration_ms ?? null,
  };
};

const triggerOf = ({ type, attempts }: SvixDelivery): Delivery['trigger'] => {
  if (type === testType) return 'test';
  return attempts.some(({ manual }) => manual) ? 'replay' : 'event';
};

const deliveryOf = (organizationId: string, endpointId: string, delivery: SvixDelivery): Delivery => {
  const attempts = delivery.attempts.filter((attempt) => !isDropped(attempt)).map(attemptOf);
  return {
    id: delivery.id,
    organizationId,
    endpointId,
    eventId: delivery.eventId,
    // Svix knows types by their names alone, and only this service gives it messages.
    eventType: delivery.type as DeliveredType,
    trigger: triggerOf(delivery),
    body: null,
    createdAt: delivery.createdAt.toISOString(),
    status: attempts.length < delivery.attempts.length ? 'dropped' : delivery.status,
    attempt: attempts.length,
    dueAt: delivery.nextAttemptAt?.toISOString() ?? null,
    attempts,
  };
};

/** Makes sure that Svix sends an event to endpoints, where it only says that it knows it. */
const sendMissing = async (
  api: SvixApi,
  organizationId: string,
  eventId: string,
  wanting: readonly WebhookEndpoint[],
): Promise<void> => {
  const destinations = await api.destinations(organizationId, eventId);
  if (destinations === null) throw new Error(`Svix refused event ${eventId} as known, and does not have it`);
  for (const { id } of wanting.filter((endpoint) => !destinations.has(endpoint.id))) {
    await api.resend(organizationId, eventId, id, `${eventId}:${id}`);
  }
};

/** Delivery by Svix, which calls the relay of this service instead of the receivers themselves. */
export const openSvixDelivery = (runtime: Runtime): Deliverer => {
  const api = openSvixApi(runtime);
  const webhooks = openWebhookReader(runtime);
  const events = eventsRead.make(runtime);
  const mirror = openMirror(runtime, api);

  const sendDirect = async (delivery: NewDelivery): Promise<void> => {
    const { organizationId, eventId, endpointId, id } = delivery;
    if (delivery.trigger !== 'test' && (await api.resend(organizationId, eventId, endpointId, id))) return;
    const body = delivery.body ?? (await events.body(organizationId, eventId));
    if (body === null) return;
    const message = { id: eventId, type: delivery.eventType, payload: payloadOf(eventId, body), toAll: false };
    await api.createMessage(organizationId, message);
    if (!(await api.resend(organizationId, eventId, endpointId, `${id}:again`))) {
      throw new Error(`Svix does not send event ${eventId}`);
    }
  };

  return {
    publish: async ({ organizationId, id, type, body }) => {
      const endpoints = await webhooks.list(organizationId);
      await mirror.renew(endpoints);
      const wanting = endpoints.filter((endpoint) => wants(endpoint, type));
      if (wanting.length === 0) return;
      const isNew = await api.createMessage(organizationId, { id, type, payload: payloadOf(id, body), toAll: true });
      if (!isNew) await sendMissing(api, organizationId, id, wanting);
    },
    start: async (deliveries) => {
      for (const organizationId of new Set(deliveries.map((delivery) => delivery.organizationId))) {
        await mirror.renew(await webhooks.list(organizationId));
      }
      for (const delivery of deliveries) await sendDirect(delivery);
    },
    forget: async (organizationId, endpointId) => {
      try {
        await api.removeEndpoint(organizationId, endpointId);
      } catch (error) {
        runtime.log.warn('Svix still has an endpoint that is no more', { endpoint_id: endpointId, error });
      }
    },
    page: async ({ organizationId, id }, window) => {
      const { deliveries, next } = await api.deliveries(organizationId, id, window);
      return { deliveries: deliveries.map((delivery) => deliveryOf(organizationId, id, delivery)), next };
    },
  };
};

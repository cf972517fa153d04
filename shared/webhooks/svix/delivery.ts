import { eventsRead } from '../../events/index.ts';
import type { Runtime } from '../../kernel/capability.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import {
  maxConcurrentRequests,
  openSvixApi,
  type SvixAttempt,
  type SvixDelivery,
} from '../../platform/delivery/svix-api.ts';
import * as z from 'zod';
import { AttemptRecord, type DeliveredType, testType } from '../delivery-schemas.ts';
import type { Delivery } from '../delivery-record.ts';
import type { WebhookProvider } from '../webhook-provider.ts';
import { isSubscribed } from '../record.ts';
import { openWebhookReader } from '../repository.ts';
import { partsOf } from './messages.ts';
import { openMirror } from './mirror.ts';
import { openSvixSender } from './sender.ts';

/** Body of the relay's response to Svix. */
const RelayResponse = z.object({
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

const isDropped = ({ responseBody }: SvixAttempt): boolean => Dropped.safeParse(parsed(responseBody)).success;

const attemptOf = (attempt: SvixAttempt, at: number): AttemptRecord => {
  const { data } = RelayResponse.safeParse(parsed(attempt.responseBody));
  return {
    attempt: at + 1,
    at: attempt.at.toISOString(),
    status_code: data?.status_code ?? null,
    // Without a response of the relay, Svix did not reach it.
    error: data === undefined ? 'interrupted' : data.error,
    duration_ms: data?.duration_ms ?? null,
  };
};

const triggerOf = ({ type, messageId, attempts }: SvixDelivery): Delivery['trigger'] => {
  if (type === testType) return 'test';
  return partsOf(messageId).trigger === 'replay' || attempts.some(({ manual }) => manual) ? 'replay' : 'event';
};

const deliveryOf = (organizationId: string, endpointId: string, delivery: SvixDelivery): Delivery => {
  const attempts = delivery.attempts.filter((attempt) => !isDropped(attempt)).map(attemptOf);
  const { eventId, deliveryId } = partsOf(delivery.messageId);
  return {
    id: deliveryId ?? delivery.id,
    organizationId,
    endpointId,
    eventId,
    // The cast is safe because only this service creates messages in Svix.
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

/** Opens the provider that delivers by Svix. Svix calls the relay of this service instead of the receivers. */
export const openSvixDelivery = (runtime: Runtime): WebhookProvider => {
  const api = openSvixApi(runtime);
  const webhooks = openWebhookReader(runtime);
  const events = eventsRead.make(runtime);
  const mirror = openMirror(runtime, api);

  const openSender = () => openSvixSender(runtime, { api, webhooks, mirror });

  return {
    publish: async (event) => {
      const endpoints = await webhooks.list(event.organizationId);
      await mirror.renew(endpoints);
      const subscribed = endpoints.filter((endpoint) => isSubscribed(endpoint, event.type));
      if (subscribed.length > 0) await openSender().toAll(event, subscribed);
    },
    start: async (deliveries) => {
      for (const [organizationId, own] of Map.groupBy(deliveries, (delivery) => delivery.organizationId)) {
        const concerned = new Set(own.map(({ endpointId }) => endpointId));
        await mirror.renew((await webhooks.list(organizationId)).filter(({ id }) => concerned.has(id)));
      }
      const sender = openSender();
      const bodyOf = memoizePerKey((organizationId: string, eventId: string) => events.body(organizationId, eventId));
      await inParallel(deliveries, maxConcurrentRequests, async (delivery) => {
        const body = delivery.body ?? (await bodyOf(delivery.organizationId, delivery.eventId));
        if (body !== null) await sender.toOne(delivery, body);
      });
    },
    removeEndpoint: async (organizationId, endpointId) => {
      try {
        await api.removeEndpoint(organizationId, endpointId);
      } catch (error) {
        runtime.log.warn('webhook.svix.endpoint.delete.failed', { endpoint_id: endpointId, error });
      }
    },
    page: async ({ organizationId, id }, window) => {
      const { deliveries, next } = await api.deliveries(organizationId, id, window);
      return { deliveries: deliveries.map((delivery) => deliveryOf(organizationId, id, delivery)), next };
    },
  };
};

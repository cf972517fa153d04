import { capability, type CapabilityId, type Runtime } from '../kernel/capability.ts';
import { maxDelaySeconds, sendMessage, sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { RetrySender } from './deliver.ts';
import { type Deliveries, type DeliveryReader, openDeliveries, openDeliveryReader } from './deliveries.ts';
import type { DeliveryLog, EndpointRemover } from './webhook-provider.ts';
import { openWebhookProvider } from './open-provider.ts';
import type { DeliveryStarter } from './publish.ts';
import { openReplays, type Replays } from './replay-repository.ts';
import { openWebhookReader, openWebhookWriter, type WebhookReader, type WebhookWriter } from './repository.ts';
import type { DeliveryRef } from './schemas.ts';

export const webhooksRead = capability<WebhookReader>(['webhooks.read'], openWebhookReader);
export const webhooksWrite = capability<WebhookWriter>(['webhooks.read', 'webhooks.write'], openWebhookWriter);
export const deliveriesWrite = capability<Deliveries>(['webhooks.read', 'webhooks.write'], openDeliveries);

export const deliveriesRead = capability<DeliveryReader>(['webhooks.read'], openDeliveryReader);
const providerNeeds: readonly CapabilityId[] = [
  'webhooks.read',
  'webhooks.write',
  'events.read',
  'deliver.send',
  'svix.call',
  'keys.use',
];

/** Capability to send to single endpoints by the configured provider. */
export const deliveriesStart = capability<DeliveryStarter>(providerNeeds, openWebhookProvider);
/** Capability to remove deleted endpoints from the configured provider. */
export const endpointRemover = capability<EndpointRemover>(providerNeeds, openWebhookProvider);
/** Capability to read the delivery log of the configured provider. */
export const deliveryLog = capability<DeliveryLog>(providerNeeds, openWebhookProvider);
export const replaysWrite = capability<Replays>(['webhooks.read', 'webhooks.write', 'relay.send'], openReplays);

/** Capability to deliver events to all endpoints that subscribe to their types. */
export const deliveryProvider = capability<DeliveryProvider>(providerNeeds, openWebhookProvider);

export const retriesSend = capability<RetrySender>(['deliver.send'], (runtime: Runtime) => ({
  sendIn: async (delayMs, delivery) => {
    if (delayMs > maxDelaySeconds * 1000) return;
    // Rounded up, because a message that arrives before its delivery is due is dropped.
    const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
    await sendMessage(runtime, 'deliver', runtime.config.homeRegion, delivery, { delaySeconds });
  },
}));

/** Enqueues attempts of deliveries. Safe to repeat. */
export interface DeliverySender {
  /** Spreads many messages over time, so the first attempts of other deliveries do not wait for them. */
  send(deliveries: readonly DeliveryRef[]): Promise<void>;
}

const attemptsPerSecond = 50;

export const deliverSend = capability<DeliverySender>(['deliver.send'], (runtime: Runtime) => ({
  send: (deliveries) =>
    sendMessages(runtime, 'deliver', runtime.config.homeRegion, deliveries, { perSecond: attemptsPerSecond }),
}));

export { addressProblems, createEndpoint } from './create.ts';
export { abandonAttempt, attemptDelivery, withCachedReads } from './deliver.ts';
export { EventRangeReplay, EventReplay, ReplayAccepted, ReplayRef, WebhookDelivery } from './delivery-schemas.ts';
export { endpointHealth } from './endpoint-health.ts';
export { webhookMessages } from './messages.ts';
export { auditedEndpoint, toDeliveryResponse, toEndpointResponse } from './present.ts';
export { relayAuditRecord } from './relay-audit.ts';
export { continueReplay, replayEvent, replayRange } from './replay.ts';
export { requireEndpoint } from './require.ts';
export { previousSecretExpiry, rotateSecret } from './rotate-secret.ts';
export {
  DeliveryRef,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpointResponse,
  WebhookEndpointUpdate,
  WebhookSecretRotated,
} from './schemas.ts';
export { signingSecrets } from './signing-secrets.ts';
export { sendTestMessage } from './send-test.ts';
export { ReceivedDelivery, receiveDelivery, smokeReceiverRoute } from './smoke-receiver.ts';
export { relayFromSvix, relayRoute, SvixRequest } from './svix/relay.ts';
export { updateEndpoint } from './update.ts';

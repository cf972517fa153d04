import { capability, type CapabilityId, type Runtime } from '../kernel/capability.ts';
import { maxDelaySeconds, sendMessage, sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { RetrySender } from './deliver.ts';
import { type Deliveries, type DeliveryReader, openDeliveries, openDeliveryReader } from './deliveries.ts';
import type { DeliveryLog, EndpointForgetter } from './deliverer.ts';
import { openDeliverer } from './provider.ts';
import type { DeliveryStarter } from './publish.ts';
import { openReplays, type Replays } from './replays.ts';
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

/** Sends to single endpoints, through the provider that the deployment has chosen. */
export const deliveriesStart = capability<DeliveryStarter>(providerNeeds, openDeliverer);
/** Tells this provider of endpoints that are removed. */
export const endpointForgetter = capability<EndpointForgetter>(providerNeeds, openDeliverer);
/** The log that this provider keeps. */
export const deliveryLog = capability<DeliveryLog>(providerNeeds, openDeliverer);
export const replaysWrite = capability<Replays>(['webhooks.read', 'webhooks.write', 'relay.send'], openReplays);

/** The provider that brings events to all who want them. */
export const deliveryProvider = capability<DeliveryProvider>(providerNeeds, openDeliverer);

export const retriesSend = capability<RetrySender>(['deliver.send'], (runtime: Runtime) => ({
  sendIn: async (delayMs, delivery) => {
    if (delayMs > maxDelaySeconds * 1000) return;
    // Rounded up: a message that comes before its delivery is due would be dropped.
    const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
    await sendMessage(runtime, 'deliver', runtime.config.homeRegion, delivery, { delaySeconds });
  },
}));

/** Asks for attempts at deliveries; a repeat is harmless. */
export interface DeliverySender {
  /** Spreads many over time, so that first attempts of other deliveries need not wait for them. */
  send(deliveries: readonly DeliveryRef[]): Promise<void>;
}

const attemptsPerSecond = 50;

export const deliverSend = capability<DeliverySender>(['deliver.send'], (runtime: Runtime) => ({
  send: (deliveries) =>
    sendMessages(runtime, 'deliver', runtime.config.homeRegion, deliveries, { perSecond: attemptsPerSecond }),
}));

export { addressProblems, createEndpoint } from './create.ts';
export { abandonAttempt, attemptDelivery, readingOnce } from './deliver.ts';
export { EventRangeReplay, EventReplay, ReplayAccepted, ReplayRef, WebhookDelivery } from './delivery-schemas.ts';
export { endpointHealth } from './health.ts';
export { webhookMessages } from './messages.ts';
export { toDeliveryResponse, toEndpointResponse } from './present.ts';
export { continueReplay, replayEvent, replayRange } from './replay.ts';
export { requireEndpoint } from './require.ts';
export { previousSecretExpiry, rotateSecret } from './rotate.ts';
export {
  DeliveryRef,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpointResponse,
  WebhookEndpointUpdate,
  WebhookSecretRotated,
} from './schemas.ts';
export { signingSecrets } from './secrets.ts';
export { sendTestMessage } from './send-test.ts';
export { ReceivedDelivery, receiveDelivery, smokeReceiverRoute } from './smoke-receiver.ts';
export { relayFromSvix, relayRoute, SvixRequest } from './svix/relay.ts';
export { updateEndpoint } from './update.ts';

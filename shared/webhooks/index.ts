import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage, sendMessages } from '../platform/aws/queue.ts';
import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { RetrySender } from './deliver.ts';
import { type Deliveries, type DeliveryReader, openDeliveries, openDeliveryReader } from './deliveries.ts';
import { type DeliveryStarter, openBuiltInDelivery, openDeliveryStarter } from './publish.ts';
import { openReplays, type Replays } from './replays.ts';
import { openWebhookReader, openWebhookWriter, type WebhookReader, type WebhookWriter } from './repository.ts';
import type { DeliveryRef } from './schemas.ts';

export const webhooksRead = capability<WebhookReader>(['webhooks.read'], openWebhookReader);
export const webhooksWrite = capability<WebhookWriter>(['webhooks.read', 'webhooks.write'], openWebhookWriter);
export const deliveriesWrite = capability<Deliveries>(['webhooks.read', 'webhooks.write'], openDeliveries);

export const deliveriesRead = capability<DeliveryReader>(['webhooks.read'], openDeliveryReader);
export const deliveriesStart = capability<DeliveryStarter>(
  ['webhooks.read', 'webhooks.write', 'deliver.send'],
  openDeliveryStarter,
);
export const replaysWrite = capability<Replays>(['webhooks.read', 'webhooks.write', 'relay.send'], openReplays);

/** The delivery provider of this service. */
export const deliveryProvider = capability<DeliveryProvider>(
  ['webhooks.read', 'webhooks.write', 'deliver.send'],
  openBuiltInDelivery,
);

const longestQueueDelayMs = 900_000;

export const retriesSend = capability<RetrySender>(['deliver.send'], (runtime: Runtime) => ({
  sendIn: async (delayMs, delivery) => {
    if (delayMs > longestQueueDelayMs) return;
    // Rounded up: a message that comes before its delivery is due would be dropped.
    const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
    await sendMessage(runtime, 'deliver', runtime.config.homeRegion, delivery, { delaySeconds });
  },
}));

/** Asks for attempts at deliveries; a repeat is harmless. */
export interface DeliverySender {
  send(deliveries: readonly DeliveryRef[]): Promise<void>;
}

export const deliverSend = capability<DeliverySender>(['deliver.send'], (runtime: Runtime) => ({
  send: (deliveries) => sendMessages(runtime, 'deliver', runtime.config.homeRegion, deliveries),
}));

export { createEndpoint } from './create.ts';
export { abandonAttempt, attemptDelivery, readingOnce } from './deliver.ts';
export { EventRangeReplay, EventReplay, ReplayAccepted, ReplayRef, WebhookDelivery } from './delivery-schemas.ts';
export { endpointHealth } from './health.ts';
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
export { sendTestMessage } from './send-test.ts';
export { updateEndpoint } from './update.ts';

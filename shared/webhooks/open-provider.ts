import type { Runtime } from '../kernel/capability.ts';
import type { WebhookProvider } from './webhook-provider.ts';
import { openDeliveryReader } from './deliveries.ts';
import { openBuiltInDelivery, openDeliveryStarter } from './publish.ts';
import { openSvixDelivery } from './svix/delivery.ts';

/** Opens the provider that the deployment is configured with. */
export const openWebhookProvider = (runtime: Runtime): WebhookProvider =>
  runtime.config.delivery.provider === 'svix'
    ? openSvixDelivery(runtime)
    : {
        ...openBuiltInDelivery(runtime),
        ...openDeliveryStarter(runtime),
        ...openDeliveryReader(runtime),
        removeEndpoint: () => Promise.resolve(),
      };

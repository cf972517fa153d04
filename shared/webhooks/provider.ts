import type { Runtime } from '../kernel/capability.ts';
import type { Deliverer } from './deliverer.ts';
import { openDeliveryReader } from './deliveries.ts';
import { openBuiltInDelivery, openDeliveryStarter } from './publish.ts';
import { openSvixDelivery } from './svix/delivery.ts';

/** The provider that the deployment has chosen. */
export const openDeliverer = (runtime: Runtime): Deliverer =>
  runtime.config.delivery.provider === 'svix'
    ? openSvixDelivery(runtime)
    : {
        ...openBuiltInDelivery(runtime),
        ...openDeliveryStarter(runtime),
        ...openDeliveryReader(runtime),
        forget: () => Promise.resolve(),
      };

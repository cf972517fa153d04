import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { DeliveryReader } from './deliveries.ts';
import type { DeliveryStarter } from './publish.ts';

/** Log of deliveries, which either this service or Svix stores. */
export type DeliveryLog = Pick<DeliveryReader, 'page'>;

/** Removes deleted endpoints from the provider. */
export interface EndpointRemover {
  /** Never throws, because the relay sends nothing to a deleted endpoint that the provider still has. */
  removeEndpoint(organizationId: string, endpointId: string): Promise<void>;
}

/** Provider of webhook deliveries: the built-in one or Svix. */
export interface WebhookProvider extends DeliveryProvider, DeliveryStarter, DeliveryLog, EndpointRemover {}

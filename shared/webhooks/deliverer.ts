import type { DeliveryProvider } from '../platform/delivery/port.ts';
import type { DeliveryReader } from './deliveries.ts';
import type { DeliveryStarter } from './publish.ts';

/** The log of deliveries, whoever keeps it. */
export type DeliveryLog = Pick<DeliveryReader, 'page'>;

/** Who has to hear that an endpoint is no more. */
export interface EndpointForgetter {
  /** Never throws: an endpoint that the provider still knows gets nothing all the same. */
  forget(organizationId: string, endpointId: string): Promise<void>;
}

/** All that a delivery provider does for this service: events to all who want them, messages to one, and the log. */
export interface Deliverer extends DeliveryProvider, DeliveryStarter, DeliveryLog, EndpointForgetter {}

import type { Creation } from '../http/creation.ts';
import type { Delivery, NewDelivery } from './delivery-record.ts';
import { testType } from './delivery-schemas.ts';
import type { DeliveryStarter } from './publish.ts';
import type { WebhookReader } from './repository.ts';
import { requireEnabled } from './require.ts';

interface TestDeps {
  readonly webhooks: WebhookReader;
  readonly starter: DeliveryStarter;
}

/** Sends a message of type `webhook.test` to one endpoint, like any event. Throws 404, and 409 where it is disabled. */
export const sendTestMessage = async (
  { webhooks, starter }: TestDeps,
  organizationId: string,
  endpointId: string,
  creation: Creation,
): Promise<Delivery> => {
  await requireEnabled(webhooks, organizationId, endpointId);
  const createdAt = creation.at.toISOString();
  const delivery: NewDelivery = {
    id: creation.id('dlv'),
    organizationId,
    endpointId,
    eventId: creation.id('evt'),
    eventType: testType,
    trigger: 'test',
    body: JSON.stringify({
      type: testType,
      created_at: createdAt,
      organization_id: organizationId,
      data: { endpoint: { id: endpointId } },
    }),
    createdAt,
  };
  await starter.start([delivery]);
  return { ...delivery, status: 'pending', attempt: 0, attempts: [], dueAt: createdAt };
};

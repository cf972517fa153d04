import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Delivery, NewDelivery } from './delivery-record.ts';
import { testType } from './delivery-schemas.ts';
import type { DeliveryStarter } from './publish.ts';
import type { WebhookReader } from './repository.ts';
import { requireEnabled } from './require.ts';

interface TestDeps {
  readonly webhooks: WebhookReader;
  readonly starter: DeliveryStarter;
}

/** Sends a message of type `webhook.test` to one endpoint. Throws 404, and 409 if the endpoint is disabled. */
export const sendTestMessage = async (
  { webhooks, starter }: TestDeps,
  organizationId: string,
  endpointId: string,
  idempotency: IdempotencyContext,
): Promise<Delivery> => {
  await requireEnabled(webhooks, organizationId, endpointId);
  const createdAt = idempotency.at.toISOString();
  const delivery: NewDelivery = {
    id: idempotency.id('dlv'),
    organizationId,
    endpointId,
    eventId: idempotency.id('evt'),
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

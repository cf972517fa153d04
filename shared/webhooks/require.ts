import { AppError, notFound } from '../kernel/errors.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookReader } from './repository.ts';

/** An endpoint of the organization. Throws 404. */
export const requireEndpoint = async (
  webhooks: WebhookReader,
  organizationId: string,
  endpointId: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await webhooks.get(organizationId, endpointId);
  if (endpoint === null) throw notFound('Webhook endpoint');
  return endpoint;
};

/** An endpoint that receives. Throws 404 and 409. */
export const requireEnabled = async (
  webhooks: WebhookReader,
  organizationId: string,
  endpointId: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await requireEndpoint(webhooks, organizationId, endpointId);
  if (endpoint.disabledReason !== null) {
    throw new AppError('conflict', `The webhook endpoint is disabled: ${endpoint.disabledReason}`);
  }
  return endpoint;
};

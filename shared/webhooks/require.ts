import { AppError, notFound } from '../kernel/errors.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookReader } from './repository.ts';

/** Returns an endpoint of the organization. Throws 404. */
export const requireEndpoint = async (
  webhooks: WebhookReader,
  organizationId: string,
  endpointId: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await webhooks.get(organizationId, endpointId);
  if (endpoint === null) throw notFound('Webhook endpoint');
  return endpoint;
};

/** Returns an enabled endpoint of the organization. Throws 404, and 409 if the endpoint is disabled. */
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

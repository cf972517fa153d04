import { AppError, invalid } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type Plan, plans } from '../kernel/plans.ts';
import { webhookUrlProblem } from '../platform/delivery/public-address.ts';
import { newSigningSecret } from '../platform/delivery/sign.ts';
import type { WebhookEndpoint, WebhookWriter } from './repository.ts';
import type { WebhookEndpointCreate } from './schemas.ts';

/** Throws a 422 for an address that this deployment does not deliver to. */
export const requireDeliverable = (url: string, allowLocal: boolean): void => {
  const problem = webhookUrlProblem(url, allowLocal);
  if (problem !== null) throw invalid(['body', 'url'], problem);
};

const limitReached = (limit: number, current: number): AppError =>
  new AppError('plan_limit_reached', `The plan allows ${limit} webhook endpoints`, { fields: { limit, current } });

/** Adds an endpoint and gives its secret. Throws 403 where the plan has no webhooks, 402 at the plan's limit, 422. */
export const createEndpoint = async (
  webhooks: WebhookWriter,
  caller: { readonly organizationId: string; readonly plan: Plan },
  body: WebhookEndpointCreate,
  at: Date,
): Promise<WebhookEndpoint> => {
  const { features, limits } = plans[caller.plan];
  if (!features.webhooks) throw new AppError('feature_not_in_plan', 'The plan has no webhooks');
  requireDeliverable(body.url, webhooks.allowsLocal);
  const { length: current } = await webhooks.list(caller.organizationId);
  if (current >= limits.webhook_endpoints) throw limitReached(limits.webhook_endpoints, current);
  const endpoint = {
    id: newId('we', at),
    organizationId: caller.organizationId,
    url: body.url,
    eventTypes: body.event_types,
    description: body.description,
    disabledReason: null,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    secret: newSigningSecret(),
  };
  await webhooks.add(endpoint);
  // Whoever raced past the first count sees the others here: the limit is never passed for longer than this call.
  const { length: total } = await webhooks.list(caller.organizationId);
  if (total <= limits.webhook_endpoints) return endpoint;
  await webhooks.remove(caller.organizationId, endpoint.id);
  throw limitReached(limits.webhook_endpoints, total - 1);
};

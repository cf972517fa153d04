import { freshCreation } from '../../../shared/http/creation.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { createEndpoint, WebhookEndpointCreate, webhooksWrite } from '../../../shared/webhooks/index.ts';

/** Adds a webhook endpoint to an organization, as its owner would. */
export const createEndpointFor = (runtime: Runtime, organizationId: string, body: unknown) => {
  const { webhooks } = makeDeps({ webhooks: webhooksWrite }, runtime);
  const caller = { organizationId, plan: 'scale' as const };
  return createEndpoint(webhooks, caller, WebhookEndpointCreate.parse(body), freshCreation(runtime.clock));
};

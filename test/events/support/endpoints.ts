import { freshCreation } from '../../../shared/http/creation.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import {
  createEndpoint,
  signingSecrets,
  WebhookEndpointCreate,
  webhooksWrite,
} from '../../../shared/webhooks/index.ts';

/** Adds a webhook endpoint to an organization, as its owner would. */
export const createEndpointFor = (runtime: Runtime, organizationId: string, body: unknown) => {
  const deps = makeDeps({ webhooks: webhooksWrite, secrets: signingSecrets }, runtime);
  const caller = { organizationId, plan: 'scale' as const };
  return createEndpoint(deps, caller, WebhookEndpointCreate.parse(body), freshCreation(runtime.clock));
};

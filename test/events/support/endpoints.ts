import { freshIdempotencyContext } from '../../../shared/http/idempotency.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import {
  createEndpoint,
  signingSecrets,
  WebhookEndpointCreate,
  webhooksWrite,
} from '../../../shared/webhooks/index.ts';

/** Creates a webhook endpoint of an organization. */
export const createEndpointFor = (runtime: Runtime, organizationId: string, body: unknown) => {
  const deps = makeDeps({ webhooks: webhooksWrite, secrets: signingSecrets }, runtime);
  const caller = { organizationId, plan: 'scale' as const };
  return createEndpoint(deps, caller, WebhookEndpointCreate.parse(body), freshIdempotencyContext(runtime.clock));
};

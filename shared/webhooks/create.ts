import type { IdempotencyContext } from '../http/idempotency.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Plan } from '../kernel/plans.ts';
import { webhookUrlProblem } from '../platform/delivery/public-address.ts';
import { newSigningSecret } from '../platform/delivery/webhook-signature.ts';
import { addWithinPlanLimit } from '../usage/index.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookWriter } from './repository.ts';
import type { WebhookEndpointCreate } from './schemas.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Returns a problem if this deployment does not deliver to an address. */
export const addressProblems = (
  url: string | undefined,
  { allowsLocal }: WebhookWriter,
): readonly ValidationProblem[] => {
  const problem = url === undefined ? null : webhookUrlProblem(url, allowsLocal);
  return problem === null ? [] : [valueProblem(['body', 'url'], problem)];
};

/** Endpoint with its secret, which is returned once. */
interface Created extends WebhookEndpoint {
  readonly secret: string;
}

/** Creates an endpoint and its secret. Throws 402 if the plan allows no more endpoints. */
export const createEndpoint = async (
  { webhooks, secrets }: { readonly webhooks: WebhookWriter; readonly secrets: SigningSecrets },
  caller: { readonly organizationId: string; readonly plan: Plan },
  body: WebhookEndpointCreate,
  idempotency: IdempotencyContext,
): Promise<Created> => {
  const secret = newSigningSecret(idempotency.secret());
  const address = { id: idempotency.id('we'), organizationId: caller.organizationId };
  const endpoint: WebhookEndpoint = {
    ...address,
    url: body.url,
    eventTypes: body.event_types,
    description: body.description,
    disabledReason: null,
    createdAt: idempotency.at.toISOString(),
    updatedAt: idempotency.at.toISOString(),
    storedSecret: await secrets.seal(address, secret),
    previousSecrets: [],
    failingSince: null,
    responsiveUntil: idempotency.at.toISOString(),
    probeUntil: idempotency.at.toISOString(),
    silent: false,
    channelSecret: null,
    mirror: null,
  };
  await addWithinPlanLimit({
    plan: caller.plan,
    limit: 'webhook_endpoints',
    has: async () => (await webhooks.get(caller.organizationId, endpoint.id)) !== null,
    add: (limit) => webhooks.add(endpoint, limit),
  });
  return { ...endpoint, secret };
};

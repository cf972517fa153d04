import type { Creation } from '../http/creation.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Plan } from '../kernel/plans.ts';
import { webhookUrlProblem } from '../platform/delivery/public-address.ts';
import { newSigningSecret } from '../platform/delivery/sign.ts';
import { addWithinLimit } from '../usage/index.ts';
import type { WebhookEndpoint } from './record.ts';
import type { WebhookWriter } from './repository.ts';
import type { WebhookEndpointCreate } from './schemas.ts';
import type { SigningSecrets } from './secrets.ts';

/** A problem where this deployment does not deliver to an address. */
export const addressProblems = (
  url: string | undefined,
  { allowsLocal }: WebhookWriter,
): readonly ValidationProblem[] => {
  const problem = url === undefined ? null : webhookUrlProblem(url, allowsLocal);
  return problem === null ? [] : [valueProblem(['body', 'url'], problem)];
};

/** An endpoint with the secret that its owner is shown once. */
interface Created extends WebhookEndpoint {
  readonly secret: string;
}

/** Adds an endpoint and gives its secret. Throws 402 at the plan's limit. */
export const createEndpoint = async (
  { webhooks, secrets }: { readonly webhooks: WebhookWriter; readonly secrets: SigningSecrets },
  caller: { readonly organizationId: string; readonly plan: Plan },
  body: WebhookEndpointCreate,
  creation: Creation,
): Promise<Created> => {
  const secret = newSigningSecret(creation.secret());
  const address = { id: creation.id('we'), organizationId: caller.organizationId };
  const endpoint: WebhookEndpoint = {
    ...address,
    url: body.url,
    eventTypes: body.event_types,
    description: body.description,
    disabledReason: null,
    createdAt: creation.at.toISOString(),
    updatedAt: creation.at.toISOString(),
    storedSecret: await secrets.seal(address, secret),
    previousSecrets: [],
    failingSince: null,
    responsiveUntil: creation.at.toISOString(),
    probeUntil: creation.at.toISOString(),
    silent: false,
    channelSecret: null,
    mirror: null,
  };
  await addWithinLimit({
    plan: caller.plan,
    limit: 'webhook_endpoints',
    count: () => webhooks.count(caller.organizationId),
    has: () => webhooks.isStored(endpoint),
    add: (attempt) => webhooks.add(endpoint, attempt),
    keep: (attempt) => webhooks.keep(endpoint, attempt),
    undo: (attempt) => webhooks.withdraw(endpoint, attempt),
  });
  return { ...endpoint, secret };
};

import type { Creation } from '../http/creation.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { newSigningSecret } from '../platform/delivery/sign.ts';
import { validSecrets, type WebhookEndpoint } from './record.ts';
import type { WebhookWriter } from './repository.ts';
import type { SigningSecrets } from './secrets.ts';

const overlapMs = dayMs;
/** Signatures of a delivery stay few enough for a header. */
const mostPrevious = 4;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Until when the secret that `at` has replaced is good. */
export const previousSecretExpiry = (at: Date): string => laterBy(at, overlapMs).toISOString();

interface RotationDeps {
  readonly webhooks: WebhookWriter;
  readonly secrets: SigningSecrets;
}

/** An endpoint with the secret that its owner is shown once. */
interface Rotated extends WebhookEndpoint {
  readonly secret: string;
}

const attemptRotation = async (
  { webhooks, secrets }: RotationDeps,
  endpoint: WebhookEndpoint,
  secret: string,
  at: Date,
): Promise<Rotated | null> => {
  // A repeat of a rotation that went through, found here because its answer was lost.
  if ((await secrets.open(endpoint, endpoint.storedSecret)) === secret) return { ...endpoint, secret };
  const previous = await Promise.all(endpoint.previousSecrets.map((kept) => secrets.open(endpoint, kept.secret)));
  // As well, and here another rotation came after it.
  if (previous.includes(secret)) {
    throw conflict('The secret has been replaced again since');
  }
  const stillValid = validSecrets(endpoint, at);
  if (stillValid.length >= mostPrevious) {
    throw conflict(`The secret can be replaced ${mostPrevious} times in 24 hours at most`);
  }
  const previousSecrets = [{ secret: endpoint.storedSecret, until: previousSecretExpiry(at) }, ...stillValid];
  const stored = await secrets.seal(endpoint, secret);
  const replaced = await webhooks.replaceSecret(endpoint, { secret: stored, previousSecrets, at });
  return replaced === null ? null : { ...replaced, secret };
};

/**
 * Gives an endpoint a new secret; for 24 hours deliveries are signed with the old one too. Throws 404, and 409 where the
 * secret was replaced too often or by somebody else meanwhile.
 */
export const rotateSecret = async (
  deps: RotationDeps,
  organizationId: string,
  endpointId: string,
  creation: Creation,
): Promise<Rotated> => {
  const secret = newSigningSecret(creation.secret());
  for (let round = 0; round <= mostPrevious; round += 1) {
    const endpoint = await deps.webhooks.get(organizationId, endpointId);
    if (endpoint === null) throw notFound('Webhook endpoint');
    const rotated = await attemptRotation(deps, endpoint, secret, creation.at);
    if (rotated !== null) return rotated;
  }
  throw conflict('The secret is being replaced by others');
};

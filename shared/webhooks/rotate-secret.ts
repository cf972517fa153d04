import type { IdempotencyContext } from '../http/idempotency.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { newSigningSecret } from '../platform/delivery/webhook-signature.ts';
import { validSecrets, type WebhookEndpoint } from './record.ts';
import type { WebhookWriter } from './repository.ts';
import type { SigningSecrets } from './signing-secrets.ts';

const overlapMs = dayMs;
/** Limit of previous secrets, so the signatures of a delivery fit into a header. */
const maxPreviousSecrets = 4;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Returns until when a secret that was replaced at a time stays valid. */
export const previousSecretExpiry = (at: Date): string => laterBy(at, overlapMs).toISOString();

interface RotationDeps {
  readonly webhooks: WebhookWriter;
  readonly secrets: SigningSecrets;
}

/** Endpoint with its new secret, which is returned once. */
interface Rotated extends WebhookEndpoint {
  readonly secret: string;
}

const attemptRotation = async (
  { webhooks, secrets }: RotationDeps,
  endpoint: WebhookEndpoint,
  secret: string,
  at: Date,
): Promise<Rotated | null> => {
  // The rotation of an earlier run of this request, whose response was lost.
  if ((await secrets.open(endpoint, endpoint.storedSecret)) === secret) return { ...endpoint, secret };
  const previous = await Promise.all(endpoint.previousSecrets.map((kept) => secrets.open(endpoint, kept.secret)));
  // The same, but the secret was replaced again since.
  if (previous.includes(secret)) {
    throw conflict('The secret was replaced again since');
  }
  const stillValid = validSecrets(endpoint, at);
  if (stillValid.length >= maxPreviousSecrets) {
    throw conflict(`The secret can be replaced at most ${maxPreviousSecrets} times in 24 hours`);
  }
  const previousSecrets = [{ secret: endpoint.storedSecret, until: previousSecretExpiry(at) }, ...stillValid];
  const stored = await secrets.seal(endpoint, secret);
  const replaced = await webhooks.replaceSecret(endpoint, { secret: stored, previousSecrets, at });
  return replaced === null ? null : { ...replaced, secret };
};

/**
 * Replaces the secret of an endpoint. For 24 hours deliveries are also signed with the old secret. Throws 404, and 409 if
 * the secret was replaced too often or concurrently.
 */
export const rotateSecret = async (
  deps: RotationDeps,
  organizationId: string,
  endpointId: string,
  idempotency: IdempotencyContext,
): Promise<Rotated> => {
  const secret = newSigningSecret(idempotency.secret());
  for (let round = 0; round <= maxPreviousSecrets; round += 1) {
    const endpoint = await deps.webhooks.get(organizationId, endpointId);
    if (endpoint === null) throw notFound('Webhook endpoint');
    const rotated = await attemptRotation(deps, endpoint, secret, idempotency.at);
    if (rotated !== null) return rotated;
  }
  throw conflict('Other requests are replacing the secret, try again');
};

import type { Creation } from '../http/creation.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { newSigningSecret } from '../platform/delivery/sign.ts';
import { validSecrets, type WebhookEndpoint } from './record.ts';
import type { WebhookWriter } from './repository.ts';

const overlapMs = dayMs;
/** Signatures of a delivery stay few enough for a header. */
const mostPrevious = 4;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Until when the secret that `at` has replaced is good. */
export const previousSecretExpiry = (at: Date): string => laterBy(at, overlapMs).toISOString();

const attemptRotation = async (
  webhooks: WebhookWriter,
  endpoint: WebhookEndpoint,
  secret: string,
  at: Date,
): Promise<WebhookEndpoint | null> => {
  // A repeat of a rotation that went through, found here because its answer was lost.
  if (endpoint.secret === secret) return endpoint;
  // As well, and here another rotation came after it.
  if (endpoint.previousSecrets.some((previous) => previous.secret === secret)) {
    throw conflict('The secret has been replaced again since');
  }
  const stillValid = validSecrets(endpoint, at);
  if (stillValid.length >= mostPrevious) {
    throw conflict(`The secret can be replaced ${mostPrevious} times in 24 hours at most`);
  }
  const previousSecrets = [{ secret: endpoint.secret, until: previousSecretExpiry(at) }, ...stillValid];
  return webhooks.replaceSecret(endpoint, { secret, previousSecrets, at });
};

/**
 * Gives an endpoint a new secret; for 24 hours deliveries are signed with the old one too. Throws 404, and 409 where the
 * secret was replaced too often or by somebody else meanwhile.
 */
export const rotateSecret = async (
  webhooks: WebhookWriter,
  organizationId: string,
  endpointId: string,
  creation: Creation,
): Promise<WebhookEndpoint> => {
  const secret = newSigningSecret(creation.secret());
  for (let round = 0; round <= mostPrevious; round += 1) {
    const endpoint = await webhooks.get(organizationId, endpointId);
    if (endpoint === null) throw notFound('Webhook endpoint');
    const rotated = await attemptRotation(webhooks, endpoint, secret, creation.at);
    if (rotated !== null) return rotated;
  }
  throw conflict('The secret is being replaced by others');
};

import { Webhook } from 'svix';

/** Returns the signing secret of 256 random bits: `whsec_` and their base64. */
export const newSigningSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * Returns the headers by which a receiver verifies the sender, time and integrity of a body. They contain one `v1`
 * signature per secret: HMAC-SHA256 over `id.timestamp.body`. `webhook-…` are the names of the Standard Webhooks
 * specification, which its libraries read, and `hook-…` those of this API. The values are the same.
 */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string) => {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ');
  return {
    'hook-id': id,
    'hook-timestamp': timestamp,
    'hook-signature': signature,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  };
};

/**
 * Returns the JSON of a request that was signed with a secret in the last five minutes; null for any other request.
 * Accepts the header names of Svix and of Standard Webhooks.
 */
export const verifiedPayload = (
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
): unknown => {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
  try {
    new Webhook(secret).verify(body, given);
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
};

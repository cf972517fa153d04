import { Webhook } from 'svix';

/** Returns the signing secret of 256 random bits: `whsec_` and their base64. */
export const newSigningSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * Returns the headers by which a receiver verifies the sender, time and integrity of a body. They contain one `v1`
 * signature per secret: HMAC-SHA256 over `id.timestamp.body`. Source: the Standard Webhooks specification.
 */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string) => ({
  'hook-id': id,
  'hook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'hook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
});

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

import { Webhook } from 'svix';

/** A fresh signing secret: `whsec_` and base64 of 256 random bits. */
export const newSigningSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * The headers that let a receiver check who sent a body, when, and that nothing changed: one `v1` signature per secret,
 * HMAC-SHA256 over `id.timestamp.body`. Source: the Standard Webhooks specification.
 */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Date, body: string) => ({
  'hook-id': id,
  'hook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'hook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
});

/**
 * The JSON of a request that was signed with a secret in the last five minutes, under the header names of Svix or of
 * Standard Webhooks; null for any other.
 */
export const openedWith = (
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

import { oauthRefusal } from './oauth-refusal.ts';

/** How a client says who it is. */
export interface ClientProof {
  readonly id: string;
  readonly secret: string;
}

/** The answer to whoever proves no client, whatever the reason. */
export const unprovenClient = () => oauthRefusal('invalid_client', 'Client authentication failed');

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Id and secret of an HTTP Basic header, which both stand there as in a form. Source: RFC 6749, 2.3.1. */
const basicProof = (authorization: string): ClientProof => {
  const encoded = /^basic +([0-9a-z+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const pair = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) throw unprovenClient();
  try {
    return { id: decoded(pair.slice(0, colon)), secret: decoded(pair.slice(colon + 1)) };
  } catch {
    throw unprovenClient();
  }
};

/**
 * Id and secret from the header or the form, never from both. Throws `invalid_client` where neither holds them and
 * `invalid_request` where both do.
 */
export const clientProof = (
  authorization: string | null,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientProof => {
  const { client_id: id, client_secret: secret } = form;
  if (authorization === null) {
    if (id === undefined || secret === undefined) throw unprovenClient();
    return { id, secret };
  }
  if (secret !== undefined) throw oauthRefusal('invalid_request', 'Send the secret in the header or in the body');
  const proof = basicProof(authorization);
  if (id !== undefined && id !== proof.id)
    throw oauthRefusal('invalid_request', 'The client_id is not that of the header');
  return proof;
};

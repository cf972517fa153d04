import { oauthError } from './oauth-error.ts';

/** Id and secret of an OAuth client. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Returns the error of every failed client authentication, which does not reveal the reason. */
export const invalidClient = () => oauthError('invalid_client', 'Client authentication failed');

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Parses an HTTP Basic header, in which id and secret are form-encoded. Source: RFC 6749, 2.3.1. */
const basicCredentials = (authorization: string): ClientCredentials => {
  const encoded = /^basic +([0-9a-z+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const pair = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) throw invalidClient();
  try {
    return { id: decoded(pair.slice(0, colon)), secret: decoded(pair.slice(colon + 1)) };
  } catch {
    throw invalidClient();
  }
};

/**
 * Returns id and secret from the header or the form. Throws `invalid_client` if both are missing, and `invalid_request` if
 * both are present.
 */
export const clientCredentialsOf = (
  authorization: string | null,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientCredentials => {
  const { client_id: id, client_secret: secret } = form;
  if (authorization === null) {
    if (id === undefined || secret === undefined) throw invalidClient();
    return { id, secret };
  }
  if (secret !== undefined) throw oauthError('invalid_request', 'Send the secret in the header or in the body');
  const credentials = basicCredentials(authorization);
  if (id !== undefined && id !== credentials.id)
    throw oauthError('invalid_request', 'The client_id differs from that in the header');
  return credentials;
};

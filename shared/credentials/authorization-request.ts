import * as z from 'zod';
import type { Permission } from '../http/principal.ts';
import { AppError } from '../kernel/errors.ts';
import { type ClientMetadata, type ClientMetadataReader, isRegistered } from './client-metadata.ts';
import { isId } from './items.ts';

const text = (max: number) => z.string().max(max);

/** Authorization request of an application. Source: OAuth 2.1, 4.1.1, RFC 7636 and RFC 8707. */
export const AuthorizationQuery = z.object({
  response_type: text(100).optional().describe('`code`'),
  client_id: text(500).min(1).describe('URL of the metadata document of the application, or `strata-cli`.'),
  redirect_uri: text(2_000).min(1).describe('URL of the application to which the code is sent.'),
  code_challenge: text(200).optional().describe('SHA-256 of the code verifier, as base64url.'),
  code_challenge_method: text(100).optional().describe('`S256`'),
  resource: text(500).optional().describe('URL of the MCP server, or of the service, for which tokens are requested.'),
  scope: text(1_000).optional().describe('Requested scopes, separated by spaces; `read` if absent.'),
  state: text(2_000).optional().describe('Value that is returned to the application unchanged.'),
});

export type AuthorizationQuery = z.output<typeof AuthorizationQuery>;

/** Valid request of an application. */
interface AuthorizationRequest {
  readonly challenge: string;
  readonly resource: string;
  /** Index of the resource; null if the resource is not one index. */
  readonly indexId: string | null;
  /** Scopes that the person may grant. */
  readonly scopes: readonly Permission[];
}

/** Refusal that the application gets by a redirect, if the person confirms it. Source: RFC 6749, 4.1.2.1. */
export class AuthorizationRefusal extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.name = 'AuthorizationRefusal';
    this.error = error;
  }
}

/** Returns the URL that gives the application a result. `iss` prevents mix-up attacks. Source: RFC 9207. */
export const redirectWith = (
  { redirect_uri: redirectUri, state }: Pick<AuthorizationQuery, 'redirect_uri' | 'state'>,
  issuer: string,
  result: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri);
  const sent = { ...result, ...(state === undefined ? {} : { state }), iss: issuer };
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
  return url.href;
};

/** Returns the index of a resource: null for none. Throws `invalid_target` for a resource that is not of this service. */
const indexOf = (resource: string | undefined, origin: string): string | null => {
  if (resource === origin || resource === `${origin}/v1/mcp`) return null;
  const id =
    resource?.startsWith(origin) === true && /^\/v1\/indexes\/([^/]+)\/mcp$/.exec(resource.slice(origin.length))?.[1];
  if (typeof id === 'string' && isId(id)) return id;
  throw new AuthorizationRefusal('invalid_target', `resource must be ${origin}, or the URL of an MCP server of it`);
};

/** Returns the grantable scopes. Unknown scopes, such as `offline_access`, are ignored. `write` includes `read`. */
const scopesOf = (scope = 'read'): readonly Permission[] => {
  const names = scope.split(' ');
  if (names.includes('write')) return ['read', 'write'];
  if (names.includes('read')) return ['read'];
  throw new AuthorizationRefusal('invalid_scope', 'The scopes are read and write');
};

/** Returns the application of a request. Throws `bad_request` if it or its redirect URI is not known. */
export const readApplication = async (
  metadata: ClientMetadataReader,
  query: Pick<AuthorizationQuery, 'client_id' | 'redirect_uri'>,
): Promise<ClientMetadata> => {
  const client = await metadata.read(query.client_id);
  if (!isRegistered(client, query.redirect_uri))
    throw new AppError('bad_request', 'The application cannot be connected: its redirect_uri is not registered');
  return client;
};

/** Returns what a request asks for. Throws `AuthorizationRefusal` if it is not valid. */
export const readAuthorizationRequest = (query: AuthorizationQuery, origin: string): AuthorizationRequest => {
  if (query.response_type !== 'code')
    throw new AuthorizationRefusal('unsupported_response_type', 'The only response_type is code');
  const { code_challenge: challenge, code_challenge_method: method } = query;
  if (method !== 'S256' || challenge === undefined || !/^[\w-]{43}$/.test(challenge))
    throw new AuthorizationRefusal('invalid_request', 'A code_challenge by code_challenge_method S256 is required');
  // A final slash of an origin is part of its URL, but not of the resource.
  const resource = query.resource === `${origin}/` ? origin : query.resource;
  const indexId = indexOf(resource, origin);
  const scopes = scopesOf(query.scope);
  return { challenge, resource: resource ?? origin, indexId, scopes };
};

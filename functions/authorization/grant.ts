import {
  AuthorizationCreate,
  AuthorizationCreated,
  type AuthorizationQuery,
  AuthorizationRefusal,
  boundsOf,
  clientMetadata,
  grantProblems,
  limitsOf,
  grantsWrite,
  newToken,
  readApplication,
  readAuthorizationRequest,
  redirectWith,
  restrictionOf,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { laterBy } from '../../shared/kernel/clock.ts';
import { AppError } from '../../shared/kernel/errors.ts';

const codeSeconds = 60;

/** Returns what a request asks for. Throws 400. */
const readRequest = (query: AuthorizationQuery, origin: string) => {
  try {
    return readAuthorizationRequest(query, origin);
  } catch (error) {
    throw error instanceof AuthorizationRefusal ? new AppError('bad_request', error.message) : error;
  }
};

export const authorizeApplication = endpoint({
  id: 'authorize-application',
  method: 'POST',
  path: '/v1/oauth/authorize',
  tag: 'OAuth',
  summary: 'Grant an application access',
  description:
    'Grants an application access to one organization of the person, as the page of `GET /v1/oauth/authorize` does. `redirect_to` contains a code that is valid once, for a minute. Access tokens of the application have at most the rights of the member at each request, and end with the session of this request and with the membership. If `resource` is the MCP server of one index, the access is for this index.',
  auth: { needs: 'session' },
  audit: {
    action: 'grant.created',
    isAnnounced: true,
    details: ['permissions', 'index_ids', 'filter', 'id_prefix', 'rate_limits', 'in_flight', 'monthly_limits'],
  },
  errorCodes: ['bad_request', 'index_not_allowed'],
  uses: { grants: grantsWrite, metadata: clientMetadata, indexes: indexesRead },
  body: AuthorizationCreate,
  returnsSecret: true,
  status: 200,
  response: AuthorizationCreated,
  problems: grantProblems,
  handle: async ({ caller, deps, body, clock, origin, idempotency, announce }) => {
    const client = await readApplication(deps.metadata, body);
    const { challenge, resource, indexId, scopes } = readRequest(body, origin);
    if (!body.permissions.includes('read') || body.permissions.some((permission) => !scopes.includes(permission)))
      throw new AppError('bad_request', `Grant read, and no other permissions than: ${scopes.join(', ')}`);
    const restriction = restrictionOf(body);
    if (indexId !== null && restriction?.some((id) => id !== indexId) === true)
      throw new AppError('index_not_allowed', 'The resource is the MCP server of another index');
    if (indexId !== null && (await deps.indexes.get(caller.organizationId, indexId)) === null)
      throw new AppError('index_not_allowed', 'The organization does not have the index of this MCP server');
    const expiresAt = await deps.grants.sessionExpiry(caller.credentialHash);
    if (expiresAt === null) throw new AppError('unauthenticated', 'The session has ended');
    const grant = {
      id: idempotency.id('grant'),
      organizationId: caller.organizationId,
      creators: [caller.subjectId],
      sessionHash: caller.credentialHash,
      clientId: client.id,
      clientName: client.name,
      scopes: scopes.filter((scope) => body.permissions.includes(scope)),
      indexIds: indexId === null ? restriction : [indexId],
      bounds: boundsOf(body),
      limits: limitsOf(body),
      resource,
      createdAt: idempotency.at.toISOString(),
      expiresAt,
    };
    const value = newToken('authorization_code', idempotency.secret());
    const { organizationId, id, clientName: name } = grant;
    await announce([{ organizationId, resource: { id, name } }]);
    const codeExpiresAt = laterBy(clock.now(), codeSeconds * 1000).toISOString();
    await deps.grants.add(grant, { redirectUri: body.redirect_uri, challenge, expiresAt: codeExpiresAt }, value);
    return { redirect_to: redirectWith(body, origin, { code: value }) };
  },
});

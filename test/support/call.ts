import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { auditLogOf } from '../../shared/audit/index.ts';
import { aliasResolver, aliasUses } from '../../shared/aliases/index.ts';
import { authorizationUses, authorizer } from '../../shared/credentials/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { handleEndpoint } from '../../shared/http/handle.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { idempotencyUse } from '../../shared/idempotency/index.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';

interface Request {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** The answer of an endpoint, through the HTTP adapter, to an authenticated caller. */
export const answerOf = async (
  runtime: Runtime,
  endpoint: Endpoint,
  caller: Principal,
  { path, query, body, idempotencyKey }: Request = {},
) => {
  const handler = handleEndpoint(endpoint, {
    runtime,
    authenticate: (_credentials, _rates, _weight, onIdentified) => {
      onIdentified?.(caller.organizationId, caller.bounds);
      return Promise.resolve({ caller, headers: {}, end: () => Promise.resolve() });
    },
    idempotency: idempotencyKey === undefined ? null : makeDeps({ idempotency: idempotencyUse }, runtime).idempotency,
    audit: auditLogOf(endpoint, runtime),
    authorize: authorizer(makeDeps(authorizationUses, runtime)),
    resolvePath: aliasResolver(makeDeps(aliasUses, runtime)),
  });
  const event = {
    rawPath: endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => path?.[name] ?? ''),
    requestContext: { requestId: 'gateway' },
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      authorization: 'Bearer x',
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    pathParameters: path,
    queryStringParameters: query,
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
  };
  // The adapter reads no other field of the event and none of the context.
  return handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
};

/** Status and parsed body of the answer to an authenticated caller. */
export const call = async (...asked: Parameters<typeof answerOf>) => {
  const { statusCode, body } = await answerOf(...asked);
  return { status: statusCode, body: body === '' ? null : (JSON.parse(body) as unknown) };
};

/** The parsed body of a successful answer; throws any other. */
export const callOk = async (...asked: Parameters<typeof answerOf>): Promise<Record<string, unknown>> => {
  const { statusCode, body } = await answerOf(...asked);
  if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
  return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
};

/** A person with a session. */
export const person = (organizationId: string, role: 'owner' | 'member'): Principal => ({
  organizationId,
  plan: 'developer',
  kind: 'session',
  subjectId: 'usr_test',
  creators: [],
  permissions: ['read', 'write'],
  indexIds: null,
  bounds: null,
  limits: null,
  expiresAt: null,
  role,
  creatorRole: null,
  credentialHash: '',
  email: `${role}@example.com`,
});

/** A machine with a key. */
export const machine = (organizationId: string): Principal => ({
  ...person(organizationId, 'member'),
  kind: 'api_key',
  subjectId: 'key_test',
  role: null,
  email: null,
});

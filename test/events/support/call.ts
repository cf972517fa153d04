import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { authorize } from '../../../shared/credentials/index.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { handleEndpoint } from '../../../shared/http/handle.ts';
import type { Principal } from '../../../shared/http/principal.ts';
import type { Runtime } from '../../../shared/kernel/capability.ts';

interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls an endpoint through the HTTP adapter as an authenticated caller; gives status and parsed body. */
export const call = async (
  runtime: Runtime,
  endpoint: Endpoint,
  caller: Principal,
  { path, query, body }: Request = {},
) => {
  const handler = handleEndpoint(endpoint, {
    runtime,
    authenticate: () => Promise.resolve({ caller, headers: {} }),
    idempotency: null,
    authorize,
  });
  const event = {
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    pathParameters: path,
    queryStringParameters: query,
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
  };
  // The adapter reads no other field of the event and none of the context.
  const result = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
  return { status: result.statusCode, body: result.body === '' ? null : (JSON.parse(result.body) as unknown) };
};

/** A person with a session. */
export const person = (organizationId: string, role: 'owner' | 'member'): Principal => ({
  organizationId,
  plan: 'developer',
  kind: 'session',
  subjectId: 'usr_1',
  permissions: ['read', 'write'],
  indexIds: null,
  role,
  email: null,
});

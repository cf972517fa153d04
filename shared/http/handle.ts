import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { AppError, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { errorAnswer, type HttpResult, json } from './answer.ts';
import { fromParserFailure, jsonBody } from './body.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import type { Principal } from './principal.ts';
import { problemsOf } from './problems.ts';

/** Who calls: what the authenticator needs to know of a request. */
export interface Credentials {
  readonly bearer: string | null;
  readonly organizationId: string | null;
}

/** Turns credentials into a principal, or throws 401 or 403. */
export type Authenticate = (credentials: Credentials) => Promise<Principal>;

interface Host {
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  readonly authorize: (endpoint: Endpoint, caller: Principal, path: Readonly<Record<string, string>>) => void;
  readonly log: Logger;
}

const credentialsOf = (event: APIGatewayProxyEventV2): Credentials => {
  const header = event.headers['authorization'] ?? '';
  const [scheme, value, ...rest] = header.trim().split(/\s+/);
  return {
    bearer: scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null,
    organizationId: event.headers['x-service-organization-id'] ?? null,
  };
};

const check = (
  place: 'body' | 'query',
  schema: z.ZodType | undefined,
  input: unknown,
  problems: ValidationProblem[],
): unknown => {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  problems.push(...problemsOf(place, result.error.issues, input));
  return undefined;
};

const isAnswer = (value: unknown): value is Answer<unknown> =>
  typeof value === 'object' && value !== null && 'body' in value;

const toResult = (endpoint: Endpoint, value: unknown, requestId: string): HttpResult => {
  const { body, headers } = isAnswer(value) ? value : { body: value, headers: {} };
  if (endpoint.response !== undefined) return json(endpoint.status, endpoint.response.parse(body), requestId, headers);
  return {
    statusCode: endpoint.status,
    headers: {
      'x-request-id': requestId,
      ...(endpoint.produces === undefined ? {} : { 'content-type': endpoint.produces }),
      ...headers,
    },
    body: typeof body === 'string' ? body : '',
  };
};

const run = async (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
  event: APIGatewayProxyEventV2,
  caller: Principal | null,
  requestId: string,
) => {
  const problems: ValidationProblem[] = [];
  const body = check('body', endpoint.body, event.body, problems);
  const query = check('query', endpoint.query, event.queryStringParameters ?? {}, problems);
  if (problems.length > 0) throw new ValidationFailure(problems);
  const path = event.pathParameters ?? {};
  const bearer = endpoint.auth.needs === 'identity' ? credentialsOf(event).bearer : null;
  return endpoint.handle({ path, body, query, caller, deps, clock: host.runtime.clock, requestId, bearer });
};

/** Identifies and authorizes the caller before anything else of the request is looked at. */
const callerOf = async (endpoint: Endpoint, host: Host, event: APIGatewayProxyEventV2): Promise<Principal | null> => {
  if (endpoint.auth.needs === 'none' || endpoint.auth.needs === 'identity') return null;
  const caller = await host.authenticate(credentialsOf(event));
  const path = Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? '']),
  );
  host.authorize(endpoint, caller, path);
  return caller;
};

interface State {
  readonly requestId: string;
  caller: Principal | null;
}

/** The Lambda handler of one endpoint: identify, authorize, parse, validate, handle, project. */
export const handleEndpoint = (endpoint: Endpoint, host: Host) => {
  const deps = makeDeps(endpoint.uses, host.runtime);
  const states = new WeakMap<APIGatewayProxyEventV2, State>();
  const stateOf = (event: APIGatewayProxyEventV2): State => {
    const known = states.get(event) ?? { requestId: newId('req', host.runtime.clock.now()), caller: null };
    states.set(event, known);
    return known;
  };
  const handler = middy<APIGatewayProxyEventV2, HttpResult>(async (event: APIGatewayProxyEventV2) => {
    const { caller, requestId } = stateOf(event);
    return toResult(endpoint, await run(endpoint, deps, host, event, caller, requestId), requestId);
  });
  handler.before(async ({ event }) => {
    const state = stateOf(event);
    state.caller = await callerOf(endpoint, host, event);
    if (endpoint.body !== undefined && (event.body === undefined || event.body === '')) {
      throw new ValidationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    }
  });
  if (endpoint.body !== undefined) handler.use(jsonBody());
  handler.onError((request) => {
    const { requestId } = stateOf(request.event);
    const error = fromParserFailure(request.error);
    if (
      !(error instanceof AppError || error instanceof ValidationFailure) ||
      (error instanceof AppError && error.code === 'internal')
    ) {
      host.log.error('request failed', { endpoint: endpoint.id, request_id: requestId, error });
    }
    request.response = errorAnswer(error, requestId);
  });
  return handler;
};

import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { AppError, statusByCode, unavailable, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { idsOf } from '../kernel/log.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import {
  asErrorPage,
  compressed,
  errorResponse,
  type HttpResult,
  jsonResponse,
  requireWithinPayloadLimit,
} from './response.ts';
import { validate, validFields } from './validate.ts';
import { type EndpointResponse, type Endpoint, refusesQuery } from './endpoint.ts';
import { freshIdempotencyContext, type IdempotencyContext, idempotencyKeyOf, withIdempotency } from './idempotency.ts';
import { originOf } from './own-origin.ts';
import { routeMatcher } from './route-matcher.ts';
import { withResourceMetadata } from './resource-metadata.ts';
import { noStoreHeaders, securityHeaders, transportHeaders } from './security-headers.ts';
import {
  credentialsOf,
  type Host,
  openStates,
  preparation,
  type State,
  type StateOf,
  rollbackPrefetch,
} from './prepare.ts';
import { fileResponse, StaticFile } from './static-file.ts';

export const isEndpointResponse = (value: unknown): value is EndpointResponse<unknown> =>
  typeof value === 'object' && value !== null && 'body' in value;

const toResult = (
  endpoint: Endpoint,
  value: unknown,
  requestId: string,
  requested: APIGatewayProxyEventV2['headers'],
): HttpResult => {
  const response = isEndpointResponse(value) ? value : { body: value };
  const { body, headers, status = endpoint.status, isBase64 = false } = response;
  if (body instanceof StaticFile) return fileResponse(body, requested, requestId);
  const { alternative } = endpoint;
  const schema = status === alternative?.status ? alternative.response : endpoint.response;
  if (schema !== undefined) return jsonResponse(status, schema.parse(body), requestId, headers);
  return {
    statusCode: status,
    headers: {
      'x-request-id': requestId,
      ...(endpoint.produces === undefined ? {} : { 'content-type': endpoint.produces }),
      ...headers,
    },
    body: typeof body === 'string' ? body : '',
    ...(isBase64 ? { isBase64Encoded: true } : {}),
  };
};

/** Whether an error is a 4xx, which is not logged as a failure of the service. */
const isExpected = (error: unknown): boolean =>
  error instanceof ValidationFailure || (error instanceof AppError && statusByCode[error.code] < 500);

/** Ignores a 4xx that prevents further validation, such as a missing index. The problems of the schema are reported. */
const ignoreExpected = (error: unknown): readonly ValidationProblem[] => {
  if (isExpected(error)) return [];
  throw error;
};

const noQuery = z.strictObject({});

const querySchemaOf = (endpoint: Endpoint): z.ZodType | undefined =>
  endpoint.query ?? (refusesQuery(endpoint) ? noQuery : undefined);

const run = async (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
): Promise<HttpResult> => {
  const { caller, path, requestId, rawBody, prefetched, validated } = state;
  const { body } = validated;
  const problems = [...validated.problems];
  const query = validate('query', querySchemaOf(endpoint), event.queryStringParameters ?? {}, problems);
  const key = host.idempotency === null ? null : idempotencyKeyOf(event.headers, problems);
  const { clock } = host.runtime;
  const furtherProblems = async (fields: () => unknown) =>
    (await endpoint.problems?.({ path, body: fields(), sent: event.body, caller, deps, prefetched, clock })) ?? [];
  if (problems.length > 0) {
    const others = await furtherProblems(() => validFields(endpoint.body, event.body)).catch(ignoreExpected);
    throw new ValidationFailure([...problems, ...others]);
  }
  const bearer = endpoint.auth.needs === 'identity' ? credentialsOf(event).bearer : null;
  const authorization = endpoint.auth.needs === 'client' ? (event.headers['authorization'] ?? null) : null;
  const execute = async (idempotency: IdempotencyContext): Promise<HttpResult> => {
    // Checked after the lookup of a stored response, because a time that was valid then may have passed.
    const found = await furtherProblems(() => body);
    if (found.length > 0) throw new ValidationFailure(found);
    const userAgent = event.headers['user-agent'] ?? null;
    const { headers } = event;
    const sent = { path, body, query, bearer, authorization, userAgent, headers, origin: originOf(event) };
    const call = { ...sent, caller, deps, prefetched, clock, requestId, idempotency };
    const value = await endpoint.handle(call);
    if (isEndpointResponse(value)) state.response = value;
    return toResult(endpoint, value, requestId, event.headers);
  };
  if (host.idempotency === null || caller === null || key === null) return execute(freshIdempotencyContext(clock));
  const request = JSON.stringify([endpoint.method, event.rawPath, rawBody]);
  return withIdempotency(host.idempotency, { caller, endpointId: endpoint.id, key, request }, execute, requestId);
};

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** Ends the request for the limit of requests in flight, after its handler. */
const ended = async (state: State, handling: Promise<HttpResult>): Promise<HttpResult> => {
  try {
    return await handling;
  } finally {
    await state.end?.();
  }
};

/** Logs one line for each request. */
const logged =
  (endpoint: Endpoint, { clock, log }: Runtime, stateOf: StateOf, handler: Handler): Handler =>
  async (event, context) => {
    const startedMs = clock.now().getTime();
    const state = stateOf(event);
    const result = await ended(state, handler(event, context));
    log.info('request', {
      ...idsOf(state.path),
      endpoint: endpoint.id,
      request_id: state.requestId,
      gateway_request_id: event.requestContext.requestId,
      organization_id: state.caller?.organizationId ?? null,
      subject_id: state.caller?.subjectId ?? null,
      status: result.statusCode,
      duration_ms: clock.now().getTime() - startedMs,
    });
    return result;
  };

/** Converts transient errors of the SDK to 503, because a retry may succeed. */
const orUnavailable = (error: unknown): unknown => (isTransientSdkError(error) ? unavailable(error) : error);

/** Returns the handler of one definition: authenticate, authorize, parse, validate, handle, project. */
const handlerOf = (endpoint: Endpoint, deps: Deps<Uses>, host: Host): Handler => {
  const { runtime } = host;
  const stateOf = openStates(runtime.clock);
  const prepare = preparation(endpoint, deps, host);
  // A browser can open an endpoint without credentials.
  const fixed = endpoint.auth.needs === 'none' ? securityHeaders : {};
  const uncached = endpoint.returnsSecret === true ? noStoreHeaders : {};
  const handler = middy<APIGatewayProxyEventV2, HttpResult>(async (event: APIGatewayProxyEventV2) => {
    const state = stateOf(event);
    const result = await run(endpoint, deps, host, event, state);
    const headers = { ...fixed, ...uncached, ...transportHeaders(event), ...result.headers, ...state.headers };
    const fitting = requireWithinPayloadLimit(compressed({ ...result, headers }, event.headers));
    await state.response?.commit?.();
    return fitting;
  });
  handler.before((request) => prepare(request, stateOf(request.event)));
  handler.onError(async (request) => {
    const state = stateOf(request.event);
    await rollbackPrefetch(endpoint, runtime, state);
    const { requestId, headers } = state;
    const { error } = request;
    if (!isExpected(error))
      runtime.log.error('request.failed', { endpoint: endpoint.id, request_id: requestId, error });
    const refusal = errorResponse(orUnavailable(error), requestId, endpoint.errorFormat);
    const response = endpoint.isProtectedResource === true ? withResourceMetadata(refusal, request.event) : refusal;
    const shown = asErrorPage(endpoint.errorPage, response, request.event.headers);
    const own = { ...fixed, ...transportHeaders(request.event) };
    request.response = { ...shown, headers: { ...own, ...headers, ...shown.headers } };
  });
  return logged(endpoint, runtime, stateOf, handler);
};

/** Returns the Lambda handler of an endpoint, and of the endpoints in its `routes`. */
export const handleEndpoint = (endpoint: Endpoint, host: Host): Handler => {
  const deps = makeDeps(endpoint.uses, host.runtime);
  const own = handlerOf(endpoint, deps, host);
  const { path, routes } = endpoint;
  if (routes === undefined) return own;
  const handlers = new Map(routes.map((route) => [route, handlerOf(route, deps, host)]));
  const match = routeMatcher(path, routes);
  return (event, context) => {
    const found = match(event);
    const handle = found === null ? undefined : handlers.get(found.route);
    return found === null || handle === undefined ? own(event, context) : handle(found.event, context);
  };
};

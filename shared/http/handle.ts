import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { isExpected, unavailable } from '../kernel/errors.ts';
import { idsOf } from '../kernel/log.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import { asErrorPage, compressed, errorResponse, type HttpResult, requireWithinPayloadLimit } from './response.ts';
import type { Endpoint } from './endpoint.ts';
import { originOf } from './own-origin.ts';
import { routeMatcher } from './route-matcher.ts';
import { withResourceMetadata } from './resource-metadata.ts';
import { runEndpoint } from './run-endpoint.ts';
import { noStoreHeaders, securityHeaders, transportHeaders } from './security-headers.ts';
import { credentialsOf, type Host, newState, preparation, type State } from './prepare.ts';

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** Logs one line for each request. */
const logRequest = (
  endpoint: Endpoint,
  { clock, log }: Runtime,
  { path, requestId, caller }: State,
  {
    event,
    result,
    startedMs,
  }: {
    readonly event: APIGatewayProxyEventV2;
    readonly result: HttpResult;
    readonly startedMs: number;
  },
): void =>
  log.info('request', {
    ...idsOf(path),
    endpoint: endpoint.id,
    request_id: requestId,
    gateway_request_id: event.requestContext.requestId,
    organization_id: caller?.organizationId ?? null,
    subject_id: caller?.subjectId ?? null,
    status: result.statusCode,
    duration_ms: clock.now().getTime() - startedMs,
  });

/** Returns the address of the client. No header is read, because the client writes its headers. */
const sourceIpOf = ({ requestContext: { http } }: APIGatewayProxyEventV2): string | null => {
  const address = (http as Partial<typeof http> | undefined)?.sourceIp ?? '';
  return address === '' ? null : address;
};

/** Converts transient errors of the SDK to 503, because a retry may succeed. */
const orUnavailable = (error: unknown): unknown => (isTransientSdkError(error) ? unavailable(error) : error);

/** Returns the handler of one definition: authenticate, authorize, parse, validate, handle, project. */
const handlerOf = (endpoint: Endpoint, deps: Deps<Uses>, host: Host): Handler => {
  const { runtime, idempotency, audit } = host;
  const { clock } = runtime;
  const prepare = preparation(endpoint, deps, host);
  // A browser can open an endpoint without credentials.
  const fixed = endpoint.auth.needs === 'none' ? securityHeaders : {};
  const uncached = endpoint.returnsSecret === true ? noStoreHeaders : {};

  const succeed = async (event: APIGatewayProxyEventV2, state: State): Promise<HttpResult> => {
    const prepared = await prepare(event, state);
    const result = await runEndpoint(
      endpoint,
      { deps, clock, idempotency, audit },
      {
        ...prepared,
        caller: state.caller,
        path: state.path,
        query: event.queryStringParameters ?? {},
        headers: event.headers,
        origin: originOf(event),
        bearer: credentialsOf(event).bearer,
        content: [event.rawPath, event.body ?? ''],
        requestId: state.requestId,
        sourceIp: sourceIpOf(event),
        onEnd: state.end.onEnd,
      },
    );
    const headers = { ...fixed, ...uncached, ...transportHeaders(event), ...result.headers, ...state.headers };
    const fitting = requireWithinPayloadLimit(compressed({ ...result, headers }, event.headers));
    await state.end.run(true);
    return fitting;
  };

  const refuse = async (error: unknown, event: APIGatewayProxyEventV2, state: State): Promise<HttpResult> => {
    await state.end.run(false);
    const { requestId, headers } = state;
    if (!isExpected(error))
      runtime.log.error('request.failed', { endpoint: endpoint.id, request_id: requestId, error });
    const refusal = errorResponse(orUnavailable(error), requestId, endpoint.errorFormat);
    const response = endpoint.isProtectedResource === true ? withResourceMetadata(refusal, event) : refusal;
    const shown = asErrorPage(endpoint.errorPage, response, event.headers);
    return { ...shown, headers: { ...fixed, ...transportHeaders(event), ...headers, ...shown.headers } };
  };

  return async (event) => {
    const startedMs = clock.now().getTime();
    const state = newState(event, runtime);
    const result = await succeed(event, state).catch((error: unknown) => refuse(error, event, state));
    logRequest(endpoint, runtime, state, { event, result, startedMs });
    return result;
  };
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

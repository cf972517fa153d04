import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as z from 'zod';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { AppError, statusByCode, unavailable, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { idsOf } from '../kernel/log.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import { asPage, compressed, errorAnswer, type HttpResult, json, requireFitting } from './answer.ts';
import { check, soundFields } from './check.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import { type Creation, freshCreation } from './creation.ts';
import { idempotencyKeyOf, once } from './once.ts';
import { pageHeaders } from './page-headers.ts';
import { credentialsOf, type Host, openStates, preparation, type State, type StateOf, undoAhead } from './prepare.ts';
import { fileAnswer, StaticFile } from './static-file.ts';

const isAnswer = (value: unknown): value is Answer<unknown> =>
  typeof value === 'object' && value !== null && 'body' in value;

const toResult = (
  endpoint: Endpoint,
  value: unknown,
  requestId: string,
  requested: APIGatewayProxyEventV2['headers'],
): HttpResult => {
  const { body, headers } = isAnswer(value) ? value : { body: value, headers: {} };
  if (body instanceof StaticFile) return fileAnswer(body, requested, requestId);
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

/** Whether it is for the caller to mend; of all else an operator may want to find the cause. */
const isExpected = (error: unknown): boolean =>
  error instanceof ValidationFailure || (error instanceof AppError && statusByCode[error.code] < 500);

/** Where a body can be judged no further, as without its index, what the schema finds is told alone. */
const noFurther = (error: unknown): readonly ValidationProblem[] => {
  if (isExpected(error)) return [];
  throw error;
};

const noQuery = z.strictObject({});

/** A deletion takes no query: one that a gateway has cut off a longer path must not go unnoticed. */
const querySchemaOf = ({ method, query }: Endpoint): z.ZodType | undefined =>
  query ?? (method === 'DELETE' ? noQuery : undefined);

const run = async (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
): Promise<HttpResult> => {
  const { caller, requestId, rawBody, ahead, judged } = state;
  const { body } = judged;
  const problems = [...judged.problems];
  const query = check('query', querySchemaOf(endpoint), event.queryStringParameters ?? {}, problems);
  const key = host.idempotency === null ? null : idempotencyKeyOf(event.headers, problems);
  const { clock } = host.runtime;
  const path = event.pathParameters ?? {};
  const further = async (fields: () => unknown) =>
    (await endpoint.problems?.({ path, body: fields(), sent: event.body, caller, deps, ahead, clock })) ?? [];
  if (problems.length > 0) {
    const beside = await further(() => soundFields(endpoint.body, event.body)).catch(noFurther);
    throw new ValidationFailure([...problems, ...beside]);
  }
  const bearer = endpoint.auth.needs === 'identity' ? credentialsOf(event).bearer : null;
  const authorization = endpoint.auth.needs === 'client' ? (event.headers['authorization'] ?? null) : null;
  const answer = async (creation: Creation): Promise<HttpResult> => {
    // Not before a kept answer is looked for: what was right when it was given may be wrong by now.
    const found = await further(() => body);
    if (found.length > 0) throw new ValidationFailure(found);
    const userAgent = event.headers['user-agent'] ?? null;
    const sent = { path, body, query, bearer, authorization, userAgent };
    const call = { ...sent, caller, deps, ahead, clock, requestId, creation };
    const value = await endpoint.handle(call);
    if (isAnswer(value)) state.answer = value;
    return toResult(endpoint, value, requestId, event.headers);
  };
  if (host.idempotency === null || caller === null || key === null) return answer(freshCreation(clock));
  const request = JSON.stringify([endpoint.method, event.rawPath, rawBody]);
  return once(host.idempotency, { caller, endpointId: endpoint.id, key, request }, answer, requestId);
};

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** Ends a request among those in flight once its handler has ended. */
const ended = async (state: State, handling: Promise<HttpResult>): Promise<HttpResult> => {
  try {
    return await handling;
  } finally {
    await state.end?.();
  }
};

/** One line for each request: who, what, and how it ended. */
const logged =
  (endpoint: Endpoint, { clock, log }: Runtime, stateOf: StateOf, handler: Handler): Handler =>
  async (event, context) => {
    const startedMs = clock.now().getTime();
    const state = stateOf(event);
    const result = await ended(state, handler(event, context));
    log.info('request', {
      ...idsOf(event.pathParameters),
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

/** What a caller can mend by asking again is no internal error. */
const orUnavailable = (error: unknown): unknown => (isTransientSdkError(error) ? unavailable(error) : error);

/** The Lambda handler of one endpoint: identify, authorize, parse, validate, handle, project. */
export const handleEndpoint = (endpoint: Endpoint, host: Host): Handler => {
  const { runtime } = host;
  const deps = makeDeps(endpoint.uses, runtime);
  const stateOf = openStates(runtime.clock);
  const prepare = preparation(endpoint, deps, host);
  // What needs no credential may be opened by its address alone.
  const own = endpoint.auth.needs === 'none' ? pageHeaders : {};
  const handler = middy<APIGatewayProxyEventV2, HttpResult>(async (event: APIGatewayProxyEventV2) => {
    const state = stateOf(event);
    const result = await run(endpoint, deps, host, event, state);
    const headers = { ...own, ...result.headers, ...state.headers };
    const fitting = requireFitting(compressed({ ...result, headers }, event.headers));
    await state.answer?.settle?.();
    return fitting;
  });
  handler.before((request) => prepare(request, stateOf(request.event)));
  handler.onError(async (request) => {
    const state = stateOf(request.event);
    await undoAhead(endpoint, runtime, state);
    const { requestId, headers } = state;
    const { error } = request;
    if (!isExpected(error))
      runtime.log.error('request failed', { endpoint: endpoint.id, request_id: requestId, error });
    const refused = errorAnswer(orUnavailable(error), requestId, endpoint.refusalForm);
    const answer = asPage(endpoint.refusalPage, refused, request.event.headers);
    request.response = { ...answer, headers: { ...own, ...headers, ...answer.headers } };
  });
  return logged(endpoint, runtime, stateOf, handler);
};

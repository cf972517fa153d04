import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { AppError, statusByCode, unavailable, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { idsOf } from '../kernel/log.ts';
import { oncePer } from '../kernel/made-once.ts';
import { isPassingSdkError } from '../kernel/sdk-error.ts';
import { errorAnswer, type HttpResult, json, requireFitting } from './answer.ts';
import { formBody, fromParserFailure, jsonBody } from './body.ts';
import { cacheable } from './cacheable.ts';
import { check, soundFields } from './check.ts';
import { type Answer, type Endpoint, needsPrincipal } from './endpoint.ts';
import type { Authenticate, Credentials, Idempotency } from './admission.ts';
import { type Creation, freshCreation } from './creation.ts';
import { idempotencyKeyOf, once } from './once.ts';
import { hasOptionalBody } from './optional-body.ts';
import type { Principal } from './principal.ts';

interface Host {
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  /** Null for endpoints that are not `repeatable`. */
  readonly idempotency: Idempotency | null;
  readonly authorize: (endpoint: Endpoint, caller: Principal, path: Readonly<Record<string, string>>) => Promise<void>;
}

const credentialsOf = (event: APIGatewayProxyEventV2): Credentials => {
  const header = event.headers['authorization'] ?? '';
  const [scheme, value, ...rest] = header.trim().split(/\s+/);
  const selected = event.headers['x-service-organization-id'];
  return {
    bearer: scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null,
    // Some clients send a header without a value for what they would call null.
    organizationId: selected === undefined || selected === '' ? null : selected,
  };
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

/** Whether it is for the caller to mend; of all else an operator may want to find the cause. */
const isExpected = (error: unknown): boolean =>
  error instanceof ValidationFailure || (error instanceof AppError && statusByCode[error.code] < 500);

/** Where a body can be judged no further, as without its index, what the schema finds is told alone. */
const noFurther = (error: unknown): readonly ValidationProblem[] => {
  if (isExpected(error)) return [];
  throw error;
};

const run = async (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
): Promise<HttpResult> => {
  const { caller, requestId, rawBody, ahead } = state;
  const problems: ValidationProblem[] = [];
  const body = check('body', endpoint.body, event.body, problems);
  const query = check('query', endpoint.query, event.queryStringParameters ?? {}, problems);
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
    const call = { path, body, query, caller, deps, ahead, clock, requestId, bearer, authorization, creation };
    const value = await endpoint.handle(call);
    if (isAnswer(value)) state.answer = value;
    return toResult(endpoint, value, requestId);
  };
  if (host.idempotency === null || caller === null || key === null) return answer(freshCreation(clock));
  const request = JSON.stringify([endpoint.method, event.rawPath, rawBody]);
  return once(host.idempotency, { caller, endpointId: endpoint.id, key, request }, answer, requestId);
};

/**
 * Identifies and authorizes the caller before anything else of the request is looked at. Whoever is known is so before
 * they may be refused, since a refusal is counted and logged as theirs.
 */
const admit = async (
  endpoint: Endpoint,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
  onKnown: (organizationId: string) => void,
): Promise<void> => {
  if (!needsPrincipal(endpoint.auth.needs)) return;
  const rates = ['requests', ...(endpoint.rate === undefined ? [] : [endpoint.rate])] as const;
  const { caller, headers } = await host.authenticate(credentialsOf(event), rates, onKnown);
  state.caller = caller;
  state.headers = headers;
  const path = Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? '']),
  );
  await host.authorize(endpoint, caller, path);
};

/** What is known of a request besides the event, which the body parser changes. */
interface State {
  readonly requestId: string;
  readonly rawBody: string;
  caller: Principal | null;
  headers: Readonly<Record<string, string>>;
  ahead: Promise<unknown> | undefined;
  /** What the handler answered. */
  answer: Answer<unknown> | undefined;
}

type StateOf = (event: APIGatewayProxyEventV2) => State;

const openStates = (clock: Clock): StateOf =>
  oncePer((event: APIGatewayProxyEventV2) => ({
    requestId: newId('req', clock.now()),
    rawBody: event.body ?? '',
    caller: null,
    headers: {},
    ahead: undefined,
    answer: undefined,
  }));

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** One line for each request: who, what, and how it ended. */
const logged =
  (endpoint: Endpoint, { clock, log }: Runtime, stateOf: StateOf, handler: Handler): Handler =>
  async (event, context) => {
    const startedMs = clock.now().getTime();
    const state = stateOf(event);
    const result = await handler(event, context);
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
const orUnavailable = (error: unknown): unknown => (isPassingSdkError(error) ? unavailable(error) : error);

/** The Lambda handler of one endpoint: identify, authorize, parse, validate, handle, project. */
export const handleEndpoint = (endpoint: Endpoint, host: Host): Handler => {
  const { runtime } = host;
  const deps = makeDeps(endpoint.uses, runtime);
  const stateOf = openStates(runtime.clock);
  const needsBody = endpoint.body !== undefined && !hasOptionalBody(endpoint);
  const handler = middy<APIGatewayProxyEventV2, HttpResult>(async (event: APIGatewayProxyEventV2) => {
    const state = stateOf(event);
    try {
      const result = await run(endpoint, deps, host, event, state);
      const fitting = requireFitting({ ...result, headers: { ...result.headers, ...state.headers } });
      await state.answer?.settle?.();
      return fitting;
    } catch (error) {
      await state.answer?.withdraw?.();
      throw error;
    }
  });
  handler.before(async ({ event }) => {
    const state = stateOf(event);
    const lookAhead = (organizationId: string): void => {
      state.ahead = endpoint.ahead?.({ organizationId, path: event.pathParameters ?? {}, deps });
      // A refused caller leaves nobody who waits for it.
      state.ahead?.catch(() => undefined);
    };
    await admit(endpoint, host, event, state, lookAhead);
    if (needsBody && (event.body === undefined || event.body === '')) {
      throw new ValidationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    }
  });
  if (endpoint.body !== undefined) handler.use(endpoint.consumes === undefined ? jsonBody() : formBody());
  if (endpoint.cacheable === true) handler.use(cacheable());
  handler.onError((request) => {
    const { requestId, headers } = stateOf(request.event);
    const error = fromParserFailure(request.error);
    if (!isExpected(error))
      runtime.log.error('request failed', { endpoint: endpoint.id, request_id: requestId, error });
    const answer = errorAnswer(orUnavailable(error), requestId, endpoint.refusalForm);
    request.response = { ...answer, headers: { ...headers, ...answer.headers } };
  });
  return logged(endpoint, runtime, stateOf, handler);
};

import { setImmediate } from 'node:timers/promises';
import type { Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Deps, Runtime, Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import type { Authenticate, Credentials, Idempotency } from './admission.ts';
import { formBody, jsonBody } from './body.ts';
import { check } from './check.ts';
import { type Answer, type Endpoint, needsPrincipal } from './endpoint.ts';
import { hasOptionalBody } from './optional-body.ts';
import { pathRefusal } from './path-parameters.ts';
import type { Principal } from './principal.ts';

type ApiRequest = Request<APIGatewayProxyEventV2>;

/** What an endpoint runs in. */
export interface Host {
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  /** Null for endpoints that are not `repeatable`. */
  readonly idempotency: Idempotency | null;
  readonly authorize: (endpoint: Endpoint, caller: Principal, path: Readonly<Record<string, string>>) => Promise<void>;
}

/** What the schema makes of a body, and what it finds wrong with it. */
interface JudgedBody {
  readonly body: unknown;
  readonly problems: readonly ValidationProblem[];
}

/** What is known of a request besides the event, which the body parser changes. */
export interface State {
  readonly requestId: string;
  readonly rawBody: string;
  caller: Principal | null;
  headers: Readonly<Record<string, string>>;
  /** Ends the request among those in flight; undefined if it was not let in. */
  end: (() => Promise<void>) | undefined;
  judged: JudgedBody;
  ahead: Promise<unknown> | undefined;
  /** What is to be undone of what has begun ahead, where the caller gets no answer. */
  readonly undoing: (() => Promise<void>)[];
  /** Done when what was begun for an organization that is not the caller's is undone. */
  undone: Promise<void> | undefined;
  /** What the handler answered. */
  answer: Answer<unknown> | undefined;
}

export type StateOf = (event: APIGatewayProxyEventV2) => State;

/** The state of each event. */
export const openStates = (clock: Clock): StateOf =>
  memoizePerOwner((event: APIGatewayProxyEventV2) => ({
    requestId: newId('req', clock.now()),
    rawBody: event.body ?? '',
    caller: null,
    headers: {},
    end: undefined,
    judged: { body: undefined, problems: [] },
    ahead: undefined,
    undoing: [],
    undone: undefined,
    answer: undefined,
  }));

const textOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

/** The credentials that a request carries. */
export const credentialsOf = (event: APIGatewayProxyEventV2): Credentials => {
  const header = event.headers['authorization'] ?? '';
  const [scheme, value, ...rest] = header.trim().split(/\s+/);
  const selected = event.headers['x-service-organization-id'];
  return {
    bearer: scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null,
    // Some clients send a header without a value for what they would call null.
    organizationId: selected === undefined || selected === '' ? null : selected,
  };
};

/**
 * Identifies and authorizes the caller before they are told anything else about the request. Whoever is known is so before
 * they may be refused, since a refusal is counted and logged as theirs.
 */
const admit = async (
  endpoint: Endpoint,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
  onKnown: (organizationId: string) => void,
): Promise<void> => {
  const refusal = pathRefusal(endpoint.path, event);
  if (!needsPrincipal(endpoint.auth.needs)) {
    if (refusal !== null) throw refusal;
    return;
  }
  const rates = ['requests', ...(endpoint.rate === undefined ? [] : [endpoint.rate])] as const;
  // Nothing is prefetched for a path that names nothing.
  const onOrganization = refusal === null ? onKnown : undefined;
  const weight = endpoint.weight?.(textOf(event));
  const { caller, headers, end } = await host.authenticate(credentialsOf(event), rates, weight, onOrganization);
  state.caller = caller;
  state.end = end;
  state.headers = headers;
  if (refusal !== null) throw refusal;
  const path = Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? '']),
  );
  await host.authorize(endpoint, caller, path);
};

/** Parses a body and checks it. Throws for one that cannot be parsed, or is missing. */
const bodyReader = (endpoint: Endpoint): ((request: ApiRequest) => Promise<JudgedBody>) => {
  const { body: schema, consumes } = endpoint;
  const parser = consumes === undefined ? jsonBody(endpoint.maxBodyBytes) : formBody();
  const isNeeded = schema !== undefined && !hasOptionalBody(endpoint);
  return async (request) => {
    const { event } = request;
    if (isNeeded && (event.body === undefined || event.body === '')) {
      throw new ValidationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    }
    if (schema !== undefined) await parser.before?.(request);
    const problems: ValidationProblem[] = [];
    const body = check('body', schema, event.body, problems);
    return { body, problems };
  };
};

/** Undoes what has begun ahead; what cannot be undone is logged. */
export const undoAhead = async (endpoint: Endpoint, { log }: Runtime, state: State): Promise<void> => {
  // Not what begins while this waits.
  const undoing = state.undoing.splice(0);
  await state.undone;
  for (const undo of undoing) {
    await undo().catch((error: unknown) => {
      log.error('what was begun is not undone', { endpoint: endpoint.id, request_id: state.requestId, error });
    });
  }
};

/** What comes before the call: lets the caller in, and meanwhile begins what can be begun and reads the body. */
export const preparation = (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
): ((request: ApiRequest, state: State) => Promise<void>) => {
  const readBody = bodyReader(endpoint);
  return async (request, state) => {
    const path = request.event.pathParameters ?? {};
    let judging: Promise<JudgedBody> | undefined;
    const judge = (): Promise<JudgedBody> => (judging ??= readBody(request));
    const judgeAhead = async (): Promise<unknown> => {
      // What is asked about the caller has to be on its way first.
      await setImmediate();
      const { body, problems } = await judge();
      return problems.length > 0 ? null : body;
    };
    const lookAhead = (organizationId: string): void => {
      if (endpoint.ahead === undefined) return;
      state.undone = undoAhead(endpoint, host.runtime, state);
      const body = judgeAhead().catch(() => null);
      const onRefusal = (undo: () => Promise<void>): void => void state.undoing.push(undo);
      state.ahead = endpoint.ahead({ organizationId, path, body, deps, onRefusal });
      // A refused caller leaves nobody who waits for it.
      state.ahead.catch(() => undefined);
    };
    await admit(endpoint, host, request.event, state, lookAhead);
    await state.undone;
    // What is wrong with it is for those alone who were let in.
    state.judged = await judge();
  };
};

import { setImmediate } from 'node:timers/promises';
import type { Request } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Deps, Runtime, Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import type { Authenticate, Credentials } from './authentication.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { formBody, jsonBody } from './body.ts';
import { multipartBody } from './multipart-body.ts';
import { originOf, requireTrustedOrigin } from './own-origin.ts';
import { validate } from './validate.ts';
import { type Endpoint, type EndpointResponse, hasOptionalBody, needsPrincipal } from './endpoint.ts';
import { pathError } from './path-parameters.ts';
import type { Principal } from './principal.ts';

type ApiRequest = Request<APIGatewayProxyEventV2>;

/** Values of path parameters by their names. */
type Path = Readonly<Record<string, string>>;

/** Environment of an endpoint. */
export interface Host {
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  /** Null if the endpoint is not `idempotent`. */
  readonly idempotency: IdempotencyStore | null;
  readonly authorize: (endpoint: Endpoint, caller: Principal, path: Path) => Promise<void>;
  /** Replaces the alias of an index in a path by the id of the index. */
  readonly resolvePath: (organizationId: string, path: Path) => Promise<Path>;
}

/** Validated body with its problems. */
interface ValidatedBody {
  readonly body: unknown;
  readonly problems: readonly ValidationProblem[];
}

/** State of a request besides the event, whose body the parser replaces. */
export interface State {
  readonly requestId: string;
  readonly rawBody: string;
  /** Parameters of the path; for an authenticated caller with the id of the index in place of its alias. */
  path: Path;
  caller: Principal | null;
  headers: Readonly<Record<string, string>>;
  /** Ends the request for the limit of requests in flight; undefined if it was not counted. */
  end: (() => Promise<void>) | undefined;
  validated: ValidatedBody;
  prefetched: Promise<unknown> | undefined;
  /** Rollbacks of the prefetch, which run if the request fails. */
  readonly rollbacks: (() => Promise<void>)[];
  /** Resolves after the rollback of a prefetch for an organization that is not the caller's. */
  rolledBack: Promise<void> | undefined;
  /** Response of the handler. */
  response: EndpointResponse<unknown> | undefined;
}

export type StateOf = (event: APIGatewayProxyEventV2) => State;

/** Returns a function that creates the state of each event once. */
export const openStates = (clock: Clock): StateOf =>
  memoizePerOwner((event: APIGatewayProxyEventV2) => ({
    requestId: newId('req', clock.now()),
    rawBody: event.body ?? '',
    path: Object.fromEntries(Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? ''])),
    caller: null,
    headers: {},
    end: undefined,
    validated: { body: undefined, problems: [] },
    prefetched: undefined,
    rollbacks: [],
    rolledBack: undefined,
    response: undefined,
  }));

const textOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string =>
  isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;

/** Returns the credentials of a request. */
export const credentialsOf = (event: APIGatewayProxyEventV2): Credentials => {
  const header = event.headers['authorization'] ?? '';
  const [scheme, value, ...rest] = header.trim().split(/\s+/);
  const selected = event.headers['x-service-organization-id'];
  return {
    bearer: scheme?.toLowerCase() === 'bearer' && value !== undefined && rest.length === 0 ? value : null,
    // Some clients send an empty header for null.
    organizationId: selected === undefined || selected === '' ? null : selected,
    address: `${originOf(event)}${event.rawPath}`,
  };
};

/**
 * Checks the origin, then authenticates, rate limits and authorizes the caller before the response reveals anything else about the request. A 404 of
 * the path comes after authentication, so it is counted and logged for the caller.
 */
const authenticateCaller = async (
  endpoint: Endpoint,
  host: Host,
  event: APIGatewayProxyEventV2,
  state: State,
  pathOf: (organizationId: string) => Promise<Path>,
  onIdentified: (organizationId: string) => void,
): Promise<void> => {
  if (endpoint.isProtectedResource === true) requireTrustedOrigin(event);
  const refusal = endpoint.routes === undefined ? pathError(endpoint.path, event) : null;
  if (!needsPrincipal(endpoint.auth.needs)) {
    if (refusal !== null) throw refusal;
    return;
  }
  const query = event.queryStringParameters ?? {};
  const own = typeof endpoint.rate === 'function' ? endpoint.rate(textOf(event), query) : endpoint.rate;
  const rates = ['requests', ...(own === undefined ? [] : [own])] as const;
  // Nothing is prefetched for an invalid path.
  const onOrganization = refusal === null ? onIdentified : undefined;
  const weight = endpoint.weight?.(textOf(event), query);
  const { caller, headers, end } = await host.authenticate(credentialsOf(event), rates, weight, onOrganization);
  state.caller = caller;
  state.end = end;
  state.headers = headers;
  if (refusal !== null) throw refusal;
  const path = await pathOf(caller.organizationId);
  // The alias of an index that the caller may not use is not resolved, so it is a 404 like an unknown one.
  const isHidden = path['index_id'] !== undefined && caller.indexIds?.includes(path['index_id']) === false;
  state.path = isHidden ? state.path : path;
  await host.authorize(endpoint, caller, state.path);
};

const formParsers = { 'application/x-www-form-urlencoded': formBody, 'multipart/form-data': multipartBody } as const;

/** Returns a function that parses and validates the body. It throws for a body that is missing or cannot be parsed. */
const bodyReader = (endpoint: Endpoint): ((request: ApiRequest) => Promise<ValidatedBody>) => {
  const { body: schema, consumes } = endpoint;
  const parser = consumes === undefined ? jsonBody(endpoint.maxBodyBytes) : formParsers[consumes]();
  const isRequired = schema !== undefined && !hasOptionalBody(endpoint);
  return async (request) => {
    const { event } = request;
    if (isRequired && (event.body === undefined || event.body === '')) {
      throw new ValidationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    }
    if (schema !== undefined) await parser.before?.(request);
    const problems: ValidationProblem[] = [];
    const body = validate('body', schema, event.body, problems);
    return { body, problems };
  };
};

/** Rolls back the prefetch. Failures are logged. */
export const rollbackPrefetch = async (endpoint: Endpoint, { log }: Runtime, state: State): Promise<void> => {
  // Rollbacks that are registered while this waits are not included.
  const rollbacks = state.rollbacks.splice(0);
  await state.rolledBack;
  for (const rollback of rollbacks) {
    await rollback().catch((error: unknown) => {
      log.error('request.rollback.failed', { endpoint: endpoint.id, request_id: state.requestId, error });
    });
  }
};

/** Returns the steps before the handler: authenticates the caller and, concurrently, prefetches and reads the body. */
export const preparation = (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
): ((request: ApiRequest, state: State) => Promise<void>) => {
  const readBody = bodyReader(endpoint);
  return async (request, state) => {
    const sent = state.path;
    const paths = new Map<string, Promise<Path>>();
    // The prefetch and the handler use the same index, so an alias is read once.
    const pathOf = (organizationId: string): Promise<Path> => {
      const path = paths.get(organizationId) ?? host.resolvePath(organizationId, sent);
      paths.set(organizationId, path);
      return path;
    };
    let validating: Promise<ValidatedBody> | undefined;
    const validateBody = (): Promise<ValidatedBody> => (validating ??= readBody(request));
    const validBody = async (): Promise<unknown> => {
      // The requests of the authentication are sent first.
      await setImmediate();
      const { body, problems } = await validateBody();
      return problems.length > 0 ? null : body;
    };
    const startPrefetch = (organizationId: string): void => {
      const { prefetch } = endpoint;
      if (prefetch === undefined) return;
      state.rolledBack = rollbackPrefetch(endpoint, host.runtime, state);
      const body = validBody().catch(() => null);
      const onRollback = (rollback: () => Promise<void>): void => void state.rollbacks.push(rollback);
      state.prefetched = pathOf(organizationId).then((path) =>
        prefetch({ organizationId, path, body, deps, onRollback }),
      );
      // The promise may stay without a consumer if the caller is refused.
      state.prefetched.catch(() => undefined);
    };
    await authenticateCaller(endpoint, host, request.event, state, pathOf, startPrefetch);
    await state.rolledBack;
    // Problems of the body are reported to authorized callers only.
    state.validated = await validateBody();
  };
};

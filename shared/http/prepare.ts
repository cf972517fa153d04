import { setImmediate } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { bindDeps, type Deps, type Runtime, type Uses } from '../kernel/capability.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import { ValidationFailure } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { AuditLog } from './audit.ts';
import type { Authenticate, Credentials } from './authentication.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { formBody, jsonBody } from './body.ts';
import { hasLines, jsonLinesBody, withLineNumbers } from './json-lines-body.ts';
import { multipartBody } from './multipart-body.ts';
import { originOf, requireTrustedOrigin } from './own-origin.ts';
import { type Endpoint, hasOptionalBody, needsPrincipal } from './endpoint.ts';
import { pathError } from './path-parameters.ts';
import type { Principal } from './principal.ts';
import { openRequestEnd, type RequestEnd } from './request-end.ts';
import { checkBody, type CheckedBody, type Path, validBody } from './run-endpoint.ts';

/** Environment of an endpoint. */
export interface Host {
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  /** Null if the endpoint is not `idempotent`. */
  readonly idempotency: IdempotencyStore | null;
  /** Null if the endpoint has no `audit`. */
  readonly audit: AuditLog | null;
  readonly authorize: (endpoint: Endpoint, caller: Principal, path: Path) => Promise<void>;
  /** Replaces the alias of an index in a path by the id of the index. */
  readonly resolvePath: (organizationId: string, path: Path) => Promise<Path>;
}

/** State of an HTTP request, which its steps complete. An error response uses what is known by then. */
export interface State {
  readonly requestId: string;
  readonly end: RequestEnd;
  /** Parameters of the path; for an authenticated caller with the id of the index in place of its alias. */
  path: Path;
  caller: Principal | null;
  headers: Readonly<Record<string, string>>;
}

/** Returns the state of a new request. */
export const newState = (event: APIGatewayProxyEventV2, { clock, log }: Runtime): State => {
  const requestId = newId('req', clock.now());
  return {
    requestId,
    end: openRequestEnd(log, requestId),
    path: Object.fromEntries(Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? ''])),
    caller: null,
    headers: {},
  };
};

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
  onIdentified: (organizationId: string, bounds: RowBounds | null) => void,
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
  state.end.onEnd(end);
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
const bodyReader = (endpoint: Endpoint): ((event: APIGatewayProxyEventV2) => Promise<CheckedBody>) => {
  const { body: schema, consumes, maxLines } = endpoint;
  const asJson =
    maxLines === undefined ? jsonBody(endpoint.maxBodyBytes) : jsonLinesBody(endpoint.maxBodyBytes, maxLines);
  const parse = consumes === undefined ? asJson : formParsers[consumes];
  const isRequired = schema !== undefined && !hasOptionalBody(endpoint);
  return async (event) => {
    if (isRequired && (event.body === undefined || event.body === ''))
      throw new ValidationFailure([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
    const checked = checkBody(endpoint, schema === undefined ? undefined : await parse(event));
    return maxLines !== undefined && hasLines(event)
      ? { ...checked, problems: withLineNumbers(checked.problems) }
      : checked;
  };
};

/** Body of a request whose caller is allowed, and the result of its prefetch. */
interface Prepared {
  readonly body: CheckedBody;
  readonly prefetched: Promise<unknown> | undefined;
}

/** Returns the steps before the handler: authenticates the caller and, concurrently, prefetches and reads the body. */
export const preparation = (
  endpoint: Endpoint,
  deps: Deps<Uses>,
  host: Host,
): ((event: APIGatewayProxyEventV2, state: State) => Promise<Prepared>) => {
  const readBody = bodyReader(endpoint);
  return async (event, state) => {
    const sent = state.path;
    const paths = new Map<string, Promise<Path>>();
    // The prefetch and the handler use the same index, so an alias is read once.
    const pathOf = (organizationId: string): Promise<Path> => {
      const path = paths.get(organizationId) ?? host.resolvePath(organizationId, sent);
      paths.set(organizationId, path);
      return path;
    };
    let reading: Promise<CheckedBody> | undefined;
    const readOnce = (): Promise<CheckedBody> => (reading ??= readBody(event));
    const bodyForPrefetch = async (): Promise<unknown> => {
      // The requests of the authentication are sent first.
      await setImmediate();
      return validBody(await readOnce());
    };
    let prefetched: Promise<unknown> | undefined;
    const startPrefetch = (organizationId: string, bounds: RowBounds | null): void => {
      const { prefetch } = endpoint;
      if (prefetch === undefined) return;
      const body = bodyForPrefetch().catch(() => null);
      // The expected organization may turn out to be another one than that of the caller.
      const onEnd: RequestEnd['onEnd'] = (end) =>
        state.end.onEnd((succeeded) => end(succeeded && state.caller?.organizationId === organizationId));
      const call = { organizationId, body, deps: bindDeps(endpoint.uses, deps, bounds), onEnd };
      prefetched = pathOf(organizationId).then((path) => prefetch({ ...call, path }));
      // The promise may stay without a consumer if the caller is refused.
      prefetched.catch(() => undefined);
    };
    await authenticateCaller(endpoint, host, event, state, pathOf, startPrefetch);
    // Problems of the body are reported to authorized callers only.
    return { body: await readOnce(), prefetched };
  };
};

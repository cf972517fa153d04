import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { bindDeps, type Deps, type Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { isExpected, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { type Announce, type AuditLog, runAudited } from './audit.ts';
import { type Endpoint, type EndpointResponse, refusesQuery, type SentQuery } from './endpoint.ts';
import {
  freshIdempotencyContext,
  type IdempotencyContext,
  idempotencyKeyOf,
  type IdempotencyStore,
  withIdempotency,
} from './idempotency.ts';
import type { Principal } from './principal.ts';
import type { OnEnd } from './request-end.ts';
import { type HttpResult, jsonResponse } from './response.ts';
import { fileResponse, StaticFile } from './static-file.ts';
import { withoutTotals } from './totals.ts';
import { validate, validFields } from './validate.ts';

/** Values of path parameters by their names. */
export type Path = Readonly<Record<string, string>>;

type Headers = APIGatewayProxyEventV2['headers'];

/** Parsed body, and the result of its validation. */
export interface CheckedBody {
  /** Body before validation. */
  readonly sent: unknown;
  /** Undefined if there are problems, or if the endpoint has no body. */
  readonly value: unknown;
  readonly problems: readonly ValidationProblem[];
}

/** Validates a parsed body. */
export const checkBody = ({ body: schema }: Endpoint, sent: unknown): CheckedBody => {
  const problems: ValidationProblem[] = [];
  const value = validate('body', schema, sent, problems);
  return { sent, value, problems };
};

/** Returns a body for a prefetch; null if it has problems. */
export const validBody = ({ value, problems }: CheckedBody): unknown => (problems.length > 0 ? null : value);

/** Request to an endpoint, from any protocol. Its caller is authenticated, rate limited and authorized. */
export interface EndpointRequest {
  /** Null for an endpoint without a principal. */
  readonly caller: Principal | null;
  readonly path: Path;
  readonly query: SentQuery;
  readonly body: CheckedBody;
  readonly prefetched: Promise<unknown> | undefined;
  readonly headers: Headers;
  /** Origin at which the request addressed the service. */
  readonly origin: string;
  /** Value of the `authorization` header without its scheme; null unless the endpoint verifies it. */
  readonly bearer: string | null;
  /** Content that a repeat with the same `Idempotency-Key` must have in common with the first request. */
  readonly content: readonly unknown[];
  readonly requestId: string;
  /** Address of the client as the gateway has seen it; null if it is unknown. */
  readonly sourceIp: string | null;
  readonly onEnd: OnEnd;
}

/** Environment of the handler of an endpoint. */
export interface EndpointHost {
  readonly deps: Deps<Uses>;
  readonly clock: Clock;
  /** Null if the endpoint is not `idempotent`. */
  readonly idempotency: IdempotencyStore | null;
  /** Null if the endpoint has no `audit`. */
  readonly audit: AuditLog | null;
}

const isEndpointResponse = (value: unknown): value is EndpointResponse<unknown> =>
  typeof value === 'object' && value !== null && 'body' in value;

const toResult = (endpoint: Endpoint, value: unknown, requestId: string, requested: Headers): HttpResult => {
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

/** Ignores a 4xx that prevents further validation, such as a missing index. The problems of the schema are reported. */
const ignoreExpected = (error: unknown): readonly ValidationProblem[] => {
  if (isExpected(error)) return [];
  throw error;
};

const noQuery = z.strictObject({});

const querySchemaOf = (endpoint: Endpoint): z.ZodType | undefined =>
  endpoint.query ?? (refusesQuery(endpoint) ? noQuery : undefined);

const notAudited: Announce = () => Promise.reject(new Error('an endpoint announces a change without an audit'));

/** Runs an endpoint with its dependencies as they serve the caller. */
const runWithDeps = async (
  endpoint: Endpoint,
  { deps, clock, idempotency: store, audit: log }: EndpointHost,
  { body, query: sentQuery, content, bearer, ...request }: EndpointRequest,
): Promise<HttpResult> => {
  const { caller, path, prefetched, headers, requestId } = request;
  const problems = [...body.problems];
  const query = validate('query', querySchemaOf(endpoint), sentQuery, problems);
  const key = store === null ? null : idempotencyKeyOf(headers, problems);
  const furtherProblems = async (fields: () => unknown) =>
    (await endpoint.problems?.({ path, body: fields(), sent: body.sent, caller, deps, prefetched, clock })) ?? [];
  if (problems.length > 0) {
    const others = await furtherProblems(() => validFields(endpoint.body, body.sent)).catch(ignoreExpected);
    throw new ValidationFailure([...problems, ...others]);
  }
  const { needs } = endpoint.auth;
  const credentials = {
    bearer: needs === 'identity' ? bearer : null,
    authorization: needs === 'client' ? (headers['authorization'] ?? null) : null,
    userAgent: headers['user-agent'] ?? null,
  };
  const execute = async (idempotency: IdempotencyContext): Promise<HttpResult> => {
    // Checked after the lookup of a stored response, because a time that was valid then may have passed.
    const found = await furtherProblems(() => body.value);
    if (found.length > 0) throw new ValidationFailure(found);
    const call = { ...request, ...credentials, body: body.value, query, deps, clock, idempotency };
    const handle = async (announce: Announce) => {
      const value = await endpoint.handle({ ...call, announce });
      const result = toResult(endpoint, value, requestId, headers);
      const isUnchanged = result.statusCode === endpoint.alternative?.status;
      return { response: isEndpointResponse(value) ? value.body : value, value: result, isUnchanged };
    };
    if (endpoint.audit === undefined) return (await handle(notAudited)).value;
    if (log === null) throw new Error(`${endpoint.id} is audited without a log`);
    return runAudited(endpoint.audit, log, call, handle);
  };
  if (store === null || caller === null || key === null) return execute(freshIdempotencyContext(clock));
  const identified = { caller, endpointId: endpoint.id, key, request: JSON.stringify([endpoint.method, ...content]) };
  return withIdempotency(store, identified, execute, requestId);
};

/**
 * Runs an endpoint: validates the request, handles it once for each `Idempotency-Key`, and projects the response to its
 * schema. A caller who is bound to rows gets dependencies that are limited to them. Every protocol calls endpoints through
 * this function. Throws what the endpoint throws.
 */
export const runEndpoint = async (
  endpoint: Endpoint,
  host: EndpointHost,
  request: EndpointRequest,
): Promise<HttpResult> => {
  const { caller } = request;
  if (caller === null || caller.bounds === null) return runWithDeps(endpoint, host, request);
  const deps = bindDeps(endpoint.uses, host.deps, caller.bounds);
  try {
    return await runWithDeps(endpoint, { ...host, deps }, request);
  } catch (error) {
    throw withoutTotals(error);
  }
};

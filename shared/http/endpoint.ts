import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import type { Deps, Uses } from '../kernel/capability.ts';
import type { ErrorCode, ValidationProblem } from '../kernel/errors.ts';
import type { FeatureKey, RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import type { Sizing } from '../kernel/sizing.ts';
import type { IdempotencyContext } from './idempotency.ts';
import type { ErrorFormat, ErrorPage } from './response.ts';
import type { Announce, AnyAudit, Audit } from './audit.ts';
import type { FormType } from './body.ts';
import type { PathParameterName } from './path-parameters.ts';
import type { Principal } from './principal.ts';
import type { OnEnd } from './request-end.ts';
import type { StaticFile } from './static-file.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Required access of an endpoint. `none`: no credential. `identity`: an ID token, which the endpoint itself verifies.
 * `client`: id and secret of an OAuth client, which the endpoint itself verifies.
 */
export type Needs = 'none' | 'identity' | 'client' | 'read' | 'write' | 'manage' | 'session' | 'owner';

/** Required access for which the service authenticates a principal before anything else. */
export type PrincipalNeeds = Exclude<Needs, 'none' | 'identity' | 'client'>;

/** Required access of an endpoint. */
interface Authorization<N extends Needs> {
  readonly needs: N;
  /**
   * Whether tokens of connected applications are refused. A person who lets an application search and read consents to the
   * documents, not to lists of credentials and people.
   */
  readonly refusesApplications?: true;
  /** Whether the call is not limited to one index, so that credentials with a restriction to indexes are refused. */
  readonly unrestricted?: boolean;
  /**
   * Whether the call shows and changes nothing beyond the rows of a credential that is bound to some. Other endpoints refuse
   * such credentials.
   */
  readonly servesBound?: true;
  /** Whether tokens of end users may make the call. It is a search. */
  readonly servesUsers?: true;
  /** Whether the call also returns stored data, so that it needs the permission `read` besides. */
  readonly alsoReads?: boolean;
}

/** Whether an endpoint requires an authenticated principal. */
export const needsPrincipal = (needs: Needs): needs is PrincipalNeeds =>
  needs !== 'none' && needs !== 'identity' && needs !== 'client';

export interface EndpointResponse<Body> {
  readonly body: Body;
  /** Whether the body is the base64 of bytes. */
  readonly isBase64?: boolean;
  /** Status of this response, if it differs from that of the definition. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Values of path parameters. A parameter that `path-parameters.ts` does not define is missing. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name & PathParameterName]: string } & PathParams<Rest>
  : unknown;

/** Call before its caller is authenticated and authorized. */
interface PrefetchCall<Path extends string, Body, U extends Uses> {
  readonly organizationId: string;
  readonly path: PathParams<Path>;
  /** Validated body; null if it is not valid. */
  readonly body: Promise<Parsed<Body> | null>;
  readonly deps: Deps<U>;
  readonly onEnd: OnEnd;
}

/** Validated and authorized call of a handler. */
export interface Call<Path extends string, Body, Query, U extends Uses, Caller, Prefetched> {
  readonly path: PathParams<Path>;
  readonly body: Parsed<Body>;
  readonly query: Parsed<Query>;
  readonly caller: Caller;
  readonly deps: Deps<U>;
  /** Result of `prefetch` of the definition. */
  readonly prefetched: Promise<Prefetched>;
  readonly clock: Clock;
  readonly requestId: string;
  readonly onEnd: OnEnd;
  /** Ids, time and secret of resources that the call creates. They are the same for a repeat of the request. */
  readonly idempotency: IdempotencyContext;
  /** Value of the `authorization` header without its scheme; only with `needs: 'identity'`. */
  readonly bearer: string | null;
  /** Value of the `authorization` header; only with `needs: 'client'`. */
  readonly authorization: string | null;
  /** Value of the `user-agent` header. */
  readonly userAgent: string | null;
  /** Address of the client as the gateway has seen it; null if it is unknown. */
  readonly sourceIp: string | null;
  /** Announces a change for the audit log before it is made; only with `isAnnounced` in `audit`. */
  readonly announce: Announce;
  /** Headers of the request by their lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Origin at which the request addressed the service. */
  readonly origin: string;
}

/** Valid fields of a body whose other fields may be invalid. Items of a list keep their positions. */
type ValidFields<Body> = Body extends readonly (infer Item)[] ? readonly Partial<Item>[] : Partial<Body>;

/** Call of the `problems` of a definition. */
interface ValidationCall<Path extends string, Body, U extends Uses, Caller, Prefetched> extends Pick<
  Call<Path, Body, undefined, U, Caller, Prefetched>,
  'path' | 'caller' | 'deps' | 'prefetched' | 'clock'
> {
  readonly body: ValidFields<Parsed<Body>>;
  /** Body before validation. */
  readonly sent: unknown;
}

/** Parameters of a query before their validation. */
export type SentQuery = Readonly<Record<string, string | undefined>>;

/** Parts of a call by which its resource is found for the audit log. */
type AuditedPart = 'path' | 'body' | 'caller' | 'deps';

interface EndpointShape<
  Path extends string,
  Body extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Response extends z.ZodType | undefined,
  U extends Uses,
  N extends Needs,
  Prefetched,
  Alternative extends z.ZodType | undefined,
> extends Partial<Sizing> {
  readonly id: string;
  /** Operation id in the API description; by default the id in camelCase. */
  readonly operationId?: string;
  readonly method: Method;
  /** As in the API description: `/v1/indexes/{index_id}`. A parameter `index_id` is checked against the caller's indexes. */
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  /** Tag in the API description. */
  readonly tag: string;
  readonly auth: Authorization<N>;
  /** Required feature of the plan. Without it the endpoint returns 403. */
  readonly feature?: FeatureKey;
  /**
   * Rate limit of the call besides `requests`, or a function that returns it from the unvalidated text of the body and the
   * unvalidated query.
   */
  readonly rate?: OwnRate | ((body: string, query: SentQuery) => OwnRate | undefined);
  /**
   * Returns the weight of a request for rate limiting, from the unvalidated text of its body and the unvalidated query. By
   * default each request counts once.
   */
  readonly weight?: (body: string, query: SentQuery) => RequestWeight;
  /** Whether the endpoint supports `Idempotency-Key`. Its handler derives every id and time of its writes from `idempotency`. */
  readonly idempotent?: boolean;
  /** How the audit log records a success. Absent: it does not. */
  readonly audit?: Audit<
    Pick<Call<Path, Body, undefined, U, N extends PrincipalNeeds ? Principal : null, undefined>, AuditedPart>,
    keyof Parsed<Body> & string,
    Response extends z.ZodType ? z.input<Response> : undefined
  >;
  /** Error codes of the handler besides those that follow from the definition; for the API description. */
  readonly errorCodes?: readonly ErrorCode[];
  readonly uses: U;
  readonly body?: Body;
  /**
   * Whether unknown fields of the body and parameters of the query are ignored, since clients of the contract or of another
   * protocol may send more than it names. Other bodies refuse them, so each of their objects is a `strictObject`.
   */
  readonly ignoresUnknownFields?: true;
  /** Maximum size of a JSON body in bytes; by default 512 KiB. */
  readonly maxBodyBytes?: number;
  /**
   * Media type of a body that is not JSON. A form is an object of strings, without empty parameters if it is URL-encoded, and
   * with files if it has parts.
   */
  readonly consumes?: FormType;
  /** Maximum lines of a body that may also be JSON Lines, each an item of the list that its schema describes. */
  readonly maxLines?: number;
  readonly query?: Query;
  readonly status: 200 | 201 | 202 | 204;
  /** Schema of the response, which drops other fields. Absent for 204. */
  readonly response?: Response;
  /** Success with another body or without one, and when it occurs. The handler returns its status. */
  readonly alternative?: { readonly status: 200 | 202; readonly response?: Alternative; readonly description: string };
  /** Media type of a response that is not JSON. */
  readonly produces?: string;
  /** Whether the response is a `StaticFile`, which is cacheable and changes only with a deployment. */
  readonly isFile?: boolean;
  /** Whether a response contains a secret, such as a token, so that no response may be stored by a cache. */
  readonly returnsSecret?: true;
  /** Whether the path also supports HEAD, which costs two CloudFormation resources. */
  readonly takesHead?: boolean;
  /**
   * Endpoints of another protocol below this path, which this function serves with its `uses`. They are not in the API
   * description. The definition itself handles methods and paths that none of them has.
   */
  readonly routes?: readonly Endpoint[];
  /** Error format, if a protocol requires another than that of the API. */
  readonly errorFormat?: ErrorFormat;
  /**
   * Whether a 401 names the scopes and the metadata from which OAuth clients learn how to get a token, and a page of another
   * origin is refused before that. Source: RFC 9728, 5.1.
   */
  readonly isProtectedResource?: boolean;
  /** HTML error page for clients that accept `text/html`, for an endpoint that browsers are sent to. */
  readonly errorPage?: ErrorPage;
  /**
   * Prefetch: starts as soon as the organization is known, concurrently with authentication and rate limiting, so the handler
   * waits less. It only reads, or undoes what it writes if the request ends without success. The caller may still be refused.
   * Its errors are thrown where the handler awaits it.
   */
  readonly prefetch?: (call: PrefetchCall<Path, Body, U>) => Promise<Prefetched>;
  /**
   * Returns problems of the body that no schema finds, such as a time in the past. They are reported together with those of
   * the schema. A stored response of the same `Idempotency-Key` takes precedence. An error that it throws, for example
   * because the index does not exist, is reported only if the schema finds nothing.
   */
  readonly problems?: (
    call: ValidationCall<Path, Body, U, N extends PrincipalNeeds ? Principal : null, Prefetched>,
  ) => readonly ValidationProblem[] | Promise<readonly ValidationProblem[]>;
  readonly handle: (
    call: Call<Path, Body, Query, U, N extends PrincipalNeeds ? Principal : null, Prefetched>,
  ) => Promise<
    | (Response extends z.ZodType
        ? EndpointResponse<z.input<Response>> | z.input<Response>
        : EndpointResponse<string | StaticFile> | undefined)
    | (Alternative extends z.ZodType ? EndpointResponse<z.input<Alternative>> & { readonly status: 200 } : never)
  >;
}

/** Rate limit besides that of all requests. */
export type OwnRate = Exclude<RateLimitKey, 'requests'>;

type AnySchema = z.ZodType | undefined;

/** Endpoint of the HTTP API, with its types erased for the registry. */
export interface Endpoint extends Omit<
  EndpointShape<string, AnySchema, AnySchema, AnySchema, Uses, Needs, unknown, AnySchema>,
  'prefetch' | 'problems' | 'audit' | 'handle'
> {
  readonly kind: 'endpoint';
  readonly audit?: AnyAudit;
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly prefetch?: (call: any) => Promise<unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly problems?: (call: any) => readonly ValidationProblem[] | Promise<readonly ValidationProblem[]>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly handle: (call: any) => Promise<unknown>;
}

/** Defines an endpoint. Route, IAM permissions, authorization and API description derive from its definition. */
export const endpoint = <
  const Path extends string,
  const N extends Needs,
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  U extends Uses = Uses,
  Prefetched = undefined,
  Alternative extends z.ZodType | undefined = undefined,
>(
  definition: EndpointShape<Path, Body, Query, Response, U, N, Prefetched, Alternative>,
): Endpoint => ({ kind: 'endpoint', ...definition });

/** Returns endpoints with the routes of those that have some in their place. */
export const withRoutes = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.flatMap((served) => served.routes ?? [served]);

/**
 * Whether an endpoint without a query schema refuses any query. The caller of a list may expect a filter or a page, and
 * that of a change may expect a narrower one. A gateway may have cut a query off the path of a DELETE.
 */
export const refusesQuery = ({ method, id, auth, routes, ignoresUnknownFields }: Endpoint): boolean => {
  if (method === 'DELETE' || id.startsWith('list-')) return true;
  return method !== 'GET' && needsPrincipal(auth.needs) && routes === undefined && ignoresUnknownFields !== true;
};

/**
 * Whether the body of a request is optional, so that none counts as `{}`: a POST whose fields are all optional. A PUT or
 * PATCH without a body is more likely a mistake.
 */
export const hasOptionalBody = ({ method, body, consumes }: Endpoint): boolean =>
  method === 'POST' && consumes === undefined && body !== undefined && body.safeParse({}).success;

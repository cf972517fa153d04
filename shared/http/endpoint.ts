import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import type { Deps, Uses } from '../kernel/capability.ts';
import type { ErrorCode, ValidationProblem } from '../kernel/errors.ts';
import type { FeatureKey, RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import type { Sizing } from '../kernel/sizing.ts';
import type { Creation } from './creation.ts';
import type { RefusalForm, RefusalPage } from './answer.ts';
import type { FormType } from './body.ts';
import type { PathParameterName } from './path-parameters.ts';
import type { Principal } from './principal.ts';
import type { StaticFile } from './static-file.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call an endpoint. `none`: anybody; `identity`: the bearer is an ID token that the endpoint itself verifies;
 * `client`: an OAuth client by its id and secret, which the endpoint itself verifies.
 */
export type Needs = 'none' | 'identity' | 'client' | 'read' | 'write' | 'manage' | 'session' | 'owner';

/** Needs that only a known principal answers; with the others nobody is asked, or the endpoint asks by itself. */
export type PrincipalNeeds = Exclude<Needs, 'none' | 'identity' | 'client'>;

/** What an endpoint asks of a caller. */
interface Authorization<N extends Needs> {
  readonly needs: N;
  /** Whether credentials that are restricted to indexes are refused, since the call reaches beyond any index they have. */
  readonly unrestricted?: boolean;
}

/** Whether the request must come from a known principal, who is then authenticated before all else. */
export const needsPrincipal = (needs: Needs): needs is PrincipalNeeds =>
  needs !== 'none' && needs !== 'identity' && needs !== 'client';

export interface Answer<Body> {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is done before the answer goes out, once it is known to be one that can. */
  readonly settle?: () => Promise<void>;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Values of the parameters of a path. A parameter that `path-parameters.ts` does not define has none. */
type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name & PathParameterName]: string } & PathParams<Rest>
  : unknown;

/** What is known of a call before its caller has been let in. */
interface EarlyCall<Path extends string, Body, U extends Uses> {
  readonly organizationId: string;
  readonly path: PathParams<Path>;
  /** What the schema makes of the body; null where it is refused. */
  readonly body: Promise<Parsed<Body> | null>;
  readonly deps: Deps<U>;
  /** Says what is to be undone where the request is refused, or gets no answer. */
  readonly onRefusal: (undo: () => Promise<void>) => void;
}

/** What a handler is called with; everything in it has been checked. */
export interface Call<Path extends string, Body, Query, U extends Uses, Caller, Ahead> {
  readonly path: PathParams<Path>;
  readonly body: Parsed<Body>;
  readonly query: Parsed<Query>;
  readonly caller: Caller;
  readonly deps: Deps<U>;
  /** What `ahead` of the definition gives. */
  readonly ahead: Promise<Ahead>;
  readonly clock: Clock;
  readonly requestId: string;
  /** Id, time and secret of what the call makes. */
  readonly creation: Creation;
  /** Value of the `authorization` header without its scheme; only with `needs: 'identity'`. */
  readonly bearer: string | null;
  /** The whole `authorization` header; only with `needs: 'client'`. */
  readonly authorization: string | null;
  /** Value of the `user-agent` header. */
  readonly userAgent: string | null;
}

/** What of a body holds by itself; the rest may be wrong. The items of a list keep their places. */
type SoundFields<Body> = Body extends readonly (infer Item)[] ? readonly Partial<Item>[] : Partial<Body>;

/** What is known of a call when its body is judged. */
interface JudgedCall<Path extends string, Body, U extends Uses, Caller, Ahead> extends Pick<
  Call<Path, Body, undefined, U, Caller, Ahead>,
  'path' | 'caller' | 'deps' | 'ahead' | 'clock'
> {
  readonly body: SoundFields<Parsed<Body>>;
  /** The body as it came, for what can be told of a field besides its own mistakes. */
  readonly sent: unknown;
}

interface EndpointShape<
  Path extends string,
  Body extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Response extends z.ZodType | undefined,
  U extends Uses,
  N extends Needs,
  Ahead,
> extends Partial<Sizing> {
  readonly id: string;
  /** Name in the API description if it is not the id in camelCase. */
  readonly operationId?: string;
  readonly method: Method;
  /** As in the API description: `/v1/indexes/{index_id}`. A parameter `index_id` is checked against the caller's indexes. */
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  /** Group in the API description. */
  readonly tag: string;
  readonly auth: Authorization<N>;
  /** Feature of the plan without which the answer is 403. */
  readonly feature?: FeatureKey;
  /** Rate limit that the call counts against besides `requests`. */
  readonly rate?: Exclude<RateLimitKey, 'requests'>;
  /**
   * Returns how much work a request is by the unchecked text of its body; without, each is one ordinary
   * request of its kind.
   */
  readonly weight?: (body: string) => RequestWeight;
  /** Whether an `Idempotency-Key` makes the call safe to repeat: whatever it makes or changes goes by `creation`. */
  readonly repeatable?: boolean;
  /** Codes that the handler itself refuses with, besides those that follow from the rest; for the API description. */
  readonly refuses?: readonly ErrorCode[];
  readonly uses: U;
  readonly body?: Body;
  /** Largest JSON body in bytes; 512 KiB by default. */
  readonly maxBodyBytes?: number;
  /** Media type of a body that is not JSON. A form is an object of strings; empty parameters are absent. */
  readonly consumes?: FormType;
  readonly query?: Query;
  readonly status: 200 | 201 | 202 | 204;
  /** Projects the answer: fields that it does not name are dropped. Absent for 204. */
  readonly response?: Response;
  /** Media type of an answer that is not JSON. */
  readonly produces?: string;
  /** Whether the answer is a `StaticFile`, which callers may keep and which changes with a deployment alone. */
  readonly isFile?: boolean;
  /** Whether the path takes HEAD as well. Each costs two resources of the stack. */
  readonly takesHead?: boolean;
  /** The form of its refusals where a protocol prescribes another than ours. */
  readonly refusalForm?: RefusalForm;
  /** The page of a refusal for a client that accepts `text/html`, at an address that a browser is sent to. */
  readonly refusalPage?: RefusalPage;
  /**
   * What begins as soon as the organization is known, beside its admission, so that the handler waits less for it: reads,
   * and what can be undone. The caller may still be refused; what it throws is thrown where the handler waits.
   */
  readonly ahead?: (call: EarlyCall<Path, Body, U>) => Promise<Ahead>;
  /**
   * What no schema can find wrong with the body, such as a time that has passed: it is told together with what the schema
   * finds. The answer to an earlier request of the same `Idempotency-Key` comes before it. A refusal that it throws, as
   * where `ahead` finds no index, stands back behind what the schema finds.
   */
  readonly problems?: (
    call: JudgedCall<Path, Body, U, N extends PrincipalNeeds ? Principal : null, Ahead>,
  ) => readonly ValidationProblem[] | Promise<readonly ValidationProblem[]>;
  readonly handle: (
    call: Call<Path, Body, Query, U, N extends PrincipalNeeds ? Principal : null, Ahead>,
  ) => Promise<
    Response extends z.ZodType ? Answer<z.input<Response>> | z.input<Response> : Answer<string | StaticFile> | undefined
  >;
}

type AnySchema = z.ZodType | undefined;

/** One endpoint of the HTTP API, with its types erased for the registry. */
export interface Endpoint extends Omit<
  EndpointShape<string, AnySchema, AnySchema, AnySchema, Uses, Needs, unknown>,
  'ahead' | 'problems' | 'handle'
> {
  readonly kind: 'endpoint';
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly ahead?: (call: any) => Promise<unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly problems?: (call: any) => readonly ValidationProblem[] | Promise<readonly ValidationProblem[]>;
  // oxlint-disable-next-line typescript/no-explicit-any -- `endpoint()` has checked the call against the definition
  readonly handle: (call: any) => Promise<unknown>;
}

/** Defines an endpoint: route, schemas, authorization, permissions and code in one value from which all else derives. */
export const endpoint = <
  const Path extends string,
  const N extends Needs,
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  U extends Uses = Uses,
  Ahead = undefined,
>(
  definition: EndpointShape<Path, Body, Query, Response, U, N, Ahead>,
): Endpoint => ({ kind: 'endpoint', ...definition });

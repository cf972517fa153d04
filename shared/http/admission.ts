import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import type { Creation } from './creation.ts';
import type { HttpResult } from './answer.ts';
import type { Principal } from './principal.ts';

/** Who calls: what the authenticator needs to know of a request. */
export interface Credentials {
  readonly bearer: string | null;
  readonly organizationId: string | null;
}

/** A caller who was let in, with the headers that say what is left of the rate limit. */
export interface Admitted {
  readonly caller: Principal;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which is in flight until then. */
  readonly end: () => Promise<void>;
}

/**
 * Turns credentials into a principal and counts the request against `rates`. Throws 401, 403 and 429.
 * @param onKnown Told the organization before the request is counted, which may still refuse it; told once more where
 *   credentials turn out to be another's than they were a moment ago.
 */
export type Authenticate = (
  credentials: Credentials,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
  onKnown?: (organizationId: string) => void,
) => Promise<Admitted>;

/** A creating request as it is told from others. */
export interface Repeatable {
  readonly caller: Principal;
  readonly endpointId: string;
  /** Value of the `Idempotency-Key` header. */
  readonly key: string;
  /** All that a repeat must have in common with the first request, besides the key. */
  readonly request: string;
}

/** The part of an answer that a repeat gets again. */
export type KeptAnswer = Pick<HttpResult, 'statusCode' | 'body'>;

/** A request to be run, and how its answer is kept: whoever comes second gets the answer of the first. */
export interface Attempt {
  readonly creation: Creation;
  keep(answer: KeptAnswer): Promise<KeptAnswer>;
  /** Gives the key back, for whatever request, unless another run of this one has begun. Of a run that has made nothing. */
  release(): Promise<void>;
}

/** Remembers answers for 24 hours. Throws 409 where the key stands for another request. */
export interface Idempotency {
  begin(request: Repeatable): Promise<Attempt | KeptAnswer>;
}

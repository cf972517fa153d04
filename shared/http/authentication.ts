import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import type { Principal } from './principal.ts';

/** Credentials of a request. */
export interface Credentials {
  readonly bearer: string | null;
  /** Organization that the request selects. */
  readonly organizationId: string | null;
  /** Address of the request, without its query. Without it, tokens for one resource are refused. */
  readonly address?: string;
}

/** Authenticated request within the rate limits. */
export interface AuthenticatedRequest {
  readonly caller: Principal;
  /** `ratelimit-…` headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which counts as in flight until then. */
  readonly end: () => Promise<void>;
}

/**
 * Authenticates a caller and counts the request against rate limits. Throws 401, 403 and 429.
 * @param onIdentified Called with the organization and the rows of the credentials before the request is counted, which may
 *   still be refused. Called again if they are other ones than expected.
 */
export type Authenticate = (
  credentials: Credentials,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
  onIdentified?: (organizationId: string, bounds: RowBounds | null) => void,
) => Promise<AuthenticatedRequest>;

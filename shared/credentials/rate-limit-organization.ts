import type { Deps } from '../kernel/capability.ts';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { type Organization, organizationsRead } from '../organizations/index.ts';
import {
  credentialTerms,
  hasRates,
  monthlyLimitsFor,
  monthOf,
  planTerms,
  rateLimiter,
  requireMonthlyLimits,
  type SpendingWatch,
  subjectUsageRead,
} from '../usage/index.ts';
import type { ExpectedCaller } from './recent-callers.ts';

/** Capabilities to read an organization and enforce its rate limits. */
export const rateLimitUses = { organizations: organizationsRead, rateLimiter };

/** The same, with the limits of a credential. */
export const rateLimitCallerUses = { ...rateLimitUses, subjectUsage: subjectUsageRead };

/** Request that was counted and is within the rate limits. */
interface CountedRequest {
  readonly organization: Organization;
  /** `ratelimit-…` headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which counts as in flight until then. May be called twice. */
  readonly end: () => Promise<void>;
}

/**
 * Reads the organization and counts the request against its rate limits, concurrently. Returns null if the organization
 * does not exist. Throws 429 with `retry-after` if a rate limit of the plan is exceeded.
 */
export const rateLimitOrganization = async (
  deps: Deps<typeof rateLimitUses>,
  organizationId: string,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
): Promise<CountedRequest | null> => {
  const counting = deps.rateLimiter.count(organizationId, rates, weight);
  const end = async (): Promise<void> => (await counting.catch(() => null))?.end();
  try {
    const [organization, counted] = await Promise.all([deps.organizations.get(organizationId), counting]);
    if (organization !== null) {
      return { organization, headers: await counted.enforce(planTerms[organization.plan]), end };
    }
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return null;
};

type RateLimitDeps = Deps<typeof rateLimitCallerUses> & { readonly spending?: SpendingWatch };

/** Counts a request against the limits of its organization. Throws 402 if it would add to a spent limit of the organization. */
const countWithinSpending = async (
  deps: RateLimitDeps,
  organizationId: string,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
): Promise<CountedRequest | null> => {
  const counted = await rateLimitOrganization(deps, organizationId, rates, weight);
  const hasLimit = (counted?.organization.spendingLimitUsd ?? null) !== null;
  if (counted === null || !hasLimit || rates.every((rate) => rate === 'requests')) return counted;
  try {
    await deps.spending?.require(organizationId);
    return counted;
  } catch (error) {
    await counted.end();
    throw error;
  }
};

/** Request that was counted against the limits of its credential and of its organization. */
interface CountedCall extends CountedRequest {
  /** `ratelimit-…` headers of the limits of the credential alone; none if it has none. */
  readonly ownHeaders: Readonly<Record<string, string>>;
}

/** Enforces the limits of a credential by month. Throws 402. */
const enforceMonth = async (
  { subjectUsage }: RateLimitDeps,
  clock: Clock,
  { organizationId, subjectId, limits }: ExpectedCaller,
  rates: readonly RateLimitKey[],
): Promise<void> => {
  const keys = limits === null ? [] : monthlyLimitsFor(limits, rates);
  if (limits === null || keys.length === 0) return;
  const month = monthOf(clock.now().toISOString());
  requireMonthlyLimits(limits, keys, await subjectUsage.used(organizationId, month, { credentialId: subjectId }));
};

/** Returns the weight of a request for its credential: the heaviest one has room in each limit. */
const ownWeight = ({ inFlight }: CredentialLimits, weight?: RequestWeight): RequestWeight | undefined =>
  weight === undefined ? undefined : { ...weight, inFlight: Math.min(weight.inFlight, inFlight ?? Infinity) };

/**
 * Counts a request against the limits of its credential, and then against those of its organization, so that what the
 * credential is refused takes nothing from others. Returns null if the organization does not exist. Throws 402 and 429.
 */
export const rateLimitCaller = async (
  deps: RateLimitDeps,
  clock: Clock,
  caller: ExpectedCaller,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
): Promise<CountedCall | null> => {
  const { organizationId, subjectId, limits } = caller;
  if (limits === null) {
    const counted = await countWithinSpending(deps, organizationId, rates, weight);
    return counted === null ? null : { ...counted, ownHeaders: {} };
  }
  // The rate of all requests comes last, so that all requests in flight count together.
  const counting = hasRates(limits)
    ? deps.rateLimiter.count(`${organizationId}#${subjectId}`, rates.toReversed(), ownWeight(limits, weight))
    : null;
  const endOwn = async (): Promise<void> => (await counting?.catch(() => null))?.end();
  try {
    const [own] = await Promise.all([counting, enforceMonth(deps, clock, caller, rates)]);
    const ownHeaders = (await own?.enforce(credentialTerms(limits))) ?? {};
    const counted = await countWithinSpending(deps, organizationId, rates, weight);
    if (counted !== null) {
      const { headers, ...request } = counted;
      const end = async (): Promise<void> => void (await Promise.all([counted.end(), endOwn()]));
      return { ...request, headers: { ...headers, ...ownHeaders }, ownHeaders, end };
    }
  } catch (error) {
    await endOwn();
    throw error;
  }
  await endOwn();
  return null;
};

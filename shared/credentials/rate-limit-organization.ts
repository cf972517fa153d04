import type { Deps } from '../kernel/capability.ts';
import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { type Organization, organizationsRead } from '../organizations/index.ts';
import { rateLimiter } from '../usage/index.ts';

/** Capabilities to read an organization and enforce its rate limits. */
export const rateLimitUses = { organizations: organizationsRead, rateLimiter };

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
      return { organization, headers: await counted.enforce(organization.plan), end };
    }
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return null;
};

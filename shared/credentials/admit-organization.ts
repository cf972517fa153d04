import type { Deps } from '../kernel/capability.ts';
import type { RateLimitKey } from '../kernel/plans.ts';
import { type Organization, organizationsRead } from '../organizations/index.ts';
import { trafficUse } from '../usage/index.ts';

/** What letting a request of an organization in may touch. */
export const admissionUses = { organizations: organizationsRead, traffic: trafficUse };

/** A request that was let in. */
interface AdmittedTo {
  readonly organization: Organization;
  /** What is left of the rate limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the organization and counts the request, side by side; null where the organization is gone. Throws 429. */
export const admitOrganization = async (
  deps: Deps<typeof admissionUses>,
  organizationId: string,
  rates: readonly RateLimitKey[],
): Promise<AdmittedTo | null> => {
  const [organization, counted] = await Promise.all([
    deps.organizations.get(organizationId),
    deps.traffic.count(organizationId, rates),
  ]);
  return organization === null ? null : { organization, headers: await counted.admit(organization.plan) };
};

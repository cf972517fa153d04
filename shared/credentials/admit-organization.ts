import type { Deps } from '../kernel/capability.ts';
import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { type Organization, organizationsRead } from '../organizations/index.ts';
import { trafficUse } from '../usage/index.ts';

/** What letting a request of an organization in may touch. */
export const admissionUses = { organizations: organizationsRead, traffic: trafficUse };

/** A request that was let in. */
interface AdmittedTo {
  readonly organization: Organization;
  /** What is left of the rate limit. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which is in flight until then. May be called twice. */
  readonly end: () => Promise<void>;
}

/** Reads the organization and counts the request, side by side; null where the organization is gone. Throws 429. */
export const admitOrganization = async (
  deps: Deps<typeof admissionUses>,
  organizationId: string,
  rates: readonly RateLimitKey[],
  weight?: RequestWeight,
): Promise<AdmittedTo | null> => {
  const counting = deps.traffic.count(organizationId, rates, weight);
  const end = async (): Promise<void> => (await counting.catch(() => null))?.end();
  try {
    const [organization, counted] = await Promise.all([deps.organizations.get(organizationId), counting]);
    if (organization !== null) {
      return { organization, headers: await counted.admit(organization.plan), end };
    }
  } catch (error) {
    await end();
    throw error;
  }
  await end();
  return null;
};

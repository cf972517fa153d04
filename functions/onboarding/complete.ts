import { endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { type IndexReader, indexesRead, ownRegion, regionProblems, regionsRead } from '../../shared/indexes/index.ts';
import type { Deps } from '../../shared/kernel/capability.ts';
import { AppError, notFound } from '../../shared/kernel/errors.ts';
import { plans } from '../../shared/kernel/plans.ts';
import {
  OnboardingComplete,
  OrganizationDetail,
  organizationsWrite,
  toDetail,
} from '../../shared/organizations/index.ts';

const uses = { organizations: organizationsWrite, indexes: indexesRead, regions: regionsRead };

const usualRegion = 'us-east-1';

/** Returns the default region if the request does not name one. */
const fallbackRegion = (deployed: readonly string[]): string =>
  deployed.includes(usualRegion) ? usualRegion : (deployed[0] ?? usualRegion);

/** Returns the regions of an organization's indexes. A page may be empty, because it leaves out deleted indexes. */
const regionsOf = async (indexes: IndexReader, organizationId: string): Promise<ReadonlySet<string>> => {
  const regions = new Set<string>();
  let after: string | null = null;
  do {
    const { indexes: page, next } = await indexes.list(organizationId, { limit: 100, after });
    for (const { region } of page) regions.add(region);
    after = next;
  } while (after !== null);
  return regions;
};

/** Throws 403 if the plan has one region and the organization has indexes in other regions only. */
const requireSameRegion = async (deps: Deps<typeof uses>, caller: Principal, region: string): Promise<void> => {
  if (plans[caller.plan].features.multi_region) return;
  const own = ownRegion(deps.regions, await deps.organizations.get(caller.organizationId));
  if (region === own) return;
  const regions = await regionsOf(deps.indexes, caller.organizationId);
  if (regions.size > 0 && !regions.has(region))
    throw new AppError('feature_not_in_plan', `The plan allows indexes in one region, which is ${own}`);
};

export const completeOnboarding = endpoint({
  id: 'complete-onboarding',
  method: 'POST',
  path: '/v1/onboarding/complete',
  tag: 'Organizations',
  summary: 'Complete onboarding',
  description:
    'Sets the name, use case and default region of the organization. A repeat replaces all of them; existing indexes stay in their regions. Without the plan feature `multi_region` the call returns 403 for a region that is neither the current default nor that of an index.',
  auth: { needs: 'owner' },
  audit: {
    action: 'organization.updated',
    before: ({ caller, body }) => ({ id: caller.organizationId, name: body.organization_name }),
    details: ['organization_name', 'use_case', 'expected_vectors', 'default_region'],
  },
  errorCodes: ['feature_not_in_plan'],
  uses,
  ignoresUnknownFields: true,
  body: OnboardingComplete,
  status: 200,
  response: OrganizationDetail,
  problems: ({ body, deps }) => regionProblems('default_region', body.default_region, deps.regions),
  handle: async ({ body, caller, deps }) => {
    const region = body.default_region ?? fallbackRegion(deps.regions.all);
    await requireSameRegion(deps, caller, region);
    const organization = await deps.organizations.onboard(caller.organizationId, {
      name: body.organization_name,
      useCase: body.use_case,
      expectedVectors: body.expected_vectors,
      defaultRegion: region,
    });
    if (organization === null) throw notFound('Organization');
    return toDetail(organization, caller.role ?? 'member');
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { type IndexReader, indexesRead, regionProblems, regionsRead } from '../../shared/indexes/index.ts';
import { AppError, notFound } from '../../shared/kernel/errors.ts';
import { plans } from '../../shared/kernel/plans.ts';
import {
  OnboardingComplete,
  OrganizationDetail,
  organizationsWrite,
  toDetail,
} from '../../shared/organizations/index.ts';

const usualRegion = 'us-east-1';

/** Where nobody asks for a region. */
const fallbackRegion = (deployed: readonly string[]): string =>
  deployed.includes(usualRegion) ? usualRegion : (deployed[0] ?? usualRegion);

/** Some index of an organization; null where it has none. A page may be empty, since it leaves deleted indexes out. */
const anyIndex = async (indexes: IndexReader, organizationId: string) => {
  let after: string | null = null;
  do {
    const { indexes: page, next } = await indexes.list(organizationId, { limit: 10, after });
    if (page[0] !== undefined) return page[0];
    after = next;
  } while (after !== null);
  return null;
};

/** Keeps the indexes of a plan with one region together. Throws 403. */
const requireSameRegion = async (indexes: IndexReader, caller: Principal, region: string): Promise<void> => {
  if (plans[caller.plan].features.multi_region) return;
  const index = await anyIndex(indexes, caller.organizationId);
  if (index !== null && index.region !== region)
    throw new AppError('feature_not_in_plan', `The plan keeps all indexes in one region, which is ${index.region}`);
};

export const completeOnboarding = endpoint({
  id: 'complete-onboarding',
  method: 'POST',
  path: '/v1/onboarding/complete',
  tag: 'Organizations',
  summary: 'Complete onboarding',
  description:
    'Names the organization, notes what it is for, and chooses where its indexes are made. A repeat sets all of it anew; indexes stay where they are, and a plan without `multi_region` keeps later ones with them: 403 for another region.',
  auth: { needs: 'owner' },
  refuses: ['feature_not_in_plan'],
  uses: { organizations: organizationsWrite, indexes: indexesRead, regions: regionsRead },
  body: OnboardingComplete,
  status: 200,
  response: OrganizationDetail,
  problems: ({ body, deps }) => regionProblems('default_region', body.default_region, deps.regions),
  handle: async ({ body, caller, deps }) => {
    const region = body.default_region ?? fallbackRegion(deps.regions.all);
    await requireSameRegion(deps.indexes, caller, region);
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

import type { Plan } from '../kernel/plans.ts';
import type { OrganizationReader } from './repository.ts';

/** The plan of an organization; the smallest where it is gone, and what it began is still under way. */
export const planOf = async (organizations: Pick<OrganizationReader, 'get'>, organizationId: string): Promise<Plan> =>
  (await organizations.get(organizationId))?.plan ?? 'developer';

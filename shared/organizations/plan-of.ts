import type { Plan } from '../kernel/plans.ts';
import type { OrganizationReader } from './repository.ts';

/** Returns the plan of an organization; the smallest plan if the organization is deleted while its work continues. */
export const planOf = async (organizations: Pick<OrganizationReader, 'get'>, organizationId: string): Promise<Plan> =>
  (await organizations.get(organizationId))?.plan ?? 'developer';

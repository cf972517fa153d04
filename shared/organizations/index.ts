import { capability } from '../kernel/capability.ts';
import { openOrganizations, type OrganizationReader, type OrganizationWriter } from './repository.ts';

export const organizationsRead = capability<OrganizationReader>(['organizations.read'], openOrganizations);
export const organizationsWrite = capability<OrganizationWriter>(
  ['organizations.read', 'organizations.write'],
  openOrganizations,
);

export { toDetail, toWorkspace } from './present.ts';
export type { Identity, Membership, Organization, OrganizationReader } from './repository.ts';
export { BootstrapResponse, OrganizationDetail } from './schemas.ts';

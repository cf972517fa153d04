import type { Principal } from '../http/principal.ts';
import { AppError, invalid } from '../kernel/errors.ts';
import type { StoredCredentialsReader } from './repository.ts';

/** Problem of a role of AWS that a service on one machine is to assume. */
export const localRoleProblem =
  'a service on one machine has no identity in AWS that could assume a role: give access keys';

/**
 * Checks that a caller may use stored credentials for a provider. They open more than one index, so callers that are
 * restricted to some indexes get 403. Throws 422 if there are none of this name and provider.
 */
export const requireStored = async (
  stored: Pick<StoredCredentialsReader, 'get'>,
  { organizationId, indexIds }: Pick<Principal, 'organizationId' | 'indexIds'>,
  provider: string,
  name: string,
): Promise<void> => {
  if (indexIds !== null)
    throw new AppError('index_not_allowed', 'Credentials that are restricted to some indexes cannot use stored ones');
  const found = await stored.get(organizationId, name);
  const problem =
    found === null ? 'no credentials are stored under this name' : `they are credentials of ${found.provider}`;
  if (found?.provider !== provider) throw invalid(['body', 'stored_credentials'], problem);
};

import { AppError } from '../kernel/errors.ts';
import type { Deps } from '../kernel/capability.ts';
import type { organizationsRead } from '../organizations/index.ts';
import type { credentialsRead } from './capabilities.ts';
import { creatorRole } from './creators.ts';
import type { Credential } from './repository.ts';

/** Returns the error 401 of a key, client or grant that has ended, by itself or with its creator; null if it has not. */
export const revocationOf = (credential: Exclude<Credential, { readonly kind: 'session' }>): AppError | null => {
  const revoked = (message: string): AppError => new AppError('key_revoked', message);
  if (credential.kind === 'grant')
    return credential.grant.hasEnded ? revoked('The access that a person granted with this token has ended') : null;
  const isKey = credential.kind === 'api_key';
  const program = isKey ? credential : credential.client;
  if (program.revokedAt !== null)
    return revoked(isKey ? 'This API key has been revoked' : 'The OAuth client of this token has been revoked');
  return program.hasRevokedCreator ? revoked('The credential that created this one has been revoked') : null;
};

/** Returns the ids of the user and programs by which a credential exists. */
const creatorsOf = (credential: Credential): readonly string[] => {
  switch (credential.kind) {
    case 'api_key':
      return credential.creators;
    case 'access_token':
      return credential.client.creators;
    case 'grant':
      return credential.grant.creators;
    case 'session':
      return [credential.userId];
  }
};

/**
 * Whether a credential was revoked after a request: a key, an OAuth client or a grant, by itself or with its creator, or a
 * session, or whether its user no longer belongs to the organization. One that only expired is not revoked.
 * @param hash SHA-256 of the token.
 */
export const isRevoked = async (
  deps: Deps<{ credentials: typeof credentialsRead; organizations: typeof organizationsRead }>,
  organizationId: string,
  hash: string,
): Promise<boolean> => {
  const credential = await deps.credentials.findStored(hash);
  // Only expired credentials are deleted.
  if (credential === null) return false;
  if (credential.kind === 'session' ? credential.revokedAt !== null : revocationOf(credential) !== null) return true;
  const organization = await deps.organizations.get(organizationId);
  return organization === null || creatorRole(organization, creatorsOf(credential)) === undefined;
};

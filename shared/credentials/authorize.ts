import { AppError } from '../kernel/errors.ts';
import { plans } from '../kernel/plans.ts';
import { insufficientScope } from '../http/www-authenticate.ts';
import { type Endpoint, needsPrincipal, type PrincipalNeeds } from '../http/endpoint.ts';
import type { Principal } from '../http/principal.ts';
import { type IndexReader, indexesRead, requireIndex } from '../indexes/index.ts';

const unrestrictedWriter = (caller: Principal): boolean =>
  caller.permissions.includes('write') && caller.indexIds === null;

const needsOwnCredential = (): AppError =>
  new AppError('forbidden', 'This needs a session or an API key, not the token of a connected application');

const howToGetSession = 'exchange an ID token of the identity provider for one with POST /v1/auth/bootstrap';

/** Authorization rules by the required access of an endpoint. Each throws 403 for a caller without it. */
const rules: Readonly<Record<PrincipalNeeds, (caller: Principal) => void>> = {
  read: (caller) => {
    if (!caller.permissions.includes('read'))
      throw new AppError('forbidden', 'This needs the read permission', { headers: insufficientScope('read') });
  },
  write: (caller) => {
    if (!caller.permissions.includes('write'))
      throw new AppError('write_permission_required', 'This needs the write permission');
  },
  manage: (caller) => {
    if (caller.kind === 'session') {
      if (caller.role !== 'owner') throw new AppError('owner_required', 'Only an owner may do this');
    } else if (caller.kind === 'grant') {
      // A key that an application creates would outlive the grant.
      throw needsOwnCredential();
    } else if (!unrestrictedWriter(caller)) {
      throw new AppError('write_permission_required', 'This needs the write permission on all indexes');
    } else if (caller.creatorRole === 'member') {
      throw new AppError('owner_required', 'The user who created these credentials is no longer an owner');
    }
  },
  session: (caller) => {
    if (caller.kind !== 'session')
      throw new AppError('forbidden', `This needs a session token, not an API key or access token: ${howToGetSession}`);
  },
  owner: (caller) => {
    if (caller.role === 'owner') return;
    const ofSession = caller.kind === 'session';
    throw new AppError(
      'owner_required',
      ofSession
        ? 'Only an owner may do this'
        : `This needs the session token of an owner, not an API key or access token: ${howToGetSession}`,
    );
  },
};

/** Capabilities to authorize a caller for the index in a path. */
export const authorizationUses = { indexes: indexesRead };

/** Throws 403 for an index outside the restriction of the caller, and 404 for an index of another organization. */
const refuseIndex = async (indexes: Pick<IndexReader, 'get'>, caller: Principal, indexId: string): Promise<never> => {
  await requireIndex(indexes, caller.organizationId, indexId);
  throw new AppError('index_not_allowed', 'These credentials may not use this index');
};

/** Opens the function that authorizes callers by permissions, plan and indexes. It throws 403, and 404 for an index. */
export const authorizer =
  ({ indexes }: { readonly indexes: Pick<IndexReader, 'get'> }) =>
  async (
    endpoint: Pick<Endpoint, 'auth' | 'feature'>,
    caller: Principal,
    path: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const { needs, unrestricted, alsoReads, refusesApplications, servesBound, servesUsers } = endpoint.auth;
    if (caller.kind === 'user_token' && servesUsers !== true)
      throw new AppError('forbidden', 'A token of an end user may only search');
    if (alsoReads === true) rules.read(caller);
    if (needsPrincipal(needs)) rules[needs](caller);
    if (refusesApplications === true && caller.kind === 'grant') throw needsOwnCredential();
    if (endpoint.feature !== undefined && !plans[caller.plan].features[endpoint.feature]) {
      throw new AppError('feature_not_in_plan', `The plan does not include ${endpoint.feature}`);
    }
    if (caller.bounds !== null && servesBound !== true)
      throw new AppError('forbidden', 'These credentials are bound to rows, and this concerns more than rows');
    if (caller.indexIds === null) return;
    const indexId = path['index_id'];
    if (indexId !== undefined && !caller.indexIds.includes(indexId)) await refuseIndex(indexes, caller, indexId);
    if (unrestricted === true)
      throw new AppError('index_not_allowed', 'These credentials are restricted to their indexes');
  };

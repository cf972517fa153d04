import type { Clock } from '../kernel/clock.ts';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { lacksAccessToken } from '../platform/connectors/custom-api/access-token.ts';
import { SourceFault } from '../platform/connectors/port.ts';
import type { ConnectorSources } from '../platform/connectors/provider-sources.ts';
import type { Claim, SyncStore } from './sync-repository.ts';

/** Parts by which the credentials of connections are read and refreshed. */
export interface CredentialContext {
  readonly deps: { readonly connectors: SyncStore; readonly sources: ConnectorSources };
  readonly run: { readonly clock: Clock };
}

/** A token that expires within this time is refreshed before it is used. */
const marginMs = 120_000;

/** Providers whose sources need more than credentials, such as an address. */
const described: ReadonlySet<string> = new Set(['custom_api', 'aws_s3', 'gcs', 'azure_blob']);

/** Returns the credentials of a connection, or its whole description. */
export const openCredentials = async ({ deps }: CredentialContext, claim: Claim): Promise<JsonObject> => {
  const opened = await deps.connectors.readCredentials(claim);
  if (opened === null) throw new SourceFault('refused', 'The credentials were deleted: connect the source again');
  return !described.has(claim.record.provider) && isObject(opened['credentials']) ? opened['credentials'] : opened;
};

/** Stores refreshed credentials. */
export const saveCredentials = ({ deps }: CredentialContext, claim: Claim, credentials: JsonObject): Promise<void> =>
  deps.connectors.saveCredentials(claim, described.has(claim.record.provider) ? credentials : { credentials });

/**
 * Refreshes credentials and stores them before they are used, since a provider accepts each refresh token once.
 * Returns null if they cannot be refreshed.
 */
export const refreshCredentials = async (
  syncing: CredentialContext,
  claim: Claim,
  credentials: JsonObject,
): Promise<JsonObject | null> => {
  const renewed = await syncing.deps.sources.refreshToken(claim.record.provider, credentials);
  if (renewed !== null) await saveCredentials(syncing, claim, renewed);
  return renewed;
};

/** Whether the token of credentials is known to have expired, or to be missing. */
export const needsRefresh = (credentials: JsonObject, now: Date): boolean => {
  const expiresAt = credentials['expires_at'];
  const ends = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  return ends - now.getTime() <= marginMs || lacksAccessToken(credentials);
};

/** Returns credentials whose token has not expired, refreshed if necessary. */
export const validCredentials = async (syncing: CredentialContext, claim: Claim): Promise<JsonObject> => {
  const credentials = await openCredentials(syncing, claim);
  if (!needsRefresh(credentials, syncing.run.clock.now())) return credentials;
  return (await refreshCredentials(syncing, claim, credentials)) ?? credentials;
};

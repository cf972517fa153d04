import type { Claim } from '../../../../shared/connectors/index.ts';
import { isObject, type JsonObject } from '../../../../shared/kernel/json.ts';
import { lacksAccessToken } from '../../../../shared/platform/connectors/custom-api/access-token.ts';
import { SourceFault } from '../../../../shared/platform/connectors/port.ts';
import type { SyncContext } from '../uses.ts';

/** A token that expires within this time is refreshed before it is used. */
const marginMs = 120_000;

/** Providers whose sources need more than credentials, such as an address. */
const described: ReadonlySet<string> = new Set(['custom_api', 'aws_s3', 'gcs', 'azure_blob']);

/** Returns the credentials of a connection, or its whole description. */
const openCredentials = async ({ deps }: SyncContext, claim: Claim): Promise<JsonObject> => {
  const opened = await deps.connectors.readCredentials(claim);
  if (opened === null) throw new SourceFault('refused', 'The credentials were deleted: connect the source again');
  return !described.has(claim.record.provider) && isObject(opened['credentials']) ? opened['credentials'] : opened;
};

/** Stores refreshed credentials. */
export const saveCredentials = ({ deps }: SyncContext, claim: Claim, credentials: JsonObject): Promise<void> =>
  deps.connectors.saveCredentials(claim, described.has(claim.record.provider) ? credentials : { credentials });

/**
 * Refreshes credentials and stores them before they are used, since a provider accepts each refresh token once.
 * Returns null if they cannot be refreshed.
 */
export const refreshCredentials = async (
  syncing: SyncContext,
  claim: Claim,
  credentials: JsonObject,
): Promise<JsonObject | null> => {
  const renewed = await syncing.deps.sources.refreshToken(claim.record.provider, credentials);
  if (renewed !== null) await saveCredentials(syncing, claim, renewed);
  return renewed;
};

/** Returns credentials whose token has not expired, refreshed if necessary. */
export const validCredentials = async (syncing: SyncContext, claim: Claim): Promise<JsonObject> => {
  const credentials = await openCredentials(syncing, claim);
  const expiresAt = credentials['expires_at'];
  const ends = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  const isValid = ends - syncing.run.clock.now().getTime() > marginMs;
  if (isValid && !lacksAccessToken(credentials)) return credentials;
  return (await refreshCredentials(syncing, claim, credentials)) ?? credentials;
};

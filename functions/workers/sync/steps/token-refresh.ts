import type { Claim } from '../../../../shared/connectors/index.ts';
import { isObject, type JsonObject } from '../../../../shared/kernel/json.ts';
import { SourceFault } from '../../../../shared/platform/connectors/port.ts';
import type { SyncContext } from '../uses.ts';

/** Access that ends so soon is renewed before it is used. */
const marginMs = 120_000;

/** What opens the source: its credentials, or for a custom API all that was said of it. */
const openCredentials = async ({ deps }: SyncContext, claim: Claim): Promise<JsonObject> => {
  const opened = await deps.connectors.readCredentials(claim);
  if (opened === null) throw new SourceFault('refused', 'The credentials are gone: connect the source again');
  return isObject(opened['credentials']) ? opened['credentials'] : opened;
};

/** Keeps credentials that took the place of others. */
export const saveCredentials = ({ deps }: SyncContext, claim: Claim, credentials: JsonObject): Promise<void> =>
  deps.connectors.saveCredentials(claim, claim.record.provider === 'custom_api' ? credentials : { credentials });

/** New credentials, kept before they are used: a provider takes each refresh token once. Null where there can't be any. */
export const refreshCredentials = async (
  syncing: SyncContext,
  claim: Claim,
  credentials: JsonObject,
): Promise<JsonObject | null> => {
  const renewed = await syncing.deps.sources.refreshToken(claim.record.provider, credentials);
  if (renewed !== null) await saveCredentials(syncing, claim, renewed);
  return renewed;
};

/** Credentials that are good for now, as far as they say themselves. */
export const validCredentials = async (syncing: SyncContext, claim: Claim): Promise<JsonObject> => {
  const credentials = await openCredentials(syncing, claim);
  const expiresAt = credentials['expires_at'];
  const ends = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  if (ends - syncing.run.clock.now().getTime() > marginMs) return credentials;
  return (await refreshCredentials(syncing, claim, credentials)) ?? credentials;
};

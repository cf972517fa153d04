import type { Claim } from '../../../../shared/connectors/index.ts';
import { isObject, type JsonObject } from '../../../../shared/kernel/json.ts';
import { SourceFault } from '../../../../shared/platform/connectors/port.ts';
import type { Syncing } from '../uses.ts';

/** Access that ends so soon is renewed before it is used. */
const marginMs = 120_000;

/** What opens the source: its credentials, or for a custom API all that was said of it. */
const openCredentials = async ({ deps }: Syncing, claim: Claim): Promise<JsonObject> => {
  const opened = await deps.connectors.open(claim);
  if (opened === null) throw new SourceFault('refused', 'The credentials are gone: connect the source again');
  return isObject(opened['credentials']) ? opened['credentials'] : opened;
};

/** Keeps credentials that took the place of others. */
export const keepCredentials = ({ deps }: Syncing, claim: Claim, credentials: JsonObject): Promise<void> =>
  deps.connectors.renew(claim, claim.record.provider === 'custom_api' ? credentials : { credentials });

/** New credentials, kept before they are used: a provider takes each refresh token once. Null where there can't be any. */
export const renewCredentials = async (
  syncing: Syncing,
  claim: Claim,
  credentials: JsonObject,
): Promise<JsonObject | null> => {
  const renewed = await syncing.deps.sources.renew(claim.record.provider, credentials);
  if (renewed !== null) await keepCredentials(syncing, claim, renewed);
  return renewed;
};

/** Credentials that are good for now, as far as they say themselves. */
export const freshCredentials = async (syncing: Syncing, claim: Claim): Promise<JsonObject> => {
  const credentials = await openCredentials(syncing, claim);
  const expiresAt = credentials['expires_at'];
  const ends = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  if (ends - syncing.run.clock.now().getTime() > marginMs) return credentials;
  return (await renewCredentials(syncing, claim, credentials)) ?? credentials;
};

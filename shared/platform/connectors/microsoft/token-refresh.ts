import type { JsonObject } from '../../../kernel/json.ts';
import { type OauthProvider, redeemGrant } from '../oauth.ts';
import { SourceFault } from '../port.ts';
import type { ProviderAddresses } from '../provider-addresses.ts';
import { textAt } from '../read-text.ts';

/** Scope of all permissions that an administrator has granted to an application. */
const granted = 'https://graph.microsoft.com/.default';

/**
 * Requests a token for an application of a directory. The credentials stay unchanged; `token` and `expires_at` are added.
 * Throws a `SourceFault`. Source: Microsoft identity platform, "OAuth 2.0 client credentials flow".
 */
export const refreshMicrosoftToken = async (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  credentials: JsonObject,
  now: Date,
): Promise<JsonObject> => {
  const client = {
    clientId: textAt(credentials, 'client_id'),
    clientSecret: textAt(credentials, 'client_secret'),
    tenantId: textAt(credentials, 'tenant_id'),
  };
  const grant = { grant_type: 'client_credentials', scope: granted };
  try {
    const { token = '', expires_at: expiresAt } = await redeemGrant(addresses, provider, grant, client, now);
    return { ...credentials, token, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) };
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind !== 'refused') throw error;
    const hint = 'check `tenant_id`, `client_id` and the expiry of `client_secret`';
    throw new SourceFault('refused', `Microsoft does not accept the application (${hint}): connect it again`);
  }
};

import type { Runtime } from '../../kernel/capability.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { providerAddresses } from './provider-addresses.ts';
import { confluenceSource } from './confluence/confluence.ts';
import { withAccessToken } from './custom-api/access-token.ts';
import { customApiSource } from './custom-api/custom-api.ts';
import { googleCalendarSource } from './google/calendar.ts';
import { googleDriveSource } from './google/drive.ts';
import { gmailSource } from './google/gmail.ts';
import { refreshGoogleToken } from './google/token-refresh.ts';
import { microsoftSource } from './microsoft/drives.ts';
import { refreshMicrosoftToken } from './microsoft/token-refresh.ts';
import { notionSource } from './notion/notion.ts';
import { oauthFamily, type OauthProvider, refreshTokens } from './oauth.ts';
import { openOauthClients } from './oauth-clients.ts';
import type { ConnectorSource } from './port.ts';
import { openPublicGet } from './public-http.ts';
import { textAt } from './read-text.ts';
import { slackSource } from './slack/slack.ts';

/** Sources that this deployment can read. */
export interface ConnectorSources {
  /** Returns the source of a provider; null if this deployment does not support it. */
  of(provider: string, organizationId: string): ConnectorSource | null;
  /** Refreshes credentials by their refresh token. Null if they cannot be refreshed. Throws a `SourceFault`. */
  refreshToken(provider: string, credentials: JsonObject): Promise<JsonObject | null>;
}

/** Opens the sources that need no client of a storage. */
export const openProviderSources = (runtime: Runtime): ConnectorSources => {
  const addresses = providerAddresses(runtime.config);
  const clientOf = openOauthClients(runtime);
  const get = openPublicGet(runtime.config.allowLocalWebhooks);
  const sources: Readonly<Record<string, ConnectorSource>> = {
    custom_api: customApiSource(get),
    confluence: confluenceSource(get),
    slack: slackSource(`${addresses.slack}/api/`, get, runtime.clock),
    notion: notionSource(addresses.notion, get),
    google_drive: googleDriveSource(addresses.google_drive),
    gmail: gmailSource(addresses.gmail),
    google_calendar: googleCalendarSource(addresses.google_calendar),
    sharepoint: microsoftSource('sharepoint', get, addresses.microsoft_graph),
    one_drive: microsoftSource('one_drive', get, addresses.microsoft_graph),
  };
  return {
    of: (provider) => (Object.hasOwn(sources, provider) ? (sources[provider] ?? null) : null),
    refreshToken: async (provider, credentials) => {
      if (provider === 'custom_api') return withAccessToken(get, credentials, runtime.clock.now());
      const family = oauthFamily(provider);
      if (family === 'google' && credentials['type'] !== 'oauth')
        return refreshGoogleToken(addresses, provider as OauthProvider, credentials, runtime.clock.now());
      if (family === 'microsoft' && credentials['type'] !== 'oauth')
        return refreshMicrosoftToken(addresses, provider as OauthProvider, credentials, runtime.clock.now());
      const renewable = credentials['type'] === 'oauth' && textAt(credentials, 'refresh_token') !== '';
      if (family === null || !renewable) return null;
      const client = await clientOf(family);
      return refreshTokens(addresses, provider as OauthProvider, credentials, client, runtime.clock.now());
    },
  };
};

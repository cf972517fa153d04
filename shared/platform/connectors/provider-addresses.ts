import type { Config, ConnectorAddressName } from '../../kernel/config.ts';

/** Default base URL of each provider, without a trailing slash. */
const publicAddresses: ProviderAddresses = {
  slack: 'https://slack.com',
  notion: 'https://api.notion.com',
  google_accounts: 'https://accounts.google.com',
  google_oauth: 'https://oauth2.googleapis.com',
  google_drive: 'https://www.googleapis.com',
  gmail: 'https://gmail.googleapis.com',
  google_calendar: 'https://www.googleapis.com',
  microsoft_login: 'https://login.microsoftonline.com',
  microsoft_graph: 'https://graph.microsoft.com',
};

export type ProviderAddresses = Readonly<Record<ConnectorAddressName, string>>;

/** Returns the base URLs of all providers, with those that the deployment overrides, such as a gateway. */
export const providerAddresses = ({ connectorAddresses = {} }: Config): ProviderAddresses => ({
  ...publicAddresses,
  ...connectorAddresses,
});

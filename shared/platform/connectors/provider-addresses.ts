import type { Config, ConnectorAddressName } from '../../kernel/config.ts';

/** Where each provider is found, without a slash at the end. */
const publicAddresses: ProviderAddresses = {
  slack: 'https://slack.com',
  notion: 'https://api.notion.com',
  google_accounts: 'https://accounts.google.com',
  google_oauth: 'https://oauth2.googleapis.com',
  google_drive: 'https://www.googleapis.com',
  gmail: 'https://gmail.googleapis.com',
  google_calendar: 'https://www.googleapis.com',
};

export type ProviderAddresses = Readonly<Record<ConnectorAddressName, string>>;

/** The providers' own addresses, but for those that the deployment names others for, such as a gateway of its own. */
export const providerAddresses = ({ connectorAddresses = {} }: Config): ProviderAddresses => ({
  ...publicAddresses,
  ...connectorAddresses,
});

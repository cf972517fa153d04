import * as z from 'zod';
import { tagged } from '../kernel/tagged.ts';
import { publicUrlProblem } from '../platform/delivery/public-address.ts';
import {
  AzureCredentials,
  GoogleCredentials,
  refuseBoth,
  S3Credentials,
  StoredCredentials,
  visibleText,
} from '../source-credentials/index.ts';
import { ConnectorName, type ConnectorProvider, connectorProviders, connectorSettings } from './schemas.ts';
import { ConnectorScopeUpdate } from './scope.ts';

/** Credentials of a person's consent, in the format of Google tools. */
const AuthorizedUser = z
  .object({
    type: z.literal('authorized_user').describe('Always `authorized_user`.'),
    client_id: visibleText(1024).describe('Id of the OAuth client.'),
    client_secret: visibleText(1024).describe('Secret of the OAuth client.'),
    refresh_token: visibleText(4096).describe('Refresh token of the person.'),
  })
  .meta({ id: 'AuthorizedUser', description: 'Consent of a person, in the format of Google tools.' });

const subject = (text: string) => z.email().max(320).describe(text);

const ServiceAccount = GoogleCredentials.extend({
  subject: subject('Person whom the service account impersonates.').optional(),
}).meta({ id: 'ServiceAccount', description: 'Key file of a service account.' });
/** A service account has no mailbox, and an empty calendar. */
const PersonalServiceAccount = GoogleCredentials.extend({
  subject: subject('Person whose mail or calendar is read.'),
}).meta({
  id: 'PersonalServiceAccount',
  description: 'Key file of a service account that impersonates a person.',
});

const TokenCredentials = z
  .strictObject({ token: visibleText(4096).describe('Token that the provider issued.') })
  .meta({ id: 'TokenCredentials', description: 'A token of the provider.' });

/** Address of a server of the caller, without a path. */
const ServerUrl = z
  .string()
  .min(1, { abort: true })
  .max(2048, { abort: true })
  .superRefine((url, context) => {
    const other = /^https?:\/\/[^/?#]+\/?$/.test(url) ? null : 'the address must have neither a path nor a query';
    const problem = publicUrlProblem(url, ['https:'], true) ?? other;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  });

const ConfluenceCredentials = z
  .strictObject({
    site_url: ServerUrl.describe('Address of the site, such as `https://acme.atlassian.net`.'),
    email: subject('Address of the account that issued the token.'),
    token: visibleText(4096).describe('API token of the account.'),
  })
  .meta({ id: 'ConfluenceCredentials', description: 'An API token of an account at Atlassian.' });

/** Application of a directory at Microsoft, which acts without a person. */
const MicrosoftApplication = z
  .strictObject({
    tenant_id: z
      .string()
      .regex(/^[\w.-]{1,255}$/)
      .describe('Directory (tenant) id of the application, or a domain of the directory.'),
    client_id: visibleText(1024).describe('Application (client) id.'),
    client_secret: visibleText(4096).describe('Client secret of the application.'),
  })
  .meta({ id: 'MicrosoftApplication', description: 'An application of a directory at Microsoft.' });

const PersonalMicrosoftApplication = MicrosoftApplication.extend({
  user: subject('Person whose OneDrive is read.'),
}).meta({
  id: 'PersonalMicrosoftApplication',
  description: 'An application of a directory at Microsoft, and a person of that directory.',
});

/** Schema of a provider's new credentials. `id` names it in the API description. */
const opensWith = <const Provider extends ConnectorProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  credentials: Credentials,
) =>
  z
    .strictObject({
      provider: z.literal(provider).describe('Provider of the connector.'),
      credentials: credentials.describe('Credentials of the source.'),
    })
    .meta({ id, description: `New credentials of a ${connectorProviders[provider]} connector.` });

const googleCredentials = tagged('type', [AuthorizedUser, ServiceAccount]).meta({
  id: 'GoogleDriveCredentials',
  description: 'A consent of a person, or the key file of a service account.',
});
const personalCredentials = tagged('type', [AuthorizedUser, PersonalServiceAccount]).meta({
  id: 'GooglePersonalCredentials',
  description: 'A consent of a person, or the key file of a service account that impersonates a person.',
});

/** Fields of the connection to each storage: credentials, and the address of another S3. */
const bucketSources = {
  aws_s3: {
    credentials: S3Credentials.nullable()
      .default(null)
      .describe('Credentials that may list and read the bucket; null if it is public. Stored encrypted.'),
    endpoint: ServerUrl.nullable()
      .default(null)
      .describe('Address of another storage with the protocol of S3, such as MinIO, R2 or Wasabi; null: Amazon S3.'),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,64}$/)
      .nullable()
      .default(null)
      .describe('Region of `endpoint`, such as `auto` for R2; null: the region of the service.'),
  },
  gcs: {
    credentials: GoogleCredentials.nullable()
      .default(null)
      .describe('Key file of a service account that may list and read the bucket; null if it is public.'),
  },
  azure_blob: {
    credentials: AzureCredentials.nullable()
      .default(null)
      .describe('Shared access signature with the permissions to read and list; null if the container is public.'),
  },
} as const;

/** Schema of new credentials of a storage. */
const opensBucket = <const Provider extends keyof typeof bucketSources>(provider: Provider, id: string) =>
  z
    .strictObject({
      provider: z.literal(provider).describe('Provider of the connector.'),
      ...bucketSources[provider],
      stored_credentials: StoredCredentials,
    })
    .superRefine(refuseBoth)
    .meta({ id, description: `New credentials of a connector to ${connectorProviders[provider]}.` });

/** Credentials of each provider except a custom API. */
export const providerCredentials = [
  opensWith('google_drive', 'GoogleDriveReconnect', googleCredentials),
  opensWith('notion', 'NotionReconnect', TokenCredentials),
  opensWith('gmail', 'GmailReconnect', personalCredentials),
  opensWith('google_calendar', 'GoogleCalendarReconnect', personalCredentials),
  opensWith('slack', 'SlackReconnect', TokenCredentials),
  opensWith('sharepoint', 'SharePointReconnect', MicrosoftApplication),
  opensWith('one_drive', 'OneDriveReconnect', PersonalMicrosoftApplication),
  opensWith('confluence', 'ConfluenceReconnect', ConfluenceCredentials),
  opensBucket('aws_s3', 'S3Reconnect'),
  opensBucket('gcs', 'GoogleStorageReconnect'),
  opensBucket('azure_blob', 'AzureReconnect'),
] as const;

const creationSettings = {
  ...connectorSettings,
  scope: ConnectorScopeUpdate.nullable()
    .default(null)
    .describe('What the connector reads. Null: nothing, until a scope is set.'),
};

/** Schema that connects one provider. */
const connectTo = <const Provider extends ConnectorProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  credentials: Credentials,
) =>
  z
    .strictObject({
      provider: z.literal(provider).describe('Provider of the source.'),
      name: ConnectorName.default(connectorProviders[provider]),
      credentials: credentials.describe('Credentials of the source. Stored encrypted.'),
      ...creationSettings,
    })
    .meta({ id, description: `A ${connectorProviders[provider]} connector to create.` });

/** Schema that connects one storage. */
const connectBucket = <const Provider extends keyof typeof bucketSources>(provider: Provider, id: string) =>
  z
    .strictObject({
      provider: z.literal(provider).describe('Provider of the source.'),
      name: ConnectorName.default(connectorProviders[provider]),
      ...bucketSources[provider],
      stored_credentials: StoredCredentials,
      ...creationSettings,
    })
    .superRefine(refuseBoth)
    .meta({ id, description: `A connector to ${connectorProviders[provider]} to create.` });

export const ConnectorCreate = tagged('provider', [
  connectTo('google_drive', 'GoogleDriveCreate', googleCredentials),
  connectTo('notion', 'NotionCreate', TokenCredentials),
  connectTo('gmail', 'GmailCreate', personalCredentials),
  connectTo('google_calendar', 'GoogleCalendarCreate', personalCredentials),
  connectTo('slack', 'SlackCreate', TokenCredentials),
  connectTo('sharepoint', 'SharePointCreate', MicrosoftApplication),
  connectTo('one_drive', 'OneDriveCreate', PersonalMicrosoftApplication),
  connectTo('confluence', 'ConfluenceCreate', ConfluenceCredentials),
  connectBucket('aws_s3', 'S3ConnectorCreate'),
  connectBucket('gcs', 'GoogleStorageConnectorCreate'),
  connectBucket('azure_blob', 'AzureConnectorCreate'),
]).meta({
  id: 'ConnectorCreate',
  description: 'A connector to create.',
  examples: [{ provider: 'notion', name: 'Team wiki', credentials: { token: 'ntn_0123456789abcdef' } }],
});
export type ConnectorCreate = z.output<typeof ConnectorCreate>;

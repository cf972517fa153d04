import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { GoogleCredentials, visibleText } from '../imports/index.ts';
import { tagged } from '../kernel/tagged.ts';
import { noScope, ScopeResponse } from './scope.ts';

/** Providers that can be connected, with their display names. */
export const connectorProviders = {
  google_drive: 'Google Drive',
  notion: 'Notion',
  gmail: 'Gmail',
  google_calendar: 'Google Calendar',
  slack: 'Slack',
  custom_api: 'Custom API',
} as const;

export type ConnectorProvider = keyof typeof connectorProviders;

const ConnectorProviderName = z
  .enum(Object.keys(connectorProviders) as [ConnectorProvider, ...ConnectorProvider[]])
  .meta({ id: 'ConnectorProvider', description: 'Provider of a source.' });

/**
 * `pending_scope → syncing → active`; `error` and `paused` wait for a resume, which begins with another sync.
 */
const ConnectorStatus = z.enum(['pending_scope', 'syncing', 'active', 'paused', 'error']).meta({
  id: 'ConnectorStatus',
  description:
    '`pending_scope`, then `syncing`, then `active`. `error` and `paused` wait for a resume, which begins with another sync.',
});
export type ConnectorStatus = z.infer<typeof ConnectorStatus>;

export const ConnectorName = z.string().min(1).max(255).describe('Display name.');

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

/** Credentials of each provider except a custom API. */
export const providerCredentials = [
  opensWith('google_drive', 'GoogleDriveReconnect', googleCredentials),
  opensWith('notion', 'NotionReconnect', TokenCredentials),
  opensWith('gmail', 'GmailReconnect', personalCredentials),
  opensWith('google_calendar', 'GoogleCalendarReconnect', personalCredentials),
  opensWith('slack', 'SlackReconnect', TokenCredentials),
] as const;

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
    })
    .meta({ id, description: `A ${connectorProviders[provider]} connector to create.` });

export const ConnectorCreate = tagged('provider', [
  connectTo('google_drive', 'GoogleDriveCreate', googleCredentials),
  connectTo('notion', 'NotionCreate', TokenCredentials),
  connectTo('gmail', 'GmailCreate', personalCredentials),
  connectTo('google_calendar', 'GoogleCalendarCreate', personalCredentials),
  connectTo('slack', 'SlackCreate', TokenCredentials),
]).meta({
  id: 'ConnectorCreate',
  description: 'A connector to create.',
  examples: [{ provider: 'notion', name: 'Team wiki', credentials: { token: 'ntn_0123456789abcdef' } }],
});
export type ConnectorCreate = z.output<typeof ConnectorCreate>;

const exampleConnector = {
  id: exampleId('conn'),
  provider: 'notion',
  name: 'Team wiki',
  status: 'pending_scope',
  scope: noScope,
  last_synced_at: null,
  documents: 0,
  error: null,
  created_at: exampleTime,
};

/** API representation of a connection, without its credentials. */
export const ConnectorResponse = z
  .object({
    id: z.string().describe('Id of the connector.'),
    provider: ConnectorProviderName.describe('Provider of the source.'),
    name: z.string().describe('Display name.'),
    status: ConnectorStatus.describe('State of the connector.'),
    scope: ScopeResponse.describe('What the connector reads.'),
    last_synced_at: z.iso.datetime().nullable().describe('When the last sync ended; null: none has.'),
    documents: z.number().int().min(0).describe('Documents of the source in the index.'),
    error: z.string().nullable().describe('Why the connector stopped; null if it did not.'),
    created_at: z.iso.datetime().describe('When the connector was created.'),
  })
  .meta({
    id: 'ConnectorResponse',
    description: 'A connector, without its credentials.',
    examples: [exampleConnector],
  });

export const ConnectorOverview = z
  .object({
    connectors: z.array(ConnectorResponse).describe('Connectors of the index.'),
    available: z
      .array(
        z
          .object({
            provider: ConnectorProviderName.describe('The provider.'),
            name: z.string().describe('Display name of the provider.'),
            connected: z.boolean().describe('Whether the index has a connection to it.'),
          })
          .meta({ id: 'AvailableConnector', description: 'A provider that can be connected.' }),
      )
      .describe('Providers that can be connected.'),
  })
  .meta({
    id: 'ConnectorOverview',
    description: 'Connectors of an index, and available providers.',
    examples: [
      {
        connectors: [exampleConnector],
        available: Object.entries(connectorProviders).map(([provider, name]) => ({
          provider,
          name,
          connected: provider === 'notion',
        })),
      },
    ],
  });

/** Response to a change of a connection. */
export const ConnectorChange = z.record(z.string(), z.string()).meta({
  id: 'ConnectorChange',
  description: 'Response to a change: `connection_id` and `status`.',
  examples: [{ connection_id: exampleId('conn'), status: 'syncing' }],
});

export const ConnectorConsentCreate = z
  .strictObject({
    name: ConnectorName.nullable().default(null).describe('Null: the name of the provider.'),
    connection_id: z
      .string()
      .nullable()
      .default(null)
      .describe('Connector that gets the new credentials; it keeps its name. Null: the consent creates a connector.'),
  })
  .meta({ id: 'ConnectorConsentCreate', description: 'A consent to start.', examples: [{ name: 'Team chat' }] });

export const ConnectorConfirmation = z
  .strictObject({
    confirmation_code: z.string().min(1).max(64).describe('Code on the page to which the provider redirects.'),
  })
  .meta({
    id: 'ConnectorConfirmation',
    description: 'The code that confirms a consent.',
    examples: [{ confirmation_code: 'example-confirmation-code' }],
  });

/** Where a person consents. */
export const ConnectorConsent = z
  .object({
    connection_id: z.string().describe('Connector that the consent creates or changes.'),
    authorize_url: z.string().describe('URL of the provider where the person consents.'),
    expires_in_seconds: z.number().int().describe('Seconds for which the address is valid.'),
  })
  .meta({
    id: 'ConnectorConsent',
    description: 'Where a person consents.',
    examples: [
      {
        connection_id: exampleId('conn'),
        authorize_url: 'https://slack.com/oauth/v2/authorize?client_id=1&state=abc&code_challenge=xyz',
        expires_in_seconds: 900,
      },
    ],
  });

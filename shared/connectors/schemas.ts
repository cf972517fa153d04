import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { GoogleCredentials, visibleText } from '../imports/index.ts';
import { tagged } from '../kernel/tagged.ts';
import { noScope } from './scope.ts';

/** What content can be connected, with the name that people know it by. */
export const connectorProviders = {
  google_drive: 'Google Drive',
  notion: 'Notion',
  gmail: 'Gmail',
  google_calendar: 'Google Calendar',
  slack: 'Slack',
  custom_api: 'Custom API',
} as const;

export type ConnectorProvider = keyof typeof connectorProviders;

const ConnectorProviderName = z.enum(Object.keys(connectorProviders) as [ConnectorProvider, ...ConnectorProvider[]]);

/**
 * `pending_scope → syncing → active`; `error` and `paused` wait for a resume, which begins with another sync.
 */
const ConnectorStatus = z.enum(['pending_scope', 'syncing', 'active', 'paused', 'error']);
export type ConnectorStatus = z.infer<typeof ConnectorStatus>;

export const ConnectorName = z.string().min(1).max(255);

/** What a person's consent comes to, as Google's own tools keep it. */
const AuthorizedUser = z
  .object({
    type: z.literal('authorized_user'),
    client_id: visibleText(1024),
    client_secret: visibleText(1024),
    refresh_token: visibleText(4096),
  })
  .meta({ id: 'AuthorizedUser' });

const subject = (text: string) => z.email().max(320).describe(text);

const ServiceAccount = GoogleCredentials.extend({
  subject: subject('Person in whose name the service account reads.').optional(),
}).meta({ id: 'ServiceAccount' });
/** A service account has no mailbox of its own, and a calendar with nothing in it. */
const PersonalServiceAccount = GoogleCredentials.extend({
  subject: subject('Person whose mail or calendar is read.'),
}).meta({ id: 'PersonalServiceAccount' });

const TokenCredentials = z.object({ token: visibleText(4096) }).meta({ id: 'TokenCredentials' });

/** What opens one provider, which `id` names in the description. */
const opensWith = <const Provider extends ConnectorProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  credentials: Credentials,
) => z.object({ provider: z.literal(provider), credentials }).meta({ id });

const googleCredentials = tagged('type', [AuthorizedUser, ServiceAccount]);
const personalCredentials = tagged('type', [AuthorizedUser, PersonalServiceAccount]);

/** What opens each provider but a custom API. */
export const providerCredentials = [
  opensWith('google_drive', 'GoogleDriveReconnect', googleCredentials),
  opensWith('notion', 'NotionReconnect', TokenCredentials),
  opensWith('gmail', 'GmailReconnect', personalCredentials),
  opensWith('google_calendar', 'GoogleCalendarReconnect', personalCredentials),
  opensWith('slack', 'SlackReconnect', TokenCredentials),
] as const;

/** What connects one provider. */
const connectTo = <const Provider extends ConnectorProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  credentials: Credentials,
) =>
  z
    .object({
      provider: z.literal(provider),
      name: ConnectorName.default(connectorProviders[provider]),
      credentials,
    })
    .meta({ id });

export const ConnectorCreate = tagged('provider', [
  connectTo('google_drive', 'GoogleDriveCreate', googleCredentials),
  connectTo('notion', 'NotionCreate', TokenCredentials),
  connectTo('gmail', 'GmailCreate', personalCredentials),
  connectTo('google_calendar', 'GoogleCalendarCreate', personalCredentials),
  connectTo('slack', 'SlackCreate', TokenCredentials),
]).meta({
  id: 'ConnectorCreate',
  examples: [{ provider: 'notion', name: 'Team wiki', credentials: { token: 'ntn_0123456789abcdef' } }],
});
export type ConnectorCreate = z.output<typeof ConnectorCreate>;

const Scope = z.object({
  folders: z.array(z.string()),
  files: z.array(z.string()),
  folder_labels: z.record(z.string(), z.string()),
  notion_pages: z.array(z.string()),
  notion_data_sources: z.array(z.string()),
  notion_labels: z.record(z.string(), z.string()),
  gmail_after: z.string().nullable(),
  calendar_after: z.string().nullable(),
  slack_channels: z.array(z.string()),
});

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

/** A connection as callers see it: never what opens the source. */
export const ConnectorResponse = z
  .object({
    id: z.string(),
    provider: ConnectorProviderName,
    name: z.string(),
    status: ConnectorStatus,
    scope: Scope,
    last_synced_at: z.iso.datetime().nullable(),
    documents: z.number().int().min(0),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ConnectorResponse', examples: [exampleConnector] });

export const ConnectorOverview = z
  .object({
    connectors: z.array(ConnectorResponse),
    available: z.array(
      z.object({
        provider: ConnectorProviderName,
        name: z.string(),
        connected: z.boolean().describe('Whether the index has a connection to it.'),
      }),
    ),
  })
  .meta({
    id: 'ConnectorOverview',
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

/** How a change of a connection is acknowledged. */
export const ConnectorChange = z
  .record(z.string(), z.string())
  .describe('`connection_id` and `status`.')
  .meta({ id: 'ConnectorChange', examples: [{ connection_id: exampleId('conn'), status: 'syncing' }] });

export const ConnectorConsentCreate = z
  .object({
    name: ConnectorName.nullable().default(null).describe('Null: the name of the provider.'),
    connection_id: z
      .string()
      .nullable()
      .default(null)
      .describe('A connector that consent is to open anew; it keeps its name. Null: consent makes a new one.'),
  })
  .meta({ id: 'ConnectorConsentCreate', examples: [{ name: 'Team chat' }] });

export const ConnectorConfirmation = z
  .object({
    confirmation_code: z
      .string()
      .min(1)
      .max(64)
      .describe('Code that the page shows to which the provider sends a person back.'),
  })
  .meta({ id: 'ConnectorConfirmation', examples: [{ confirmation_code: 'example-confirmation-code' }] });

/** Where a person is to be sent. */
export const ConnectorConsent = z
  .object({
    connection_id: z.string().describe('The connector that consent makes or opens anew.'),
    authorize_url: z.string(),
    expires_in_seconds: z.number().int(),
  })
  .meta({
    id: 'ConnectorConsent',
    examples: [
      {
        connection_id: exampleId('conn'),
        authorize_url: 'https://slack.com/oauth/v2/authorize?client_id=1&state=abc&code_challenge=xyz',
        expires_in_seconds: 900,
      },
    ],
  });

import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
import { integer } from '../http/schema-helpers.ts';
import { SourceMetadata } from '../files/index.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import { noScope } from './no-scope.ts';
import { ScopeResponse } from './scope.ts';

/** Providers that can be connected, with their display names. */
export const connectorProviders = {
  google_drive: 'Google Drive',
  notion: 'Notion',
  gmail: 'Gmail',
  google_calendar: 'Google Calendar',
  slack: 'Slack',
  sharepoint: 'SharePoint',
  one_drive: 'OneDrive',
  confluence: 'Confluence',
  aws_s3: 'Amazon S3',
  gcs: 'Google Cloud Storage',
  azure_blob: 'Azure Blob Storage',
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

const Interval = integer().min(5).max(10_080);

/** Settings of every connector. */
export const connectorSettings = {
  metadata: SourceMetadata.default({}).describe(
    'Metadata that every chunk of the connector has, at most 8 KiB. `chunk_size` and `chunk_overlap` work as for files. Keys of the source with the same name win.',
  ),
  sync_interval_minutes: Interval.nullable()
    .default(null)
    .describe('Minutes between two syncs; null: 30, and 60 for a custom API.'),
};

export const ConnectorUpdate = z
  .strictObject({
    name: ConnectorName.optional(),
    metadata: SourceMetadata.optional().describe(
      'New metadata of every chunk. All documents are processed again, each as a file job.',
    ),
    sync_interval_minutes: Interval.nullable().optional().describe('Minutes between two syncs; null: the default.'),
  })
  .meta({
    id: 'ConnectorUpdate',
    description: 'Changes of a connector; absent fields stay.',
    examples: [{ sync_interval_minutes: 15, metadata: { team: 'support' } }],
  });
export type ConnectorUpdate = z.output<typeof ConnectorUpdate>;

/** Sync that is running. */
const SyncProgress = z
  .object({
    id: z.string().describe('Id of the sync.'),
    started_at: z.iso.datetime().describe('When the sync began.'),
    items: z.number().int().min(0).describe('Items of the source that the sync has compared so far.'),
    bytes: z.number().int().min(0).describe('Bytes of these items, as far as the source states sizes.'),
  })
  .meta({ id: 'ConnectorSyncProgress', description: 'Progress of a running sync.' });

const exampleConnector = {
  id: exampleId('conn'),
  provider: 'notion',
  name: 'Team wiki',
  status: 'pending_scope',
  scope: noScope,
  stored_credentials: null,
  last_synced_at: null,
  documents: 0,
  unread_items: 0,
  error: null,
  metadata: { team: 'support' },
  sync_interval_minutes: 30,
  next_sync_at: null,
  sync: null,
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
    stored_credentials: z
      .string()
      .nullable()
      .describe('Name of the stored credentials that it uses; null: its own, or none.'),
    last_synced_at: z.iso.datetime().nullable().describe('When the last sync ended; null: none has.'),
    documents: z.number().int().min(0).describe('Documents of the source in the index.'),
    unread_items: z
      .number()
      .int()
      .min(0)
      .describe('Items and places that could not be read, up to 1,000. `unread-items` lists them.'),
    error: z
      .string()
      .nullable()
      .describe('Why the connector stopped or waits, or a summary of what it could not read; null: nothing to report.'),
    metadata: ParsedObject.describe('Metadata that every chunk of the connector has.'),
    sync_interval_minutes: z.number().int().describe('Minutes between two syncs.'),
    next_sync_at: z.iso.datetime().nullable().describe('When the next sync or its next step is due; null: never.'),
    sync: SyncProgress.nullable().describe('The running sync; null if none is.'),
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

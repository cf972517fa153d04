import * as z from 'zod';
import { exampleTime } from '../http/examples.ts';
import { sourceCredentialsPattern } from '../kernel/ids.ts';
import { tagged } from '../kernel/tagged.ts';
import { AzureCredentials, GoogleCredentials, S3Credentials } from './access-schemas.ts';

/** Storages whose credentials can be stored under a name. */
const storages = ['aws_s3', 'gcs', 'azure_blob'] as const;
export type StorageProvider = (typeof storages)[number];

/** Name of stored credentials in an import or a connector. */
export const StoredCredentials = z
  .string()
  .regex(sourceCredentialsPattern)
  .nullable()
  .default(null)
  .describe('Name of credentials that are stored for the organization, in place of `credentials`; null: none.');

/** Returns the name of the stored credentials in a request; null if it names none. */
export const storedIn = (body: object): string | null =>
  'stored_credentials' in body && typeof body.stored_credentials === 'string' ? body.stored_credentials : null;

/** Refuses credentials and stored ones together. */
export const refuseBoth = (
  value: { readonly credentials?: unknown; readonly stored_credentials?: unknown },
  context: z.core.$RefinementCtx,
): void => {
  if (value.credentials == null || value.stored_credentials == null) return;
  const message = 'give either credentials or the name of stored ones';
  context.addIssue({ code: 'custom', path: ['stored_credentials'], message, input: value.stored_credentials });
};

const putOf = <const Provider extends StorageProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  credentials: Credentials,
) =>
  z
    .strictObject({
      provider: z.literal(provider).describe('Storage of the credentials.'),
      credentials,
    })
    .meta({ id, description: 'Credentials of a storage to store under a name.' });

export const SourceCredentialsPut = tagged('provider', [
  putOf('aws_s3', 'S3CredentialsPut', S3Credentials),
  putOf('gcs', 'GoogleCredentialsPut', GoogleCredentials),
  putOf('azure_blob', 'AzureCredentialsPut', AzureCredentials),
]).meta({
  id: 'SourceCredentialsPut',
  description: 'Credentials of a storage to store under a name.',
  examples: [{ provider: 'azure_blob', credentials: { sas_token: 'sv=2026-02-06&sr=c&sp=rl&sig=c2lnbmF0dXJl' } }],
});
export type SourceCredentialsPut = z.output<typeof SourceCredentialsPut>;

export const SourceCredentialsResponse = z
  .object({
    name: z.string().describe('Name of the credentials.'),
    provider: z.enum(storages).describe('Storage of the credentials.'),
    created_at: z.iso.datetime().describe('When they were first stored.'),
    replaced_at: z.iso.datetime().describe('When they were last replaced.'),
  })
  .meta({
    id: 'SourceCredentialsResponse',
    description: 'Stored credentials of a storage, without their values.',
    examples: [{ name: 'acme-documents', provider: 'aws_s3', created_at: exampleTime, replaced_at: exampleTime }],
  });

import * as z from 'zod';
import { expiryFields } from '../http/expiry.ts';
import { FileReplacement } from '../files/index.ts';
import { tagged } from '../kernel/tagged.ts';
import {
  AzureCredentials,
  GoogleCredentials,
  refuseBoth,
  S3Credentials,
  StoredCredentials,
} from '../source-credentials/index.ts';
import { type ImportProvider, readObjectUri } from '../platform/object-sources/object-uri.ts';

const maxUriCharacters = 4096;

const { filename: Filename, content_type: ContentType, metadata: JobMetadata, embed: Embed } = FileReplacement.shape;

/** File name from the key of an object. */
const lastPart = (provider: ImportProvider, uri: string): string | null => {
  const read = readObjectUri(provider, uri);
  return 'place' in read ? read.place.key.slice(read.place.key.lastIndexOf('/') + 1) : null;
};

/**
 * Schema of an object of one provider. `id` names it in the OpenAPI document. The default file name is the last part of
 * its address.
 */
const importFrom = <
  const Provider extends ImportProvider,
  Credentials extends z.ZodType,
  const Extra extends z.ZodRawShape,
>(
  provider: Provider,
  id: string,
  description: string,
  credentials: Credentials,
  extra: Extra,
) => {
  const Uri = z
    .string()
    .min(1, { abort: true })
    .max(maxUriCharacters)
    .superRefine((uri, context) => {
      const read = readObjectUri(provider, uri);
      if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem, input: uri });
    });
  return z
    .strictObject({
      provider: z.literal(provider).describe('Cloud provider that keeps the file.'),
      uri: Uri.describe('Address of the file.'),
      credentials: credentials
        .nullable()
        .default(null)
        .describe('Credentials for the file; null if it is public. Kept encrypted until the copy is done.'),
      ...extra,
      filename: Filename.nullable().default(null).describe('Name of the file; null: the last part of `uri`.'),
      content_type: ContentType.nullable()
        .default(null)
        .describe('Media type of the file; null: detected from its content.'),
      metadata: JobMetadata,
      embed: Embed,
      ...expiryFields,
    })
    .superRefine(
      (value, context) => {
        const { uri, filename } = value as { readonly uri: unknown; readonly filename: unknown };
        const name = typeof uri === 'string' && filename === null ? lastPart(provider, uri) : null;
        if (name === null || Filename.safeParse(name).success) return;
        const message = 'the last part of the uri is no file name, so one must be given';
        context.addIssue({ code: 'custom', path: ['filename'], message, input: filename });
      },
      // Runs even if a field is invalid, so that all problems are reported at once.
      { when: () => true },
    )
    .superRefine(refuseBoth)
    .meta({ id, description });
};

/** Field of imports from a storage. */
const stored = { stored_credentials: StoredCredentials };

const NoCredentials = z.strictObject({}).meta({ id: 'NoCredentials', description: 'An empty object.' });

export const RemoteFileImport = tagged('provider', [
  importFrom('aws_s3', 'S3Import', 'An object of Amazon S3: `s3://BUCKET/KEY`.', S3Credentials, stored),
  importFrom(
    'gcs',
    'GoogleImport',
    'An object of Google Cloud Storage: `gs://BUCKET/NAME`.',
    GoogleCredentials,
    stored,
  ),
  importFrom(
    'azure_blob',
    'AzureImport',
    'A blob of Azure: `https://ACCOUNT.blob.core.windows.net/CONTAINER/NAME`.',
    AzureCredentials,
    stored,
  ),
  importFrom(
    'url',
    'UrlImport',
    'An `https` URL, such as a presigned one. Its server supports ranges.',
    NoCredentials,
    {},
  ),
  importFrom(
    'export',
    'ExportImport',
    'The rows of a completed export: `INDEX_ID/EXPORT_ID`. Creates a file job for each of its files and returns the first. Vectors of another embedding model than that of the index are a 409, unless `embed` is true.',
    NoCredentials,
    {},
  ),
]).meta({
  id: 'RemoteFileImport',
  description: 'A file to copy from a cloud provider.',
  examples: [
    { provider: 'aws_s3', uri: 's3://acme-documents/2026/handbook.pdf', content_type: 'application/pdf', metadata: {} },
  ],
});
export type RemoteFileImport = z.output<typeof RemoteFileImport>;

/** File name of an import. */
export const importName = ({ provider, uri, filename }: RemoteFileImport): string =>
  filename ?? lastPart(provider, uri) ?? uri;

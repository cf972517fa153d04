import * as z from 'zod';
import { FileUploadCreate } from '../files/index.ts';
import { tagged } from '../kernel/tagged.ts';
import { AzureCredentials, GoogleCredentials, S3Credentials } from './credentials.ts';
import { type ImportProvider, readObjectUri } from './object-uri.ts';

const longestUri = 4096;

const { filename: Filename, content_type: ContentType, metadata: JobMetadata } = FileUploadCreate.shape;

/** The name that an object gives its file. */
const lastPart = (provider: ImportProvider, uri: string): string | null => {
  const read = readObjectUri(provider, uri);
  return 'place' in read ? read.place.key.slice(read.place.key.lastIndexOf('/') + 1) : null;
};

/** One object of one provider, which `id` names in the description; without a file name of its own it takes the last part of its address. */
const importFrom = <const Provider extends ImportProvider, Credentials extends z.ZodType>(
  provider: Provider,
  id: string,
  description: string,
  credentials: Credentials,
) => {
  const Uri = z
    .string()
    .min(1, { abort: true })
    .max(longestUri)
    .superRefine((uri, context) => {
      const read = readObjectUri(provider, uri);
      if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem, input: uri });
    });
  return z
    .object({
      provider: z.literal(provider).describe('Cloud provider that keeps the file.'),
      uri: Uri.describe('Address of the file.'),
      credentials: credentials
        .nullable()
        .default(null)
        .describe('What opens the file; null for a public one. Kept encrypted until the copy is done.'),
      filename: Filename.nullable().default(null).describe('Name of the file; null: the last part of `uri`.'),
      content_type: ContentType.nullable()
        .default(null)
        .describe('Media type of the file; null: what it turns out to be once it is planned.'),
      metadata: JobMetadata,
    })
    .superRefine(
      ({ uri, filename }: { readonly uri: unknown; readonly filename: unknown }, context) => {
        const name = typeof uri === 'string' && filename === null ? lastPart(provider, uri) : null;
        if (name === null || Filename.safeParse(name).success) return;
        const message = 'the last part of the uri is no file name, so one must be given';
        context.addIssue({ code: 'custom', path: ['filename'], message, input: filename });
      },
      // Also where a field has a problem of its own: all of them are told at once.
      { when: () => true },
    )
    .meta({ id, description });
};

export const RemoteFileImport = tagged('provider', [
  importFrom('aws_s3', 'S3Import', 'An object of Amazon S3: `s3://BUCKET/KEY`.', S3Credentials),
  importFrom('gcs', 'GoogleImport', 'An object of Google Cloud Storage: `gs://BUCKET/NAME`.', GoogleCredentials),
  importFrom(
    'azure_blob',
    'AzureImport',
    'A blob of Azure: `https://ACCOUNT.blob.core.windows.net/CONTAINER/NAME`.',
    AzureCredentials,
  ),
]).meta({
  id: 'RemoteFileImport',
  description: 'A file to copy from a cloud provider.',
  examples: [
    { provider: 'aws_s3', uri: 's3://acme-documents/2026/handbook.pdf', content_type: 'application/pdf', metadata: {} },
  ],
});
export type RemoteFileImport = z.output<typeof RemoteFileImport>;

/** The name under which an import is processed. */
export const importName = ({ provider, uri, filename }: RemoteFileImport): string =>
  filename ?? lastPart(provider, uri) ?? uri;

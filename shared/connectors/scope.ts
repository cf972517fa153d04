import * as z from 'zod';
import { boundedMap } from '../http/schema-helpers.ts';
import { DateOrTimestamp } from '../http/timestamp.ts';
import { type BucketProvider, readPrefixUri } from '../platform/object-sources/object-uri.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';

const maxEntries = 1000;
const maxScopeBytes = 40 * 1024;

const SourceId = z.string().min(1).max(1024);
const SourceIds = z.array(SourceId).max(maxEntries).default([]);
const Labels = boundedMap(z.record(SourceId, z.string().max(255)), 2 * maxEntries).default({});

const Patterns = z.array(z.string().min(1).max(1024)).max(100).default([]);

/** Address of a prefix of a bucket. Its provider is checked against that of the connector. */
const Prefixes = z
  .array(
    z
      .string()
      .min(1)
      .max(4096)
      .superRefine((uri, context) => {
        const read = readPrefixUri(bucketProviderOf(uri) ?? 'azure_blob', uri);
        if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem, input: uri });
      }),
  )
  .max(100)
  .default([]);

const After = DateOrTimestamp.nullable().default(null);

/** Scope of a connection. An update replaces it as a whole: what it omits is out of scope. */
export const ConnectorScopeUpdate = z
  .strictObject({
    folders: SourceIds.describe('Folders of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FOLDER_ID`.'),
    files: SourceIds.describe('Files of Google Drive, OneDrive or SharePoint, the latter as `DRIVE_ID/FILE_ID`.'),
    folder_labels: Labels.describe('Display name of each folder, file, site and library.'),
    notion_pages: SourceIds.describe('Notion pages, each with the pages below it.'),
    notion_data_sources: SourceIds.describe('Notion data sources.'),
    notion_labels: Labels.describe('Display name of each page and data source.'),
    gmail_after: After.describe('Mail since this day or time, such as `2026-01-31`; null for all.'),
    calendar_after: After.describe('Calendar entries since this day or time; null for all.'),
    slack_channels: SourceIds.describe('Slack channels.'),
    attachments: z
      .boolean()
      .default(false)
      .describe('Whether files of Slack messages, Notion pages and Confluence pages are documents, too.'),
    sites: SourceIds.describe('SharePoint sites, by id or address, each with all its libraries.'),
    libraries: SourceIds.describe('Document libraries of SharePoint.'),
    confluence_spaces: SourceIds.describe('Keys of Confluence spaces.'),
    object_prefixes: Prefixes.describe(
      'Prefixes of buckets: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `https://ACCOUNT.blob.core.windows.net/CONTAINER/PREFIX`. A folder ends with a slash.',
    ),
    include_patterns: Patterns.describe(
      'Objects to read, by their key after the prefix, such as `*.pdf`: `*` is any number of characters, slashes included, and `?` is one. Empty: all objects.',
    ),
    exclude_patterns: Patterns.describe('Objects to leave out, in the same form.'),
  })
  .refine((scope) => Buffer.byteLength(JSON.stringify(scope)) <= maxScopeBytes, {
    error: 'a scope may have at most 40 KiB as JSON',
  })
  .meta({
    id: 'ConnectorScopeUpdate',
    description: 'New scope of a connector.',
    examples: [{ folders: ['1q2w3e4r5t6y'], folder_labels: { '1q2w3e4r5t6y': 'Handbook' } }],
  });
export type ConnectorScope = z.output<typeof ConnectorScopeUpdate>;

/** API representation of a scope. */
export const ScopeResponse = z
  .object({
    folders: z.array(z.string()).describe('Folders of Google Drive, OneDrive or SharePoint.'),
    files: z.array(z.string()).describe('Files of Google Drive, OneDrive or SharePoint.'),
    folder_labels: z.record(z.string(), z.string()).describe('Display name of each folder, file, site and library.'),
    notion_pages: z.array(z.string()).describe('Notion pages, each with the pages below it.'),
    notion_data_sources: z.array(z.string()).describe('Notion data sources.'),
    notion_labels: z.record(z.string(), z.string()).describe('Display name of each page and data source.'),
    gmail_after: z.string().nullable().describe('Mail since this day or time; null: all.'),
    calendar_after: z.string().nullable().describe('Calendar entries since this day or time; null: all.'),
    slack_channels: z.array(z.string()).describe('Slack channels.'),
    attachments: z
      .boolean()
      .describe('Whether files of Slack messages, Notion pages and Confluence pages are documents, too.'),
    sites: z.array(z.string()).describe('SharePoint sites.'),
    libraries: z.array(z.string()).describe('Document libraries of SharePoint.'),
    confluence_spaces: z.array(z.string()).describe('Keys of Confluence spaces.'),
    object_prefixes: z.array(z.string()).describe('Prefixes of buckets.'),
    include_patterns: z.array(z.string()).describe('Patterns of the objects to read; empty: all.'),
    exclude_patterns: z.array(z.string()).describe('Patterns of the objects to leave out.'),
  })
  .meta({ id: 'ConnectorScope', description: 'Scope of a connector.' });

/** Returns the provider of the bucket in an address; null if it is none that a connector reads. */
const bucketProviderOf = (uri: string): BucketProvider | null => {
  if (uri.startsWith('s3://')) return 'aws_s3';
  if (uri.startsWith('gs://')) return 'gcs';
  return uri.startsWith('https://') ? 'azure_blob' : null;
};

/** Returns the problems of prefixes that the provider of a connector does not have. `loc`: location of the scope. */
export const prefixProblems = (
  provider: string,
  { object_prefixes: prefixes }: ConnectorScope,
  loc: readonly string[],
): readonly ValidationProblem[] =>
  prefixes.flatMap((uri, at) =>
    bucketProviderOf(uri) === provider
      ? []
      : [valueProblem([...loc, 'object_prefixes', at], `a connector to ${provider} does not read this address`)],
  );

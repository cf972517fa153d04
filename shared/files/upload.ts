import * as z from 'zod';
import { expiryFields } from '../http/expiry.ts';
import { Metadata } from '../http/metadata.ts';
import { chunkProblems } from '#documents';
import { exampleId } from '../http/examples.ts';
import {
  jobBatchKey,
  jobSectionsKey,
  jobTextKey,
  jobUnitsKey,
  type TextFormat,
  uploadKey,
} from '../kernel/content-keys.ts';
import { ownNames } from '../kernel/row-metadata.ts';
import { controlOrDirection } from '../kernel/text.ts';
import type { FilePart } from './chunk-rows.ts';
import { type JobRecord, ordinalText } from './record.ts';

/** File name. It is a label and never becomes part of a path. */
const Filename = z
  .string()
  .min(1)
  .max(255, { abort: true })
  .refine((name) => !/(^|[/\\])\.\.?([/\\]|$)/.test(name), { error: 'a file name may not point to another folder' })
  .refine((name) => name.search(controlOrDirection) < 0, {
    error: 'a file name may not contain control or direction characters',
  });

/** Stored with every row of the file. Two keys configure chunking. */
const JobMetadata = Metadata.superRefine((metadata, context) => {
  for (const message of chunkProblems(metadata)) context.addIssue({ code: 'custom', message, input: metadata });
}).describe(
  `Stored with every chunk of the file; at most 40 KiB as JSON. \`chunk_size\` and \`chunk_overlap\`, in characters, set how its text is cut. The service sets the position of each chunk under these names, and overwrites values given here: ${ownNames.map((name) => `\`${name}\``).join(', ')}.`,
);

/** SHA-256 of the file as 64 hexadecimal digits or as base64. */
const Checksum = z.string().refine((value) => /^[0-9a-fA-F]{64}$/.test(value) || /^[A-Za-z0-9+/]{43}=$/.test(value), {
  error: 'a SHA-256 checksum has 64 hexadecimal digits, or 44 characters of base64',
});

/** Fields of a file to upload. */
const fileFields = {
  filename: Filename.describe('Name of the file. Its extension may decide between text formats.'),
  content_type: z
    .string()
    .min(1, { abort: true })
    .max(255, { abort: true })
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w!#$&^.+-]+=("[\x20\x21\x23-\x7e]*"|[\w!#$&^.+-]+))*$/, {
      error: 'a content type has the form type/subtype',
    })
    .describe('Media type of the file, such as `application/pdf`.'),
  checksum_sha256: Checksum.nullable()
    .optional()
    .describe('SHA-256 of the file in hexadecimal digits or base64. If given, the upload URL accepts no other file.'),
  size_bytes: z
    .number()
    .int()
    .min(0)
    .nullable()
    .optional()
    .describe(
      'Exact size of the file. If given, the upload URL accepts no other size, and a file larger than the plan allows is refused before it is sent.',
    ),
  metadata: JobMetadata.default({}).meta({ id: 'FileMetadata' }),
  embed: z
    .boolean()
    .optional()
    .describe(
      'For files of rows: true embeds their texts, and ignores their vectors, which may be those of another model.',
    ),
  ...expiryFields,
};

const uploadExample = {
  filename: 'handbook.pdf',
  content_type: 'application/pdf',
  checksum_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size_bytes: 184_320,
};

const maxSourceMetadataBytes = 8 * 1024;

/** Metadata of every file of a source, as of a single file, but shorter, since it is stored with the source. */
export const SourceMetadata = JobMetadata.refine(
  (metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= maxSourceMetadataBytes,
  { error: 'the metadata of a source may have at most 8 KiB as JSON' },
);

/** File that replaces that of a job, or whose content the service has. */
export const FileReplacement = z
  .object(fileFields)
  .meta({ id: 'FileReplacement', description: 'A file that replaces that of a job.', examples: [uploadExample] });
export type FileReplacement = z.output<typeof FileReplacement>;

const OnDuplicate = z
  .enum(['keep', 'skip', 'replace'])
  .meta({ id: 'OnDuplicate', description: 'What happens if a file of the index has the same name.' });
export type OnDuplicate = z.output<typeof OnDuplicate>;

export const FileUploadCreate = z
  .object({
    ...fileFields,
    on_duplicate: OnDuplicate.optional().describe(
      'If a file of the index has the same name: `keep`, the default, stores both. `skip` returns its job, with status 200, if the checksum is equal too. `replace` replaces the newest one, even if that is unfinished. `skip` and `replace` need `checksum_sha256`.',
    ),
  })
  .superRefine(
    ({ checksum_sha256, on_duplicate = 'keep' }: Readonly<Record<string, unknown>>, context) => {
      if (on_duplicate === 'keep' || checksum_sha256 != null) return;
      context.addIssue({ code: 'invalid_type', expected: 'string', path: ['checksum_sha256'], input: undefined });
    },
    // Runs even if a field is invalid, so that all problems are reported at once.
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  )
  .meta({
    id: 'FileUploadCreate',
    description: 'A file to upload.',
    examples: [uploadExample, { ...uploadExample, on_duplicate: 'skip' }],
  });

/** Seconds for which an upload URL is valid. */
export const uploadSeconds = 900;

export const FileUploadResponse = z
  .object({
    id: z.string().describe('Id of the file job.'),
    upload_url: z.string().describe('URL for one PUT of the file.'),
    upload_headers: z.record(z.string(), z.string()).describe('Exact headers of the PUT.'),
    object_key: z.string().describe('Key of the file in the object store.'),
    replaces_job_id: z.string().nullable().default(null).describe('Job whose content the file replaces; null: none.'),
    expires_in_seconds: z.number().int().default(uploadSeconds).meta({
      description:
        'Seconds for which the URL is valid, counted from when it was created. A repeat under the same `Idempotency-Key` returns the same URL.',
    }),
  })
  .meta({
    id: 'FileUploadResponse',
    description: 'A file job that waits for its upload.',
    examples: [
      {
        id: exampleId('job'),
        upload_url: 'https://content.example.com/uploads/handbook?X-Amz-Signature=0123456789abcdef',
        upload_headers: { 'content-type': 'application/pdf', 'if-none-match': '*', 'x-amz-tagging': 'upload=pending' },
        object_key: uploadKey({ organizationId: exampleId('org'), indexId: exampleId('idx'), jobId: exampleId('job') }),
        replaces_job_id: null,
        expires_in_seconds: uploadSeconds,
      },
    ],
  });

/** Converts the checksum to the format of S3: base64 of the 32 bytes. */
export const checksumAsBase64 = (checksum: string): string =>
  checksum.length === 64 ? Buffer.from(checksum, 'hex').toString('base64') : checksum;

/** Key of the object with a task's rows for the log of the index. */
export const batchKey = (
  { organizationId, indexId, id }: Pick<JobRecord, 'organizationId' | 'indexId' | 'id'>,
  ordinal: number,
): string => jobBatchKey({ organizationId, indexId, jobId: id }, ordinalText(ordinal));

/** Key of the object with the units that planning has read. */
export const unitsKey = (
  { organizationId, indexId, id }: Pick<JobRecord, 'organizationId' | 'indexId' | 'id'>,
  digest: string,
): string => jobUnitsKey({ organizationId, indexId, jobId: id }, digest);

/** Key of the text that a task has read. */
export const taskTextKey = (
  { organizationId, indexId, id }: Pick<JobRecord, 'organizationId' | 'indexId' | 'id'>,
  ordinal: number,
  format: TextFormat,
): string => jobTextKey({ organizationId, indexId, jobId: id }, ordinalText(ordinal), format);

/** Key of the sections that a task has read. */
export const partSectionsKey = (
  { organizationId, indexId }: Pick<JobRecord, 'organizationId' | 'indexId'>,
  { jobId, ordinal }: FilePart,
): string => jobSectionsKey({ organizationId, indexId, jobId }, ordinalText(ordinal));

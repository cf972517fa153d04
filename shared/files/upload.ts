import * as z from 'zod';
import { Metadata } from '../http/metadata.ts';
import { chunkProblems } from '../platform/extract/chunk/chunk-options.ts';
import { exampleId } from '../http/examples.ts';
import { jobBatchKey, jobUnitsKey, uploadKey } from '../kernel/content-keys.ts';
import { ownNames } from '../kernel/row-metadata.ts';
import { type JobRecord, ordinalText } from './record.ts';

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controlOrBidi = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A file name as a label: it never becomes part of a path that the service reads. */
const Filename = z
  .string()
  .min(1)
  .max(255, { abort: true })
  .refine((name) => !/(^|[/\\])\.\.?([/\\]|$)/.test(name), { error: 'a file name may not point to another folder' })
  .refine((name) => !controlOrBidi.test(name), { error: 'a file name may not hold control or direction characters' });

/** Kept with every row of the file; two keys say how its text is cut. */
const JobMetadata = Metadata.superRefine((metadata, context) => {
  for (const message of chunkProblems(metadata)) context.addIssue({ code: 'custom', message, input: metadata });
}).describe(
  `Kept with every chunk of the file; at most 40 KiB as JSON. \`chunk_size\` and \`chunk_overlap\`, in characters, say how its text is cut. The names under which a chunk tells where it stands belong to the service, and what it tells replaces a value that is given here: ${ownNames.map((name) => `\`${name}\``).join(', ')}.`,
);

/** SHA-256 of the file as 64 hexadecimal digits or as base64. */
const Checksum = z.string().refine((value) => /^[0-9a-fA-F]{64}$/.test(value) || /^[A-Za-z0-9+/]{43}=$/.test(value), {
  error: 'a SHA-256 checksum has 64 hexadecimal digits, or 44 characters of base64',
});

export const FileUploadCreate = z
  .object({
    filename: Filename.describe('Name of the file. It may decide between kinds of text.'),
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
      .describe('SHA-256 of the file in hexadecimal digits or base64. The address takes no other file then.'),
    size_bytes: z
      .number()
      .int()
      .min(0)
      .nullable()
      .optional()
      .describe(
        'Exact size of the file. The address takes no other then, and a file that is larger than the plan allows is refused before it is sent.',
      ),
    metadata: JobMetadata.default({}).meta({ id: 'FileMetadata' }),
  })
  .meta({
    id: 'FileUploadCreate',
    description: 'A file to upload.',
    examples: [
      {
        filename: 'handbook.pdf',
        content_type: 'application/pdf',
        checksum_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        size_bytes: 184_320,
      },
    ],
  });

/** Seconds for which an upload address is valid. */
export const uploadSeconds = 900;

export const FileUploadResponse = z
  .object({
    id: z.string().describe('Id of the file job.'),
    upload_url: z.string().describe('Address for a PUT of the file, once.'),
    upload_headers: z.record(z.string(), z.string()).describe('Headers that the PUT must have, exactly.'),
    object_key: z.string().describe('Key of the file in the object store.'),
    replaces_job_id: z.string().nullable().default(null).describe('Job whose content the file replaces; null: none.'),
    expires_in_seconds: z.number().int().default(uploadSeconds).meta({
      description:
        'Seconds for which the address is valid. They count from when the address was made, also where the answer is one that was kept.',
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

/** The checksum as S3 wants it: base64 of the 32 bytes. */
export const checksumAsBase64 = (checksum: string): string =>
  checksum.length === 64 ? Buffer.from(checksum, 'hex').toString('base64') : checksum;

/** Where the rows of a task wait for the log of the index. */
export const batchKey = (
  { organizationId, indexId, id }: Pick<JobRecord, 'organizationId' | 'indexId' | 'id'>,
  ordinal: number,
): string => jobBatchKey({ organizationId, indexId, jobId: id }, ordinalText(ordinal));

/** Where the units of a job's file lie that planning has read. */
export const unitsKey = (
  { organizationId, indexId, id }: Pick<JobRecord, 'organizationId' | 'indexId' | 'id'>,
  digest: string,
): string => jobUnitsKey({ organizationId, indexId, jobId: id }, digest);

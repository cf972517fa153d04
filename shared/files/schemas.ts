import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { textFormats, uploadKey } from '../kernel/content-keys.ts';
import { pageQueryOf } from '../http/pagination.ts';
import { ErrorReason } from '../pipeline/processing.ts';

/** Source of a job's file. */
const JobSource = z
  .enum(['upload', 'import', 'crawl', 'connector'])
  .meta({ id: 'FileJobSource', description: 'Where the file of a job came from.' });

/**
 * `awaiting_upload → queued → processing → completed | completed_with_warnings | failed`. The others end a job early.
 */
export const JobStatus = z
  .enum([
    'awaiting_upload',
    'queued',
    'processing',
    'completed',
    'completed_with_warnings',
    'failed',
    'cancelled',
    'expired',
    'superseded',
  ])
  .meta({
    id: 'FileJobStatus',
    description:
      '`awaiting_upload`, `queued`, `processing`, then `completed`, `completed_with_warnings` or `failed`. `cancelled`: by a caller; `expired`: never uploaded; `superseded`: a replacement completed.',
  });
export type JobStatus = z.infer<typeof JobStatus>;

/** Reason of a job without content. The event of a failed job has one of the other two. */
const JobErrorCode = z.enum([...ErrorReason.options, 'key_revoked']).meta({
  id: 'FileJobErrorCode',
  description:
    'Reason of a failed or cancelled job: the file could not be processed, the monthly credits for OCR or transcription are used up, or the credential that requested the upload was revoked before the file arrived.',
});
export type JobErrorCode = z.infer<typeof JobErrorCode>;

const TaskStatus = z
  .enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
  .meta({ id: 'FileTaskStatus', description: '`queued`, then `running`, then `completed`, `failed` or `cancelled`.' });

/** File job in responses. */
export const FileJobResponse = z
  .object({
    id: z.string().describe('Id of the job.'),
    index_id: z.string().describe('Id of the index that the file goes into.'),
    filename: z.string().describe('Name of the file.'),
    content_type: z.string().describe('Media type that was declared or detected.'),
    source: JobSource.describe('Where the file came from.'),
    status: JobStatus.describe('How far the job is.'),
    size_bytes: z.number().int().nullable().describe('Size of the file; null while it is not known.'),
    checksum_sha256: z.string().nullable().describe('SHA-256 of the file in base64; null while it is not known.'),
    object_key: z.string().describe('Key of the file in the object store.'),
    tasks_total: z.number().int().describe('Tasks that the file was split into; 0 before it is planned.'),
    tasks_completed: z.number().int().describe('Tasks that have completed.'),
    chunks_written: z.number().int().describe('Chunks of text in the index.'),
    vectors_written: z.number().int().describe('Vectors in the index.'),
    serverless_invocations: z.number().int().meta({
      description:
        'Distinct function invocations that worked on the job, retries included. In a list, a running job does not include those of its tasks.',
    }),
    replaces_job_id: z.string().nullable().describe('Job whose content this one replaces; null: none.'),
    replaced_by_job_id: z.string().nullable().describe('Job that has replaced the content of this one; null: none.'),
    error: z
      .string()
      .nullable()
      .describe('Why the job failed, or which content was not read, for people; null if there is nothing to report.'),
    error_code: JobErrorCode.nullable().describe('Why the job failed or was cancelled by the service; null otherwise.'),
    metadata: ParsedObject.describe('Metadata that every chunk of the file has.'),
    created_at: z.iso.datetime().describe('When the job was created.'),
    started_at: z.iso.datetime().nullable().describe('When processing began; null before.'),
    completed_at: z.iso.datetime().nullable().describe('When the job ended; null before.'),
    expires_at: z.iso.datetime().optional().describe('When the file is removed with its rows, if it expires.'),
  })
  .meta({
    id: 'FileJobResponse',
    description: 'A job that turns a file into rows of an index.',
    examples: [
      {
        id: exampleId('job'),
        index_id: exampleId('idx'),
        filename: 'handbook.pdf',
        content_type: 'application/pdf',
        source: 'upload',
        status: 'completed',
        size_bytes: 184_320,
        checksum_sha256: 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
        object_key: uploadKey({ organizationId: exampleId('org'), indexId: exampleId('idx'), jobId: exampleId('job') }),
        tasks_total: 1,
        tasks_completed: 1,
        chunks_written: 96,
        vectors_written: 96,
        serverless_invocations: 3,
        replaces_job_id: null,
        replaced_by_job_id: null,
        error: null,
        error_code: null,
        metadata: {},
        created_at: exampleTime,
        started_at: exampleTime,
        completed_at: exampleTime,
      },
    ],
  });
export type FileJobResponse = z.infer<typeof FileJobResponse>;

/** Query of a list of jobs. */
export const FileListQuery = pageQueryOf('job').extend({
  status: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(JobStatus).max(9))
    .optional()
    .meta({
      description: 'Only jobs in one of these states, separated by commas.',
      jsonSchema: { type: 'string' },
      examples: ['failed,completed_with_warnings'],
    }),
  source: JobSource.optional().describe('Only jobs whose file came from there.'),
  q: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'Only jobs whose file name contains this text, in any case.' }),
});

/** Seconds for which a download URL is valid. */
export const downloadSeconds = 300;

export const FileDownload = z
  .object({
    url: z.string().describe('URL for a GET of the file.'),
    expires_in_seconds: z.number().int().describe('Seconds for which the URL is valid.'),
  })
  .meta({
    id: 'FileDownload',
    description: 'Where the original of a file job can be downloaded.',
    examples: [
      {
        url: 'https://content.example.com/uploads/handbook?X-Amz-Signature=0123456789abcdef',
        expires_in_seconds: downloadSeconds,
      },
    ],
  });

export const FileTextFormat = z
  .enum(textFormats)
  .meta({ id: 'FileTextFormat', description: 'Format of the text of a file.' });

export const FileTextResponse = z
  .object({
    format: FileTextFormat.describe('Format of the text.'),
    bytes: z.number().int().describe('UTF-8 bytes of the text.'),
    text: z.string().nullable().describe('The text; null if it has more than 4 MB.'),
    url: z.string().nullable().describe('URL for a GET of a longer text; null if `text` has it.'),
    expires_in_seconds: z.number().int().nullable().describe('Seconds for which the URL is valid; null without one.'),
  })
  .meta({
    id: 'FileText',
    description: 'Text of a file as it was read.',
    examples: [
      {
        format: 'markdown',
        bytes: 60,
        text: '# Tea\n\n## Brewing\n\nGreen tea is brewed at eighty degrees.',
        url: null,
        expires_in_seconds: null,
      },
    ],
  });

/** Task of a file job in responses. */
export const FileTaskResponse = z
  .object({
    id: z.string().meta({ examples: [exampleId('task')], description: 'Id of the task.' }),
    ordinal: z
      .number()
      .int()
      .meta({ examples: [1], description: 'Number of the task in its job, from 1.' }),
    status: TaskStatus.describe('How far the task is.'),
    created_at: z.iso.datetime().describe('When the task was created.'),
    page_start: z
      .number()
      .int()
      .nullable()
      .default(null)
      .describe('First page of the task; null if the file has no pages.'),
    page_end: z
      .number()
      .int()
      .nullable()
      .default(null)
      .describe('Last page of the task; null if the file has no pages.'),
    chunks_written: z.number().int().default(0).describe('Chunks of text that the task wrote.'),
    vectors_written: z.number().int().default(0).describe('Vectors that the task wrote.'),
    attempt_count: z.number().int().default(0).describe('Attempts that were made.'),
    error: z.string().nullable().default(null).describe('Why the task failed; null if it did not.'),
    started_at: z.iso.datetime().nullable().default(null).describe('When the first attempt began; null before.'),
    completed_at: z.iso.datetime().nullable().default(null).describe('When the task ended; null before.'),
  })
  .meta({
    id: 'FileTaskResponse',
    description: 'A part of a file job.',
    examples: [
      {
        id: exampleId('task'),
        ordinal: 1,
        status: 'completed',
        created_at: exampleTime,
        page_start: 1,
        page_end: 42,
        chunks_written: 96,
        vectors_written: 96,
        attempt_count: 1,
        error: null,
        started_at: exampleTime,
        completed_at: exampleTime,
      },
    ],
  });
export type FileTaskResponse = z.infer<typeof FileTaskResponse>;

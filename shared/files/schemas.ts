import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { uploadKey } from '../kernel/content-keys.ts';
import { ErrorReason } from '../pipeline/processing.ts';

/** Where the content of a job came from. */
const JobSource = z.enum(['upload', 'import', 'crawl', 'connector']);

/** `awaiting_upload → queued → processing → completed | completed_with_warnings | failed`; the others end a job early. */
export const JobStatus = z.enum([
  'awaiting_upload',
  'queued',
  'processing',
  'completed',
  'completed_with_warnings',
  'failed',
  'cancelled',
  'expired',
  'superseded',
]);
export type JobStatus = z.infer<typeof JobStatus>;

const TaskStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']);

/** A file job as callers see it. */
export const FileJobResponse = z
  .object({
    id: z.string(),
    index_id: z.string(),
    filename: z.string(),
    content_type: z.string(),
    source: JobSource,
    status: JobStatus,
    size_bytes: z.number().int().nullable(),
    checksum_sha256: z.string().nullable(),
    object_key: z.string(),
    tasks_total: z.number().int(),
    tasks_completed: z.number().int(),
    chunks_written: z.number().int(),
    vectors_written: z.number().int(),
    serverless_invocations: z.number().int().meta({
      description:
        'Distinct runs of functions that worked on the job, retries included. Of a job that still runs, a list leaves those of its tasks out.',
    }),
    replaces_job_id: z.string().nullable(),
    replaced_by_job_id: z.string().nullable(),
    error: z.string().nullable(),
    error_code: ErrorReason.nullable(),
    metadata: ParsedObject,
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'FileJobResponse',
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

/** One task of a job as callers see it. */
export const FileTaskResponse = z
  .object({
    id: z.string().meta({ examples: [exampleId('task')] }),
    ordinal: z
      .number()
      .int()
      .meta({ examples: [1] }),
    status: TaskStatus,
    created_at: z.iso.datetime(),
    page_start: z.number().int().nullable().default(null),
    page_end: z.number().int().nullable().default(null),
    chunks_written: z.number().int().default(0),
    vectors_written: z.number().int().default(0),
    attempt_count: z.number().int().default(0),
    error: z.string().nullable().default(null),
    started_at: z.iso.datetime().nullable().default(null),
    completed_at: z.iso.datetime().nullable().default(null),
  })
  .meta({
    id: 'FileTaskResponse',
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

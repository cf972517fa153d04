import * as z from 'zod';
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
    serverless_invocations: z.number().int(),
    replaces_job_id: z.string().nullable(),
    replaced_by_job_id: z.string().nullable(),
    error: z.string().nullable(),
    error_code: ErrorReason.nullable(),
    metadata: z.record(z.string(), z.json()),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FileJobResponse' });
export type FileJobResponse = z.infer<typeof FileJobResponse>;

/** One task of a job as callers see it. */
export const FileTaskResponse = z
  .object({
    id: z.string(),
    ordinal: z.number().int(),
    status: TaskStatus,
    created_at: z.iso.datetime(),
    page_start: z.number().int().nullable(),
    page_end: z.number().int().nullable(),
    chunks_written: z.number().int(),
    vectors_written: z.number().int(),
    attempt_count: z.number().int(),
    error: z.string().nullable(),
    started_at: z.iso.datetime().nullable(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'FileTaskResponse' });
export type FileTaskResponse = z.infer<typeof FileTaskResponse>;

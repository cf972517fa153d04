import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Progress } from './progress.ts';
import type { Service } from './service.ts';

const Upload = z.object({ id: z.string(), upload_url: z.string(), upload_headers: z.record(z.string(), z.string()) });

const Detail = z.object({
  job: z.object({
    status: z.string(),
    error: z.string().nullable(),
    tasks_total: z.number(),
    vectors_written: z.number(),
    chunks_written: z.number(),
  }),
  processing: z.object({
    serverless_invocations: z.number(),
    end_to_end_latency_ms: z.number(),
    path: z.array(z.object({ phase: z.string(), duration_ms: z.number(), attributes: z.record(z.string(), z.json()) })),
  }),
  tasks: z.array(
    z.object({
      status: z.string(),
      embedding_tokens: z.number(),
      trace: z.array(z.object({ phase: z.string(), attributes: z.record(z.string(), z.json()) })),
    }),
  ),
});
export type Detail = z.infer<typeof Detail>;

const contentTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain',
};

const pollMs = 200;
const endedStatuses = new Set(['completed', 'completed_with_warnings', 'failed', 'cancelled']);

/** Puts a file where the service asked for it, with exactly the headers that came with the address. */
const upload = async (service: Service, indexId: string, file: string): Promise<string> => {
  const bytes = await readFile(file);
  const job = await service.ask('POST', `/v1/indexes/${indexId}/files`, Upload, {
    filename: basename(file),
    content_type: contentTypes[extname(file).toLowerCase()] ?? 'application/octet-stream',
    checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const answer = await fetch(job.upload_url, { method: 'PUT', headers: job.upload_headers, body: bytes });
  if (!answer.ok) throw new Error(`the upload was refused with ${answer.status}: ${await answer.text()}`);
  return job.id;
};

const tasksWith = (detail: Detail, phase: string): number =>
  detail.tasks.filter(({ trace }) => trace.some((step) => step.phase === phase)).length;

const showTasks = (progress: Progress, detail: Detail): void => {
  const total = detail.job.tasks_total;
  if (total === 0) return;
  progress.set('plan', total, total);
  progress.set('extract', tasksWith(detail, 'content.extract'), total);
  progress.set('embed', tasksWith(detail, 'embedding.generate'), total);
  progress.set('write', detail.tasks.filter(({ status }) => status === 'completed').length, total);
};

/** Uploads a file and follows its job to the end. Throws with the job's own words where it did not complete. */
export const indexFile = async (
  service: Service,
  indexId: string,
  file: string,
  progress: Progress,
): Promise<Detail> => {
  progress.set('upload', 0, 1);
  const jobId = await upload(service, indexId, file);
  progress.set('upload', 1, 1);
  for (;;) {
    const detail = await service.ask('GET', `/v1/indexes/${indexId}/files/${jobId}/processing`, Detail);
    showTasks(progress, detail);
    if (endedStatuses.has(detail.job.status)) {
      if (detail.job.status !== 'completed')
        throw new Error(
          `the job ended as ${detail.job.status}: ${detail.job.error ?? 'no text was found in the file'}`,
        );
      return detail;
    }
    await pause(pollMs);
  }
};

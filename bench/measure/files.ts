import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince } from '../peers/peer.ts';
import type { Service } from '../peers/service.ts';
import { createIndex, itemOf } from '../peers/strata.ts';
import type { VectorSet } from '../data/vectors.ts';

/** All vectors of a set, written as one file of JSON Lines. */
export interface FileRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly bytes: number;
  /** Time from the request for an upload to the end of the job. */
  readonly seconds: number;
}

interface Upload {
  readonly id: string;
  readonly upload_url: string;
  readonly upload_headers: Readonly<Record<string, string>>;
}

interface Job {
  readonly status: string;
  readonly vectors_written: number;
  readonly error: string | null;
}

/** Time between two polls of the job. */
const pauseMs = 100;

const upload = async (service: Service, files: string, body: Buffer<ArrayBuffer>): Promise<Upload> => {
  const asked = { filename: 'vectors.jsonl', content_type: 'application/x-ndjson' };
  const started = (await service.call('POST', files, asked)) as Upload;
  const { ok, status } = await fetch(started.upload_url, { method: 'PUT', headers: started.upload_headers, body });
  if (!ok) throw new Error(`the upload was answered with ${status}`);
  return started;
};

const ended = async (service: Service, file: string): Promise<Job> => {
  for (;;) {
    const job = (await service.call('GET', file)) as Job;
    if (job.status === 'completed') return job;
    if (job.status === 'failed') throw new Error(`the file was not written: ${job.error}`);
    await delay(pauseMs);
  }
};

/** Sends all vectors as one file to an empty index and waits until they are written. */
export const measureFile = async (service: Service, { base }: VectorSet): Promise<FileRow> => {
  const { count: rows, dimensions } = base;
  const index = await createIndex(service, dimensions);
  const lines = Array.from({ length: rows }, (_, row) => `${JSON.stringify(itemOf(base, row))}\n`);
  const body = Buffer.from(lines.join(''));
  const files = `/v1/indexes/${index.id}/files`;
  const startedMs = performance.now();
  const { id } = await upload(service, files, body);
  const job = await ended(service, `${files}/${id}`);
  const seconds = secondsSince(startedMs);
  if (job.vectors_written !== rows) throw new Error(`${job.vectors_written} vectors of the file were written`);
  await index.waitUntilIdle();
  await service.call('DELETE', `/v1/indexes/${index.id}`);
  return { rows, dimensions, bytes: body.length, seconds };
};

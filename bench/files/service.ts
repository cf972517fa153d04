import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type StrataClient } from '#client';
import { moveToLargestPlan, signIn } from '../peers/service.ts';

/** An organization of a run of `npm start`, whose plan has no rate limit. */
export interface Organization {
  readonly id: string;
  readonly api: StrataClient;
}

/** Signs a new user in, and moves their organization to the largest plan. */
export const openOrganization = async (baseUrl: string): Promise<Organization> => {
  const { token, organizationId: id } = await signIn(baseUrl);
  await moveToLargestPlan(baseUrl, id);
  const { token: key } = await createClient({ baseUrl, token }).post('/v1/api-keys', { body: { name: 'bench' } });
  return { id, api: createClient({ baseUrl, token: key, retries: 0 }) };
};

/** A file to upload. */
export interface BenchFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Uploads a file, waits until its job has ended, and returns the seconds. Throws if the job failed. */
export const readFile = async ({ api }: Organization, indexId: string, file: BenchFile): Promise<number> => {
  const startedMs = performance.now();
  const { id } = await api.uploadFile(indexId, file);
  for (;;) {
    const job = await api.get('/v1/indexes/{index_id}/files/{job_id}', {
      params: { path: { index_id: indexId, job_id: id } },
    });
    if (job.status === 'failed') throw new Error(`${file.filename}: ${job.error}`);
    if (job.status.startsWith('completed')) return (performance.now() - startedMs) / 1000;
    await delay(100);
  }
};

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient, type StrataClient } from '../../client/index.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';

/** An organization of a run of `npm start`, whose plan bounds no rate. */
export interface Organization {
  readonly id: string;
  readonly api: StrataClient;
}

interface SignedIn {
  readonly id_token: string;
  readonly session_token: string;
  readonly token: string;
  readonly organizations: readonly { readonly organization_id: string }[];
}

const post = async (baseUrl: string, path: string, token: string, body: object): Promise<SignedIn> => {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  // Each of the requests answers with some of it.
  return (await answer.json()) as SignedIn;
};

/** Signs a new person in, and moves their organization to the largest plan. */
export const openOrganization = async (baseUrl: string): Promise<Organization> => {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const { id_token } = await post(baseUrl, '/_local/id-token', '', { email, name: 'Bench' });
  const { session_token, organizations } = await post(baseUrl, '/v1/auth/bootstrap', id_token, {});
  const id = organizations[0]?.organization_id ?? '';
  const { token } = await post(baseUrl, '/v1/api-keys', session_token, { name: 'bench' });
  const plan = ['scripts/set-plan.ts', '--local', baseUrl, '--organization', id, '--plan', 'enterprise'];
  await promisify(execFile)(process.execPath, plan, { cwd: projectDirectory });
  return { id, api: createClient({ baseUrl, token, retries: 0 }) };
};

/** A file to upload. */
export interface BenchFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Uploads a file and waits until its job has ended; the seconds that took. Throws if the job failed. */
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

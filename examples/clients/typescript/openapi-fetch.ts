// Uploads a file, waits until it can be found, searches it in three ways and deletes it.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type FileJobStatus = components['schemas']['FileJobStatus'];

const { STRATA_URL: baseUrl = '', STRATA_API_KEY: key = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** Returns the body of a response; throws if the request was refused. */
const bodyOf = <Body>({ data, error }: { data?: Body; error?: unknown }): Body => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const text = 'Green tea is brewed at eighty degrees. Black tea takes boiling water.';
const query = { text: 'how hot is the water for tea', top_k: 3 };
const running: readonly FileJobStatus[] = ['awaiting_upload', 'queued', 'processing'];

const { id: index_id } = bodyOf(await client.POST('/v1/indexes', { body: { name: 'openapi-fetch' } }));
const inIndex = { params: { path: { index_id } } };
const file = { filename: 'tea.txt', content_type: 'text/plain' };
const job = bodyOf(await client.POST('/v1/indexes/{index_id}/files', { ...inIndex, body: file }));
// Only a request with `on_duplicate: skip` may return a job without an upload.
if (!('upload_url' in job)) throw new Error(`job ${job.id} awaits no upload`);
const upload = await fetch(job.upload_url, { method: 'PUT', headers: job.upload_headers, body: text });
if (!upload.ok) throw new Error(`upload: ${upload.status}`);

const ofJob = { params: { path: { index_id, job_id: job.id } } };
let status: FileJobStatus = 'queued';
while (running.includes(status)) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  ({ status } = bodyOf(await client.GET('/v1/indexes/{index_id}/files/{job_id}', ofJob)));
}
if (status !== 'completed') throw new Error(`the job is ${status}`);

for (const kind of ['dense', 'sparse', 'hybrid'] as const) {
  const { results } = bodyOf(await client.POST(`/v1/indexes/{index_id}/search/${kind}`, { ...inIndex, body: query }));
  const [first] = results;
  if (first === undefined) throw new Error(`${kind} search found nothing`);
  console.log(`${kind}: ${first.text} (${first.score.toFixed(4)}, ${first.file?.filename})`);
}

await client.DELETE('/v1/indexes/{index_id}/files/{job_id}', ofJob);
await client.DELETE('/v1/indexes/{index_id}', inIndex);
console.log('deleted');

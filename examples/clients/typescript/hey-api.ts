// Uploads a file, waits until it can be found, searches it in three ways and deletes it.
import { client } from './client/client.gen.ts';
import {
  createFile,
  createIndex,
  deleteFile,
  deleteIndex,
  denseSearch,
  type FileJobStatus,
  getFile,
  hybridSearch,
  sparseSearch,
} from './client/index.ts';

const { STRATA_URL: baseUrl = '', STRATA_API_KEY: key = '' } = process.env;
client.setConfig({ baseUrl, auth: key, throwOnError: true });

const text = 'Green tea is brewed at eighty degrees. Black tea takes boiling water.';
const query = { text: 'how hot is the water for tea', top_k: 3 };
const running: readonly FileJobStatus[] = ['awaiting_upload', 'queued', 'processing'];

const { data: index } = await createIndex({ body: { name: 'hey-api' }, throwOnError: true });
const path = { index_id: index.id };
const file = { filename: 'tea.txt', content_type: 'text/plain' };
const { data: job } = await createFile({ path, body: file, throwOnError: true });
// Only a request with `on_duplicate: skip` may return a job without an upload.
if (!('upload_url' in job)) throw new Error(`job ${job.id} awaits no upload`);
const upload = await fetch(job.upload_url, { method: 'PUT', headers: job.upload_headers, body: text });
if (!upload.ok) throw new Error(`upload: ${upload.status}`);

const ofJob = { ...path, job_id: job.id };
let status: FileJobStatus = 'queued';
while (running.includes(status)) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  ({ status } = (await getFile({ path: ofJob, throwOnError: true })).data);
}
if (status !== 'completed') throw new Error(`the job is ${status}`);

for (const search of [denseSearch, sparseSearch, hybridSearch]) {
  const { data } = await search({ path, body: query, throwOnError: true });
  const [first] = data.results;
  if (first === undefined) throw new Error(`${search.name} found nothing`);
  console.log(`${search.name}: ${first.text} (${first.score.toFixed(4)}, ${first.file?.filename})`);
}

await deleteFile({ path: ofJob });
await deleteIndex({ path });
console.log('deleted');

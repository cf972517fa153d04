// `npm run bench:move`: many files into one index, then its export and import into another one, compared row by row.
import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parquetReadObjects } from 'hyparquet';
import { startService } from '../scripts/support/start-service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { seededRandom } from './data/random.ts';
import { serveInstantModel } from './files/instant-model.ts';
import { readHealth, samplePeaks } from './files/process-memory.ts';
import { openOrganization, type Organization } from './files/service.ts';
import { markdownTable, whole } from './report/table.ts';

const usage = `npm run bench:move -- [options]

Uploads text files to an index, with a model server that responds at once. Then exports the index, imports the files into
another index, exports that too, and compares ids, texts, metadata and vectors of all rows. Prints the time, the requests
to AWS and the memory of each step.

  --rows N         default 20000
  --file-rows N    rows of one file (default 10000)
  --dimensions N   default 384
  --engine NAME    of the first index: s3_vectors (default) or lance
  --to NAME        of the second index: s3_vectors (default) or lance
  --keep DIR       data directory, which is kept (default: a temporary one)
`;

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '20000' },
    'file-rows': { type: 'string', default: '10000' },
    dimensions: { type: 'string', default: '384' },
    engine: { type: 'string', default: 's3_vectors' },
    to: { type: 'string', default: 's3_vectors' },
    keep: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

type Engine = 'lance' | 's3_vectors';

const [rows, fileRows, dimensions] = [Number(values.rows), Number(values['file-rows']), Number(values.dimensions)];
const engineOf = (name: string): Engine => (name === 'lance' ? 'lance' : 's3_vectors');

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const vocabularySize = 20_000;
const random = seededRandom(7);
/** A word, the common ones more often. */
const word = (): string => `w${Math.floor(vocabularySize * random() ** 3).toString(36)}`;

/** Characters of a chunk, so that each paragraph is one. */
const chunkSize = 200;

const paragraph = (nth: number): string => `Note ${nth}. ${Array.from({ length: 28 }, word).join(' ')}.`;

const fileOf = (from: number, count: number): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(Array.from({ length: count }, (_, at) => `${paragraph(from + at)}\n\n`).join(''));

type Counts = Readonly<Record<string, number>>;

interface Step {
  readonly name: string;
  readonly rows: number;
  readonly seconds: number;
  readonly requests: Counts;
}

interface Bench {
  readonly organization: Organization;
  readonly baseUrl: string;
  readonly peaks: Map<string, number>;
  readonly steps: Step[];
}

const countRequests = async (baseUrl: string): Promise<Counts> => {
  const { requests } = (await (await fetch(`${baseUrl}/_local/requests`)).json()) as { readonly requests: Counts };
  return requests;
};

/** Waits until `isDone`, and samples the memory of the processes meanwhile. */
const waitFor = async ({ baseUrl, peaks }: Bench, isDone: () => Promise<boolean>): Promise<void> => {
  do {
    await delay(1_000);
    samplePeaks(await readHealth(baseUrl), peaks);
  } while (!(await isDone()));
};

const timed = async (bench: Bench, name: string, stepRows: number, work: () => Promise<void>): Promise<void> => {
  const [before, startedMs] = [await countRequests(bench.baseUrl), performance.now()];
  await work();
  const [after, seconds] = [await countRequests(bench.baseUrl), (performance.now() - startedMs) / 1000];
  const requests = Object.fromEntries(
    Object.entries(after).flatMap(([key, count]) =>
      count === before[key] ? [] : [[key, count - (before[key] ?? 0)] as const],
    ),
  );
  bench.steps.push({ name, rows: stepRows, seconds, requests });
  say(`${name}: ${seconds.toFixed(1)} s, ${whole(stepRows / seconds)} rows/s`);
};

const createIndex = async ({ organization: { api } }: Bench, name: string, engine: Engine): Promise<string> =>
  (await api.post('/v1/indexes', { body: { name, dimensions, engine } })).id;

/** Waits until no file of an index is open any more. Throws if one failed. */
const waitForFiles = async (bench: Bench, indexId: string, wanted: number): Promise<void> => {
  const { api } = bench.organization;
  const params = { path: { index_id: indexId } };
  let last = -1;
  await waitFor(bench, async () => {
    const { vectors } = await api.get('/v1/indexes/{index_id}/stats', { params });
    const query = { status: 'failed', limit: 1 } as const;
    const [failed] = await api.get('/v1/indexes/{index_id}/files', { params: { ...params, query } });
    if (failed !== undefined) throw new Error(`${failed.filename}: ${failed.error}`);
    const part = Math.floor((20 * vectors) / wanted);
    if (part !== last) say(`  ${vectors} rows`);
    last = part;
    return vectors >= wanted;
  });
};

const upload = async (bench: Bench, indexId: string): Promise<void> => {
  const { api } = bench.organization;
  for (let from = 0; from < rows; from += fileRows) {
    await api.uploadFile(indexId, {
      filename: `notes-${from}.txt`,
      contentType: 'text/plain',
      content: fileOf(from, Math.min(fileRows, rows - from)),
      metadata: { chunk_size: chunkSize, chunk_overlap: 0, source: 'bench' },
    });
  }
  await waitForFiles(bench, indexId, rows);
};

const exportIndex = async (bench: Bench, indexId: string): Promise<string> => {
  const { api } = bench.organization;
  const path = { index_id: indexId };
  const { id } = await api.post('/v1/indexes/{index_id}/exports', { params: { path }, body: { format: 'parquet' } });
  const params = { path: { ...path, export_id: id } };
  await waitFor(bench, async () => {
    const { status, error } = await api.get('/v1/indexes/{index_id}/exports/{export_id}', { params });
    if (status === 'failed') throw new Error(`the export failed: ${error}`);
    return status === 'completed';
  });
  return id;
};

interface ParquetRow {
  readonly id: string;
  readonly vector: readonly number[];
  readonly text: string | null;
  readonly metadata: string;
}

/** Returns a digest of each row of an export by id. */
const digestsOf = async ({ organization: { api } }: Bench, indexId: string, exportId: string) => {
  const params = { path: { index_id: indexId, export_id: exportId } };
  const { parts } = await api.get('/v1/indexes/{index_id}/exports/{export_id}', { params });
  const digests = new Map<string, string>();
  for (const { url } of parts) {
    const file = await (await fetch(url)).arrayBuffer();
    for (const { id, vector, text, metadata } of (await parquetReadObjects({ file })) as ParquetRow[]) {
      if (digests.has(id)) throw new Error(`the id ${id} is exported twice`);
      digests.set(id, hash('sha256', JSON.stringify([Array.from(vector), text, metadata]), 'base64url').slice(0, 16));
    }
  }
  return digests;
};

const run = async (bench: Bench): Promise<void> => {
  const { api } = bench.organization;
  const first = await createIndex(bench, 'first', engineOf(values.engine));
  await timed(bench, `files into ${values.engine}`, rows, () => upload(bench, first));
  const { vectors: written } = await api.get('/v1/indexes/{index_id}/stats', { params: { path: { index_id: first } } });
  let exportId = '';
  await timed(bench, 'export', written, async () => {
    exportId = await exportIndex(bench, first);
  });
  const second = await createIndex(bench, 'second', engineOf(values.to));
  await timed(bench, `import into ${values.to}`, written, async () => {
    const body = { provider: 'export', uri: `${first}/${exportId}` } as const;
    await api.post('/v1/indexes/{index_id}/imports', { params: { path: { index_id: second } }, body });
    await waitForFiles(bench, second, written);
  });
  let otherExportId = '';
  await timed(bench, 'export of the second', written, async () => {
    otherExportId = await exportIndex(bench, second);
  });
  const one = await digestsOf(bench, first, exportId);
  const other = await digestsOf(bench, second, otherExportId);
  const differing = [...one].filter(([id, digest]) => other.get(id) !== digest).length;
  const compared = `${one.size} and ${other.size} distinct rows exported, ${differing} differ`;
  say(compared);
  const { stdout } = process;
  const columns = [...new Set(bench.steps.flatMap(({ requests }) => Object.keys(requests)))].toSorted();
  const table = bench.steps.map((step) => [
    step.name,
    step.seconds.toFixed(1),
    whole(step.rows / step.seconds),
    ...columns.map((column) => whole(step.requests[column] ?? 0)),
  ]);
  stdout.write(`\n${written} rows x ${dimensions}\n\n`);
  stdout.write(`${markdownTable(['Step', 'seconds', 'rows/s', ...columns], table)}\n\n`);
  const memory = [...bench.peaks].map(([name, mib]) => [name, mib.toFixed(0)]);
  stdout.write(`${markdownTable(['Process', 'Most memory (MiB)'], memory)}\n\n`);
  stdout.write(`${compared}\n`);
  if (one.size !== written || other.size !== written || differing > 0) process.exitCode = 1;
};

if (values.help) {
  process.stdout.write(usage);
} else {
  const directory = values.keep ?? (await mkdtemp(join(tmpdir(), 'strata-move-')));
  await writeFile(join(directory, 'secrets.json'), JSON.stringify({ 'embedding-api-key': 'none' }));
  const model = await serveInstantModel(dimensions);
  const service = startService({ dataDirectory: directory, parameters: model.parameters });
  try {
    const { base_url: baseUrl } = await service.ready;
    await run({ organization: await openOrganization(baseUrl), baseUrl, peaks: new Map(), steps: [] });
  } finally {
    await service.kill();
    model.close();
    if (values.keep === undefined) await rm(directory, { recursive: true, force: true });
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../scripts/support/start-service.ts';
import { openOrganization, type Organization } from './files/service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';

const usage = `npm run bench:large-file -- [options]

Reads one large file with a model server that answers at once. Prints when it is planned, when all of its tasks are read and
when its rows are written, and the most memory of the processes that plan and read it.

  --megabytes N   size of the file (default 200)
  --format F      txt or csv (default txt)
  --until U       read or written: when to stop (default read)
`;

const { values } = commandLine({
  options: {
    megabytes: { type: 'string', default: '200' },
    format: { type: 'string', default: 'txt' },
    until: { type: 'string', default: 'read' },
    help: { type: 'boolean', default: false },
  },
});

const dimensions = 8;

/** Serves an embedding model that returns meaningless vectors at once. */
const serveModel = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: readonly Buffer[]) => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: readonly string[] };
      const data = input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: Array.from({ length: dimensions }, (_, at) => (((text.codePointAt(at) ?? 1) % 97) + 1) / 97),
      }));
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ object: 'list', data, model: 'instant', usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
};

const words = 'harbour fog rain captain logbook compass night water engine north ship crew morning signal'.split(' ');
let state = 7;
const sentence = (): string =>
  `${Array.from({ length: 80 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return words[state % words.length];
  }).join(' ')}.`;

/** Text with no two equal paragraphs, so that every chunk is embedded. */
const contentOf = (format: string, bytes: number): Buffer<ArrayBuffer> => {
  const content = Buffer.alloc(bytes);
  let end = format === 'csv' ? content.write('id,ship,note\n') : 0;
  for (let nth = 1; end < bytes; nth += 1)
    end += content.write(format === 'csv' ? `${nth},Erna,${sentence()}\n` : `${nth}. ${sentence()}\n\n`, end);
  return content;
};

interface Health {
  readonly processes: readonly { readonly pid: number; readonly function: string }[];
  readonly queues: readonly {
    readonly name: string;
    readonly visible: number;
    readonly in_flight: number;
    readonly delayed: number;
  }[];
}

const numberIn = (file: string, pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

const childrenOf = (pid: number): readonly number[] => {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return list === '' ? [] : list.split(' ').map(Number);
  } catch {
    return [];
  }
};

/** Updates the maximum memory (MiB) of each kind of process. */
const sampleMemory = ({ processes }: Health, peaks: Map<string, number>): void => {
  const note = (name: string, pid: number): void => {
    const mib = numberIn(`/proc/${pid}/status`, /^VmHWM:\s+(\d+)/m) / 1024;
    peaks.set(name, Math.max(peaks.get(name) ?? 0, mib));
  };
  for (const { pid, function: name } of processes) {
    if (!['plan', 'file-task', 'index-writer'].includes(name)) continue;
    note(name, pid);
    for (const child of childrenOf(pid)) note(`${name}, reader of files`, child);
  }
};

const measure = async ({ api }: Organization, baseUrl: string): Promise<void> => {
  const index = await api.post('/v1/indexes', { body: { name: 'bench', dimensions } });
  const content = contentOf(values.format, Number(values.megabytes) * 1_000_000);
  const { id } = await api.uploadFile(index.id, {
    filename: `large.${values.format}`,
    contentType: values.format === 'csv' ? 'text/csv' : 'text/plain',
    content: new Blob([content]),
  });
  const startedMs = performance.now();
  const path = { index_id: index.id, job_id: id };
  const peaks = new Map<string, number>();
  const times = new Map<string, number>();
  const noteTime = (name: string): void => {
    if (times.has(name)) return;
    times.set(name, (performance.now() - startedMs) / 1000);
    process.stderr.write(`${name} after ${times.get(name)?.toFixed(1)} s\n`);
  };
  while (!times.has(values.until)) {
    await delay(1_000);
    const health = (await (await fetch(`${baseUrl}/_local/health`)).json()) as Health;
    sampleMemory(health, peaks);
    const job = await api.get('/v1/indexes/{index_id}/files/{job_id}', { params: { path } });
    if (job.status === 'failed') throw new Error(`the job failed: ${job.error}`);
    if (job.status !== 'processing' && !job.status.startsWith('completed')) continue;
    noteTime('planned');
    // A task leaves the queue once its rows are handed to the log.
    const { visible = 1, in_flight = 0, delayed = 0 } = health.queues.find(({ name }) => name.endsWith('-tasks')) ?? {};
    if (visible + in_flight + delayed === 0) noteTime('read');
    if (job.status.startsWith('completed')) noteTime('written');
  }
  const tasks = await api.get('/v1/indexes/{index_id}/files/{job_id}/tasks', { params: { path } });
  const { stdout } = process;
  stdout.write(
    `\n${content.length} bytes of ${values.format}, ${tasks.length} tasks\n\n| Step | Seconds since the upload |\n| --- | --- |\n`,
  );
  for (const [name, seconds] of times) stdout.write(`| ${name} | ${seconds.toFixed(1)} |\n`);
  stdout.write('\n| Process | Most memory (MiB) |\n| --- | --- |\n');
  for (const [name, mib] of peaks) stdout.write(`| ${name} | ${mib.toFixed(0)} |\n`);
};

if (values.help) {
  process.stdout.write(usage);
} else {
  const directory = await mkdtemp(join(tmpdir(), 'strata-large-file-'));
  await writeFile(join(directory, 'secrets.json'), JSON.stringify({ 'embedding-api-key': 'none' }));
  const model = await serveModel();
  const parameters = {
    EmbeddingProvider: 'openai',
    EmbeddingModel: 'instant',
    EmbeddingBaseUrl: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
  };
  const service = startService({ dataDirectory: directory, parameters });
  try {
    const { base_url: baseUrl } = await service.ready;
    await measure(await openOrganization(baseUrl), baseUrl);
  } finally {
    await service.kill();
    model.close();
    await rm(directory, { recursive: true, force: true });
  }
}

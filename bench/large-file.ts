import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../scripts/support/start-service.ts';
import { seededRandom } from './data/random.ts';
import { serveInstantModel } from './files/instant-model.ts';
import { readHealth, samplePeaks } from './files/process-memory.ts';
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

const words = 'harbour fog rain captain logbook compass night water engine north ship crew morning signal'.split(' ');
const random = seededRandom(7);
const word = (): string => words[Math.floor(random() * words.length)] ?? '';
const sentence = (): string => `${Array.from({ length: 80 }, word).join(' ')}.`;

/** Text with no two equal paragraphs, so that every chunk is embedded. */
const contentOf = (format: string, bytes: number): Buffer<ArrayBuffer> => {
  const content = Buffer.alloc(bytes);
  let end = format === 'csv' ? content.write('id,ship,note\n') : 0;
  for (let nth = 1; end < bytes; nth += 1)
    end += content.write(format === 'csv' ? `${nth},Erna,${sentence()}\n` : `${nth}. ${sentence()}\n\n`, end);
  return content;
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
    const health = await readHealth(baseUrl);
    samplePeaks(health, peaks);
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
  for (const [name, mib] of peaks)
    if (/^(plan|file-task|index-writer)/.test(name)) stdout.write(`| ${name} | ${mib.toFixed(0)} |\n`);
};

if (values.help) {
  process.stdout.write(usage);
} else {
  const directory = await mkdtemp(join(tmpdir(), 'strata-large-file-'));
  await writeFile(join(directory, 'secrets.json'), JSON.stringify({ 'embedding-api-key': 'none' }));
  const model = await serveInstantModel(dimensions);
  const service = startService({ dataDirectory: directory, parameters: model.parameters });
  try {
    const { base_url: baseUrl } = await service.ready;
    await measure(await openOrganization(baseUrl), baseUrl);
  } finally {
    await service.kill();
    model.close();
    await rm(directory, { recursive: true, force: true });
  }
}

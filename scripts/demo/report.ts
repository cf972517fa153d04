import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Detail } from './index-file.ts';
import type { Service } from './service.ts';

const Health = z.object({
  memory: z.object({ main_bytes: z.number(), total_bytes: z.number() }),
  processes: z.array(z.object({ busy: z.boolean() })),
});

const requests = 50;
const idleSeconds = 75;

const medianMs = async (request: (at: number) => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let at = 0; at < requests; at += 1) {
    const startedAt = performance.now();
    await request(at);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[requests / 2] ?? 0;
};

const line = (name: string, value: string): void => console.log(`  ${name.padEnd(34)} ${value}`);

/** What the job took, as the service itself accounts for it. */
export const reportJob = ({ job, processing, tasks }: Detail): void => {
  const pages = processing.path.find(({ phase }) => phase === 'content.extract')?.attributes['pages'];
  line(
    'pages, tasks, chunks, vectors',
    `${String(pages)}, ${job.tasks_total}, ${job.chunks_written}, ${job.vectors_written}`,
  );
  line('model tokens', String(tasks.reduce((sum, task) => sum + task.embedding_tokens, 0)));
  line('function invocations', String(processing.serverless_invocations));
  for (const { phase, duration_ms } of processing.path) line(phase, `${(duration_ms / 1000).toFixed(1)} s of work`);
  line('end to end', `${(processing.end_to_end_latency_ms / 1000).toFixed(1)} s`);
};

/** Warm latencies over HTTP, then memory once the service has been left alone for a while. */
export const reportService = async (service: Service, indexId: string, questions: readonly string[]): Promise<void> => {
  const text = (at: number): string => questions[at % questions.length] ?? '';
  const search = (mode: string) =>
    medianMs((at) => service.ask('POST', `/v1/indexes/${indexId}/search/${mode}`, z.unknown(), { text: text(at) }));
  line(
    'GET with a key, warm median',
    `${(await medianMs(() => service.ask('GET', `/v1/indexes/${indexId}`, z.unknown()))).toFixed(1)} ms`,
  );
  for (const mode of ['dense', 'sparse', 'hybrid'])
    line(`${mode} search, warm median`, `${(await search(mode)).toFixed(1)} ms`);
  console.log(`  waiting ${idleSeconds} s for the service to go idle`);
  await pause(idleSeconds * 1000);
  const { memory, processes } = await service.ask('GET', '/_local/health', Health);
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  line(
    'memory of the whole service, idle',
    `${mebibytes(memory.total_bytes)} (main process ${mebibytes(memory.main_bytes)}, ${processes.length} functions)`,
  );
};

import type { ProcessingDetail } from '#client';
import { questionWords, type Timings } from './measure.ts';
import type { LocalHealth } from './schemas.ts';

/** Results that the report shows. */
export interface Results {
  readonly detail: ProcessingDetail;
  /** Runs of workers that the host counted for the job. */
  readonly hostInvocations: number;
  readonly bytes: number;
  readonly bootMs: number;
  readonly uploadMs: number;
  readonly timings: Timings;
  readonly memory: LocalHealth['memory'];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

const pagesOf = ({ processing }: ProcessingDetail): number =>
  sum(processing.path.map(({ attributes }) => (typeof attributes['pages'] === 'number' ? attributes['pages'] : 0)));

/** Figures that are counted apart from each other and have to be the same. @throws Error that names those that are not. */
export const checkFigures = (
  { job, tasks, processing }: ProcessingDetail,
  event: { readonly vectors: number | undefined; readonly invocations: number | undefined },
  hostInvocations: number,
): void => {
  const pairs: readonly (readonly [string, number | undefined, number])[] = [
    ['vectors of the tasks', sum(tasks.map(({ vectors_written: vectors }) => vectors)), job.vectors_written],
    ['chunks of the tasks', sum(tasks.map(({ chunks_written: chunks }) => chunks)), job.chunks_written],
    ['vectors in the event', event.vectors, job.vectors_written],
    ['tasks that are done', job.tasks_completed, job.tasks_total],
    ['invocations in the event', event.invocations, processing.serverless_invocations],
    ['invocations that the host counted', hostInvocations, processing.serverless_invocations],
  ];
  const wrong = pairs.filter(([, one, other]) => one !== other);
  if (wrong.length === 0) return;
  throw new Error(`figures differ: ${wrong.map(([name, one, other]) => `${name} ${one}, job ${other}`).join('; ')}`);
};

const rows = (results: Results): readonly (readonly [string, string])[] => {
  const { detail, timings, memory } = results;
  const { job, tasks, processing } = detail;
  return [
    ['file', `${(results.bytes / 1000).toFixed(0)} kB, ${pagesOf(detail) || 'no'} pages`],
    [
      'result',
      `${job.chunks_written} chunks, ${job.vectors_written} vectors, ${job.tasks_total} ${job.tasks_total === 1 ? 'task' : 'tasks'}`,
    ],
    [
      'work',
      `${processing.serverless_invocations} invocations (host: ${results.hostInvocations}), ${sum(tasks.map((task) => task.embedding_tokens))} tokens`,
    ],
    ['boot', seconds(results.bootMs)],
    ['upload', seconds(results.uploadMs)],
    ...processing.path.map(({ phase, duration_ms: ms }) => [phase, seconds(ms)] as const),
    ['end to end', `${seconds(processing.end_to_end_latency_ms)} from the file's arrival to the last row`],
    ['GET index', `${timings.read.medianMs.toFixed(1)} ms, median of ${timings.read.calls} warm calls with the key`],
    ...Object.entries(timings.searches).map(
      ([mode, { fresh, repeated }]) =>
        [
          `${mode} search`,
          `${fresh.medianMs.toFixed(1)} ms with a new question of ${questionWords} words, ${repeated.medianMs.toFixed(1)} ms with a repeated one, medians of ${fresh.calls} warm calls${mode === 'hybrid' ? ', reranked' : ''}`,
        ] as const,
    ),
    [
      'idle memory',
      `${megabytes(memory.total_bytes)}: main ${megabytes(memory.main_bytes)}, functions ${megabytes(memory.functions_bytes)}`,
    ],
  ];
};

/** Prints what the run took. */
export const printReport = (results: Results, write: (line: string) => void): void => {
  for (const [name, value] of rows(results)) write(`  ${name.padEnd(20)}${value}`);
};

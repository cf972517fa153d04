import { openAsBlob } from 'node:fs';
import { createClient, type ProcessingDetail, type StrataClient } from '#client';
import type { EngineName } from '#engine';
import { askQuestions } from './ask-questions.ts';
import { chooseQuestions, type StoredRow } from './choose-questions.ts';
import type { DemoFile } from './choose-file.ts';
import { evaluateHandbook } from './evaluate-handbook.ts';
import { followJob } from './follow-job.ts';
import { measureIdleMemory, measureTimes } from './measure.ts';
import type { ReceivedEvent, Receiver } from './receive-events.ts';
import { checkFigures, printReport, type Results } from './report.ts';
import { LocalInvocations } from './schemas.ts';
import { showProgress, type Progress } from './show-progress.ts';
import type { Service } from '../support/start-service.ts';

const eventPatienceMs = 60_000;
const workers = ['plan', 'file-task', 'index-writer'];

/** Inputs of one run. */
export interface Run {
  readonly file: DemoFile;
  /** Null: those of the model. */
  readonly dimensions: number | null;
  readonly engine: EngineName;
  readonly questions: readonly string[];
  readonly receiver: Receiver;
  readonly service: Service;
  readonly bootMs: number;
  readonly write: (line: string) => void;
}

/** Registers the receiver as its owner would, and gives it the secret that is shown once. */
const registerReceiver = async ({ service, receiver }: Run): Promise<void> => {
  const owner = createClient({ baseUrl: service.base_url, token: service.session_token });
  const { secret } = await owner.post('/v1/organization/webhooks/endpoints', { body: { url: receiver.url } });
  receiver.trust(secret);
};

interface Processed {
  readonly index: string;
  readonly detail: ProcessingDetail;
  readonly uploadMs: number;
  readonly events: readonly ReceivedEvent[];
}

const upload = async (
  client: StrataClient,
  index: string,
  file: DemoFile,
  progress: Progress,
): Promise<{ job: string; ms: number }> => {
  const phase = progress.begin('upload');
  const began = performance.now();
  const { id: job } = await client.uploadFile(index, {
    filename: file.name,
    contentType: file.contentType,
    content: await openAsBlob(file.path),
  });
  phase.finish(`${file.bytes} bytes, SHA-256 checked by the store`);
  return { job, ms: performance.now() - began };
};

const processFile = async (run: Run, client: StrataClient, progress: Progress): Promise<Processed> => {
  const { receiver, file, engine } = run;
  const creating = progress.begin('index');
  const name = `demo: ${file.name}`.slice(0, 255);
  const size = run.dimensions === null ? { embedding_model: 'default' } : { dimensions: run.dimensions };
  const { id: index, dimensions } = await client.post('/v1/indexes', { body: { name, engine, ...size } });
  const created = await receiver.wait('index.created', ({ data }) => data.index?.id === index, eventPatienceMs);
  creating.finish(`${index}, ${dimensions} dimensions, engine ${engine}`);
  const { job, ms: uploadMs } = await upload(client, index, file, progress);
  const detail = await followJob(client, index, job, progress);
  const receiving = progress.begin('events');
  const ofJob = (type: string) => receiver.wait(type, ({ data }) => data.job?.id === job, eventPatienceMs);
  const events = [created, await ofJob('file.processing.started'), await ofJob('file.processing.completed')];
  receiving.finish(`${events.length} received, signatures verified`);
  return { index, detail, uploadMs, events };
};

const countRuns = async ({ service }: Run, job: string): Promise<number> => {
  const answer = await fetch(`${service.base_url}/_local/invocations?job_id=${job}`);
  const { functions } = LocalInvocations.parse(await answer.json());
  return workers.reduce((total, name) => total + (functions[name] ?? 0), 0);
};

const measure = async (
  run: Run,
  client: StrataClient,
  processed: Processed,
  rows: readonly StoredRow[],
): Promise<Results> => {
  const progress = showProgress(run.write);
  try {
    const timings = await measureTimes(client, processed.index, rows, progress.begin('measure'));
    const memory = await measureIdleMemory(run.service.base_url, progress.begin('idle'));
    const { detail, uploadMs } = processed;
    const hostInvocations = await countRuns(run, detail.job.id);
    return { detail, uploadMs, hostInvocations, bytes: run.file.bytes, bootMs: run.bootMs, timings, memory };
  } finally {
    progress.stop();
  }
};

/** Does the main job of the service end to end and prints what came of it. @throws Error at the first thing that fails. */
export const runDemo = async (run: Run, progress: Progress): Promise<void> => {
  const { service, write } = run;
  const client = createClient({ baseUrl: service.base_url, token: service.api_key });
  await registerReceiver(run);
  const processed = await processFile(run, client, progress);
  progress.stop();
  write('\nEvents, each signed as a stock Standard Webhooks verifier wants it:');
  for (const { type, hookId } of processed.events) write(`  ${hookId}  ${type}`);

  const { index, detail, events } = processed;
  const rows = await Array.fromAsync(
    client.pages('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: index }, query: { limit: 1_000 } } }),
  );
  const questions = chooseQuestions({ own: run.questions, isHandbook: run.file.isHandbook, rows });
  write(questions.length > 0 ? '\nQuestions:' : '\nThe file has no text to ask about.');
  await askQuestions(client, index, questions, write);
  if (run.file.isHandbook) await evaluateHandbook(client, index, write);

  write('\nMeasurements:');
  const results = await measure(run, client, processed, rows);
  write('\nReport:');
  printReport(results, write);
  const data = events.at(-1)?.data;
  const reported = { vectors: data?.job?.vectors_written, invocations: data?.processing?.serverless_invocations };
  checkFigures(detail, reported, results.hostInvocations);
  write('\nJob, tasks, event and host agree on every figure.');
};

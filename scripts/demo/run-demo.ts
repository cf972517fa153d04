import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { askQuestions } from './ask-questions.ts';
import { type Api, openApi } from './call-api.ts';
import { chooseQuestions } from './choose-questions.ts';
import type { DemoFile } from './choose-file.ts';
import { followJob } from './follow-job.ts';
import { measureIdleMemory, measureTimes } from './measure.ts';
import type { ReceivedEvent, Receiver } from './receive-events.ts';
import { checkFigures, printReport, type Results } from './report.ts';
import { Created, type JobDetail, LocalInvocations, StoredRow, Upload, WebhookEndpoint } from './schemas.ts';
import { showProgress, type Progress } from './show-progress.ts';
import type { Service } from './start-service.ts';
import { uploadFile } from './upload-file.ts';

const eventPatienceMs = 60_000;
const workers = ['plan', 'file-task', 'index-writer'];

/** What one run works with. */
export interface Run {
  readonly file: DemoFile;
  readonly dimensions: number;
  readonly questions: readonly string[];
  readonly receiver: Receiver;
  readonly service: Service;
  readonly bootMs: number;
  readonly write: (line: string) => void;
}

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
};

/** Registers the receiver as its owner would, and gives it the secret that is shown once. */
const registerReceiver = async ({ service, receiver }: Run): Promise<void> => {
  const owner = openApi(service.base_url, service.session_token);
  const path = '/v1/organization/webhooks/endpoints';
  const { secret } = await owner.call({ method: 'POST', path, body: { url: receiver.url } }, WebhookEndpoint);
  receiver.trust(secret);
};

interface Processed {
  readonly index: string;
  readonly detail: JobDetail;
  readonly uploadMs: number;
  readonly events: readonly ReceivedEvent[];
}

const upload = async (
  api: Api,
  index: string,
  file: DemoFile,
  progress: Progress,
): Promise<{ job: string; ms: number }> => {
  const phase = progress.begin('upload');
  const began = performance.now();
  const body = { filename: file.name, content_type: file.contentType, checksum_sha256: await digestOf(file.path) };
  const target = await api.call({ method: 'POST', path: `/v1/indexes/${index}/files`, body }, Upload);
  await uploadFile(target, file, (sent) => phase.update(sent / file.bytes, `${sent} bytes`));
  phase.finish(`${file.bytes} bytes, SHA-256 checked by the store`);
  return { job: target.id, ms: performance.now() - began };
};

const processFile = async (run: Run, api: Api, progress: Progress): Promise<Processed> => {
  const { receiver, file, dimensions } = run;
  const creating = progress.begin('index');
  const body = { name: `demo: ${file.name}`.slice(0, 255), dimensions };
  const { id: index } = await api.call({ method: 'POST', path: '/v1/indexes', body }, Created);
  const created = await receiver.wait('index.created', ({ data }) => data.index?.id === index, eventPatienceMs);
  creating.finish(`${index}, ${dimensions} dimensions`);
  const { job, ms: uploadMs } = await upload(api, index, file, progress);
  const detail = await followJob(api, `/v1/indexes/${index}/files/${job}`, progress);
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

const measure = async (run: Run, api: Api, processed: Processed, rows: readonly StoredRow[]): Promise<Results> => {
  const progress = showProgress(run.write);
  try {
    const timings = await measureTimes(api, processed.index, rows, progress.begin('measure'));
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
  const api = openApi(service.base_url, service.api_key);
  await registerReceiver(run);
  const processed = await processFile(run, api, progress);
  progress.stop();
  write('\nEvents, each signed as a stock Standard Webhooks verifier wants it:');
  for (const { type, hookId } of processed.events) write(`  ${hookId}  ${type}`);

  const { index, detail, events } = processed;
  const path = `/v1/indexes/${index}/vectors?limit=1000`;
  const rows = await api.call({ method: 'GET', path }, z.array(StoredRow));
  const questions = chooseQuestions({ own: run.questions, isHandbook: run.file.isHandbook, rows });
  write(questions.length > 0 ? '\nQuestions:' : '\nThe file has no text to ask about.');
  await askQuestions(api, index, questions, write);

  write('\nMeasurements:');
  const results = await measure(run, api, processed, rows);
  write('\nReport:');
  printReport(results, write);
  const data = events.at(-1)?.data;
  const reported = { vectors: data?.job?.vectors_written, invocations: data?.processing?.serverless_invocations };
  checkFigures(detail, reported, results.hostInvocations);
  write('\nJob, tasks, event and host agree on every figure.');
};

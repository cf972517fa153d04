import type { Deps } from '../../../../shared/kernel/capability.ts';
import { headOf, lengthOf } from '../../../../shared/kernel/text.ts';
import type { recordEvents } from '../../../../shared/events/index.ts';
import {
  batchKey,
  failJob,
  type filesWrite,
  type JobRecord,
  takeBackRows,
  type TaskAddress,
  type TaskMessage,
  type TaskRecord,
} from '../../../../shared/files/index.ts';
import { type IndexRecord, type indexesRead, type logSend, toWireRow } from '../../../../shared/indexes/index.ts';
import { type TraceStep, timed } from '../../../../shared/pipeline/steps.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { contentReader, contentWriter } from '../../../../shared/platform/aws/content.ts';
import type { embedderUse } from '../../../../shared/platform/models/capability.ts';
import type { extractorUse } from '../../../../shared/platform/extract/capability.ts';
import type { Row } from '../../../../shared/platform/engine/port.ts';
import { chunkSections } from '../../../../shared/platform/extract/chunk.ts';
import { type Chunk, UnreadableFile } from '../../../../shared/platform/extract/port.ts';

type TaskDeps = Deps<{
  files: typeof filesWrite;
  indexes: typeof indexesRead;
  content: typeof contentReader;
  stored: typeof contentWriter;
  events: ReturnType<typeof recordEvents>;
  log: typeof logSend;
  extractor: typeof extractorUse;
  embedder: typeof embedderUse;
}>;

interface Working {
  readonly deps: TaskDeps;
  readonly run: Run;
}

/** One claimed task and all that belongs to it. */
interface Claim {
  readonly job: JobRecord;
  readonly task: TaskRecord;
  readonly index: IndexRecord;
  readonly trace: TraceStep[];
}

const mostDiagnosticCharacters = 500;
const mostSparseCharacters = 4000;

const addressOf = ({ organization_id, job_id, ordinal }: TaskMessage): TaskAddress => ({
  organizationId: organization_id,
  jobId: job_id,
  ordinal,
});

/** Null where nothing is to be done any more: a repeated message, a job that has ended, an index that is gone. */
const claim = async ({ deps, run }: Working, message: TaskMessage): Promise<Claim | null> => {
  const job = await deps.files.get({
    organizationId: message.organization_id,
    indexId: message.index_id,
    jobId: message.job_id,
  });
  const index = await deps.indexes.get(message.organization_id, message.index_id);
  if (job?.status !== 'processing' || index === null || index.status === 'deleting') return null;
  const started = await deps.files.startTask(addressOf(message), {
    invocationId: run.invocationId,
    at: run.clock.now().toISOString(),
  });
  return started === null ? null : { job, index, task: started, trace: [...started.trace] };
};

const extract = (working: Working, { job, task, trace }: Claim): Promise<readonly Chunk[]> =>
  timed({ clock: working.run.clock, attempt: task.attemptCount, trace }, 'content.extract', async () => {
    const bytes = await working.deps.content.get(job.region, job.objectKey);
    if (bytes === null) throw new UnreadableFile('The uploaded file is gone');
    const file = { bytes, filename: job.filename, contentType: job.contentType };
    const sections = await working.deps.extractor.extract(file, { start: task.unitStart, end: task.unitEnd });
    const pages = task.paged ? task.unitEnd - task.unitStart + 1 : 0;
    const texts = sections.flatMap((part) => (part.kind === 'text' ? [part] : []));
    return { result: chunkSections(texts), attributes: { pages, ocr_credits: 0 } };
  });

interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

const embed = (working: Working, { index, task, trace }: Claim, chunks: readonly Chunk[]): Promise<Embedded> =>
  timed({ clock: working.run.clock, attempt: task.attemptCount, trace }, 'embedding.generate', async () => {
    const result = await working.deps.embedder.embed(
      chunks.map(({ text }) => text),
      index.dimensions,
    );
    return { result, attributes: { vectors: result.vectors.length, tokens: result.tokens } };
  });

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

const toRows = ({ job, task }: Claim, chunks: readonly Chunk[], vectors: readonly Float32Array[]): readonly Row[] =>
  chunks.map((chunk, at) => {
    const vector = vectors[at];
    if (vector === undefined) throw new Error('the model gave fewer vectors than there are chunks');
    return {
      id: `${job.id}:${padded(task.ordinal, 6)}:${padded(at + 1, 5)}`,
      vector,
      text: chunk.text,
      metadata: { ...job.metadata, heading_path: chunk.headingPath, chunk: at + 1, start: chunk.start, end: chunk.end },
      jobId: job.id,
      filename: job.filename,
      pageStart: chunk.pageStart,
      pageEnd: chunk.pageEnd,
    };
  });

/** Keeps the work with the task, its rows in the bucket, and asks the log to commit them. */
const handOver = async (
  { deps }: Working,
  { job, task, index, trace }: Claim,
  chunks: readonly Chunk[],
  embedded: Embedded,
): Promise<void> => {
  const rows = toRows({ job, task, index, trace }, chunks, embedded.vectors);
  const key = batchKey(job, task.ordinal);
  await deps.stored.put(
    index.region,
    key,
    new TextEncoder().encode(JSON.stringify(rows.map(toWireRow))),
    'application/json',
  );
  const text = chunks.map((chunk) => chunk.text).join('\n');
  const sparseText = headOf(text, mostSparseCharacters);
  await deps.files.saveWork(
    { organizationId: job.organizationId, jobId: job.id, ordinal: task.ordinal },
    { trace, sparseText, sparseLength: lengthOf(text), tokens: embedded.tokens },
  );
  const change = {
    op: 'write_task',
    job_id: job.id,
    task_id: task.id,
    ordinal: task.ordinal,
    rows: { key },
    replaces: job.replacesJobId,
  } as const;
  await deps.log.append(index, change, `${task.id}-${task.attemptCount}`);
};

const refuse = async ({ deps, run }: Working, { job }: Claim, error: UnreadableFile): Promise<void> => {
  await failJob(deps, job, { error: error.message, code: 'processing_failed' }, run.clock);
  await takeBackRows(deps.log, job);
};

/** Works on one task. A failure is kept with the task and thrown, so that the queue brings the message again. */
export const runTask = async (working: Working, message: TaskMessage): Promise<void> => {
  const claimed = await claim(working, message);
  if (claimed === null) return;
  try {
    const chunks = await extract(working, claimed);
    await handOver(working, claimed, chunks, await embed(working, claimed, chunks));
  } catch (error) {
    const text = error instanceof UnreadableFile ? error.message : 'The task failed and is tried again';
    await working.deps.files.noteFailure(addressOf(message), claimed.trace, headOf(text, mostDiagnosticCharacters));
    if (!(error instanceof UnreadableFile)) throw error;
    await refuse(working, claimed, error);
  }
};

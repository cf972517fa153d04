import type { Deps } from '../../../../shared/kernel/capability.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { fileStarted, fillSlot, type recordEvents } from '../../../../shared/events/index.ts';
import {
  cancelJob,
  closeEnded,
  closeLateTasks,
  completeJob,
  failJob,
  type filesWrite,
  isLeftOpen,
  isOpen,
  isOpenTask,
  type JobAddress,
  type JobRecord,
  newTask,
  takeBackRows,
  type TaskRecord,
  uploadKey,
  type tasksSend,
} from '../../../../shared/files/index.ts';
import type { indexesRead, logSend } from '../../../../shared/indexes/index.ts';
import type { organizationsRead } from '../../../../shared/organizations/index.ts';
import type { Run } from '../../../../shared/pipeline/worker.ts';
import type { contentReader, contentWriter } from '../../../../shared/platform/aws/content.ts';
import type { extractorUse } from '../../../../shared/platform/extract/capability.ts';
import { type Inspection, UnreadableFile } from '../../../../shared/platform/extract/port.ts';

type PlanDeps = Deps<{
  files: typeof filesWrite;
  indexes: typeof indexesRead;
  organizations: typeof organizationsRead;
  content: typeof contentReader;
  stored: typeof contentWriter;
  events: ReturnType<typeof recordEvents>;
  tasks: typeof tasksSend;
  log: typeof logSend;
  extractor: typeof extractorUse;
}>;

interface Planning {
  readonly deps: PlanDeps;
  readonly run: Run;
}

/** Pages that one task works on: some hundred rows, so that it ends well within its time on a slow core. */
const pagesPerTask = 50;
/** Blocks of text, each as long as many pages, that one task works on. */
const blocksPerTask = 8;
/** Units that one task works on where they may be pictures: each takes seconds to decode, and more to be recognized. */
const picturesPerTask = 5;
/** Most characters of a job that tell what could not be read of its file. */
const longestNote = 1000;

const unitsPerTask = ({ paged, pictures = false }: Inspection): number => {
  if (pictures) return picturesPerTask;
  return paged ? pagesPerTask : blocksPerTask;
};

// What the run needs once the file is inspected, to write and send its tasks.
const reserveMs = 30_000;

// An empty file that replaces another still needs a task: it takes the place of the other's rows.
const taskCount = (job: JobRecord, inspection: Inspection): number =>
  Math.max(job.replacesJobId === null ? 0 : 1, Math.ceil(inspection.units / unitsPerTask(inspection)));

/** Jobs that want no file any more: one that comes all the same is removed, as is one whose job is gone. */
const unwanted: ReadonlySet<string> = new Set(['expired', 'cancelled']);

/** Makes the failure of a job final and takes back the rows that it may have written. */
const endAsFailed = async ({ deps, run }: Planning, address: JobAddress, error: string): Promise<void> => {
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job === null) return;
  await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
};

const tasksOf = (job: JobRecord, inspection: Inspection): readonly TaskRecord[] =>
  Array.from({ length: taskCount(job, inspection) }, (_, at) =>
    newTask(job, {
      id: derivedId('task', new Date(job.createdAt), job.id, String(at + 1)),
      ordinal: at + 1,
      unitStart: at * unitsPerTask(inspection) + 1,
      unitEnd: Math.min(inspection.units, (at + 1) * unitsPerTask(inspection)),
      paged: inspection.paged,
      createdAt: job.queuedAt ?? job.createdAt,
    }),
  );

const tasksAtOnce = 10;

/** The job's file as the extractor sees it; null where it cannot be worked on, and then the job has ended. */
const inspect = async (planning: Planning, job: JobRecord, address: JobAddress): Promise<Inspection | null> => {
  const { deps, run } = planning;
  const limit = plans[await planOf(deps.organizations, job.organizationId)].limits.max_file_bytes;
  if ((job.sizeBytes ?? 0) > limit) {
    // Nobody would see what it takes. First, since nobody comes back to a job that has ended.
    await deps.stored.deleteAll(job.region, uploadKey(address));
    await endAsFailed(planning, address, `The file has ${job.sizeBytes} bytes, the plan allows ${limit}`);
    return null;
  }
  const bytes = await deps.content.get(job.region, job.objectKey);
  if (bytes === null) {
    await endAsFailed(planning, address, 'The uploaded file is gone');
    return null;
  }
  try {
    const file = { bytes, filename: job.filename, contentType: job.contentType };
    return await deps.extractor.inspect(file, run.remainingMs() - reserveMs);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await endAsFailed(planning, address, error.message);
    return null;
  }
};

const begin = async (
  { deps, run }: Planning,
  job: JobRecord,
  address: JobAddress,
  inspection: Inspection,
): Promise<void> => {
  const at = run.clock.now();
  const subject = { id: job.id, index_id: job.indexId, filename: job.filename, region: job.region };
  const event = fileStarted({ at, organizationId: job.organizationId, job: subject });
  const item = await deps.files.begin(address, {
    tasksTotal: taskCount(job, inspection),
    note: headOf(inspection.notes.join(' '), longestNote),
    at: at.toISOString(),
    event: fillSlot('started', event),
  });
  if (item !== null) await deps.events.flush(job.organizationId, item);
};

/** Asks for every task that is not done: a message too many finds its task done, a lost one is sent again. */
const sendTasks = async ({ deps }: Planning, job: JobRecord): Promise<void> => {
  const open = (await deps.files.tasks(job.organizationId, job.id)).filter(isOpenTask);
  await deps.tasks.send(
    job.region,
    open.map(({ id, ordinal }) => ({
      organization_id: job.organizationId,
      index_id: job.indexId,
      job_id: job.id,
      task_id: id,
      ordinal,
    })),
  );
};

/** Makes final that a plan failed again and again. A job that is planned all the same goes on; any other fails. */
export const endPlan = async (planning: Planning, address: JobAddress): Promise<void> => {
  const { deps, run } = planning;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job?.status === 'processing' && job.tasksTotal > 0) await sendTasks(planning, job);
  else await endAsFailed(planning, address, 'The file could not be planned after several attempts');
};

/** Plans a job whose file has arrived. May be repeated at any point: tasks, event and messages come out the same. */
export const planJob = async (planning: Planning, address: JobAddress, region: string): Promise<void> => {
  const { deps, run } = planning;
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  const seen = await deps.files.get(address);
  const at = run.clock.now().toISOString();
  if (seen !== null && isLeftOpen(seen)) await closeEnded(deps, seen, at);
  else await closeLateTasks(deps.files, address, seen, at);
  if (seen === null || unwanted.has(seen.status)) {
    await deps.stored.deleteAll(region, uploadKey(address));
    return;
  }
  if (!isOpen(seen)) return;
  // Before the run changes anything, so that it is counted wherever it dies.
  const noted = await deps.files.noteInvocation(address, run.invocationId);
  if (noted === null) return;
  if (index === null || index.status === 'deleting') {
    await cancelJob(deps, noted, run.clock);
    return;
  }
  const head = await deps.content.head(noted.region, noted.objectKey);
  const job =
    head === null
      ? noted
      : await deps.files.enqueue(address, { sizeBytes: head.sizeBytes, at: run.clock.now().toISOString() });
  if (job === null) return;
  if (job.status === 'queued') {
    const inspection = await inspect(planning, job, address);
    if (inspection === null) return;
    await inParallel(tasksOf(job, inspection), tasksAtOnce, (task) => deps.files.addTask(task));
    await begin(planning, job, address, inspection);
  }
  const begun = await deps.files.item(address);
  if (begun !== null) await deps.events.flush(job.organizationId, begun);
  const planned = await deps.files.get(address);
  if (planned?.status !== 'processing') {
    await closeLateTasks(deps.files, address, planned, at);
    return;
  }
  if (planned.tasksTotal > 0) {
    await sendTasks(planning, planned);
    return;
  }
  await completeJob(deps, planned, run.clock);
  // It has no rows; what it used is counted on the way.
  await takeBackRows(deps.log, planned);
};

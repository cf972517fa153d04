import { createHash } from 'node:crypto';
import { uploadKey } from '../../../../shared/kernel/content-keys.ts';
import { isRevoked } from '../../../../shared/credentials/index.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { fileStarted, fillSlot } from '../../../../shared/events/index.ts';
import {
  addressOfJob,
  beginJob,
  cancelJob,
  cleanUpEndedJob,
  completeJob,
  endLateTasks,
  enqueueJob,
  needsCleanup,
  isOpen,
  isOpenTask,
  type JobAddress,
  type JobRecord,
  keepsOriginal,
  newTask,
  type StoredUnits,
  requestRowRemoval,
  taskMessageOf,
  type TaskRecord,
  unitsKey,
  unknownType,
} from '../../../../shared/files/index.ts';
import { type IndexRecord, isLive } from '../../../../shared/indexes/index.ts';
import { mediaTypeOf, UnitsChanged, type Inspection, type Span } from '#documents';
import type { PlanContext } from '../uses.ts';
import { failJobAt, inspectFile } from './inspect-file.ts';

/** Pages per task: some hundred rows, which a slow core processes well within the time limit. */
const pagesPerTask = 50;
/** Text blocks per task, each as long as many pages. */
const blocksPerTask = 8;
/** Units per task if they may be pictures, which take seconds to decode, and more for OCR. */
const picturesPerTask = 5;
/** Maximum characters of a job's note about unreadable content. */
const maxNoteCharacters = 1000;

const unitsPerTask = ({ paged, pictures = false }: Inspection): number => {
  if (pictures) return picturesPerTask;
  return paged ? pagesPerTask : blocksPerTask;
};

// An empty file that replaces another still needs a task to replace the rows.
const taskCount = (job: JobRecord, inspection: Inspection): number =>
  Math.max(job.replacesJobId === null ? 0 : 1, Math.ceil(inspection.units / unitsPerTask(inspection)));

/** Byte range from the first to the last of some units. */
const spanOf = ({ spans = [] }: Inspection, unitStart: number, unitEnd: number): Span | null => {
  const [first, last] = [spans[unitStart - 1], spans[unitEnd - 1]];
  return first === undefined || last === undefined ? null : { ...first, to: last.to };
};

/** Byte range of some units in the object with the job's units. */
const storedUnitsOf = (
  { packed }: Inspection,
  digest: string | null,
  unitStart: number,
  unitEnd: number,
): StoredUnits | null => {
  const to = packed?.ends[unitEnd - 1];
  return digest === null || to === undefined ? null : { digest, from: packed?.ends[unitStart - 2] ?? 0, to };
};

/**
 * Stores the units of a file, so that no task reads the file again. Returns the digest that identifies the object. Null
 * if its units are read one by one, or if the job has at most one task, which reads a file of bounded size.
 */
const storeUnits = async ({ deps }: PlanContext, job: JobRecord, inspection: Inspection): Promise<string | null> => {
  const { packed } = inspection;
  if (packed === undefined || taskCount(job, inspection) <= 1) return null;
  const digest = createHash('sha256').update(packed.bytes).digest('base64url');
  await deps.stored.put(job.region, unitsKey(job, digest), packed.bytes, 'application/octet-stream');
  return digest;
};

/** Result of inspecting a file, with the identity of the file. */
interface Plan {
  readonly inspection: Inspection;
  /** Identifies the object with its units. */
  readonly digest: string | null;
  readonly etag: string | null;
}

const tasksOf = (job: JobRecord, { inspection, digest, etag }: Plan): readonly TaskRecord[] =>
  Array.from({ length: taskCount(job, inspection) }, (_, at) => {
    const unitStart = at * unitsPerTask(inspection) + 1;
    const unitEnd = Math.min(inspection.units, (at + 1) * unitsPerTask(inspection));
    return newTask(job, {
      id: derivedId('task', new Date(job.createdAt), job.id, String(at + 1)),
      ordinal: at + 1,
      unitStart,
      unitEnd,
      paged: inspection.paged,
      cut: inspection.cut,
      span: spanOf(inspection, unitStart, unitEnd),
      units: storedUnitsOf(inspection, digest, unitStart, unitEnd),
      etag,
      createdAt: job.queuedAt ?? job.createdAt,
    });
  });

/** Detected media type if the source declared none. An upload always declares one. */
const foundTypeOf = ({ source, contentType }: JobRecord, { format }: Inspection): string | null =>
  source !== 'upload' && contentType === unknownType ? mediaTypeOf(format) : null;

const tasksAtOnce = 10;

const begin = async (
  { deps, run }: PlanContext,
  job: JobRecord,
  address: JobAddress,
  inspection: Inspection,
): Promise<void> => {
  const at = run.clock.now();
  const subject = { id: job.id, index_id: job.indexId, filename: job.filename, region: job.region };
  const event = fileStarted({ at, organizationId: job.organizationId, job: subject });
  const item = await beginJob(deps.files, address, {
    tasksTotal: taskCount(job, inspection),
    foundType: foundTypeOf(job, inspection),
    note: headOf(inspection.notes.join(' '), maxNoteCharacters),
    at: at.toISOString(),
    event: fillSlot('started', event),
  });
  if (item !== null) await deps.events.flush(job.organizationId, item);
};

/** Whether tasks belong to one plan. A run that died may have left tasks of another version of the service. */
const areOfOnePlan = (job: JobRecord, tasks: readonly TaskRecord[]): boolean =>
  tasks.length === job.tasksTotal &&
  tasks.every(({ unitStart, cut }, at) => {
    const last = tasks[at - 1];
    return last === undefined || (last.unitEnd + 1 === unitStart && last.cut === cut);
  });

/**
 * Sends a message for every open task. Duplicates find their task done, lost ones are sent again. If tasks overlap or
 * leave gaps in the file, the job fails.
 */
const sendTasks = async (context: PlanContext, job: JobRecord): Promise<void> => {
  const { deps } = context;
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  if (!areOfOnePlan(job, tasks)) {
    await failJobAt(context, addressOfJob(job), new UnitsChanged().message);
    return;
  }
  const open = tasks.filter(isOpenTask).map((task) => taskMessageOf(job, task));
  await deps.tasks.send(job.region, open);
};

/** Handles a plan whose retries are exhausted. A job that is planned nevertheless continues; any other fails. */
export const finishFailedPlan = async (context: PlanContext, address: JobAddress): Promise<void> => {
  const { deps, run } = context;
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job?.status === 'processing' && job.tasksTotal > 0) await sendTasks(context, job);
  else await failJobAt(context, address, 'The file could not be planned after several attempts');
};

const revokedUploader = {
  error: 'The credential that requested the upload was revoked before the file arrived',
  code: 'key_revoked',
} as const;

/** Whether the file of a job came by an upload URL whose caller has lost access since. */
const isOfRevoked = async ({ deps }: PlanContext, { organizationId, status, uploader }: JobRecord): Promise<boolean> =>
  status === 'awaiting_upload' && uploader !== null && isRevoked(deps, organizationId, uploader);

/** Cancels a job whose index is deleted, or whose file may not be read. Returns whether it did. */
const cancelUnwanted = async (
  context: PlanContext,
  job: JobRecord,
  { index, region }: { readonly index: IndexRecord | null; readonly region: string },
): Promise<boolean> => {
  const { deps, run } = context;
  if (!isLive(index)) {
    await cancelJob(deps, job, run.clock);
    return true;
  }
  if (!(await isOfRevoked(context, job))) return false;
  await cancelJob(deps, job, run.clock, revokedUploader);
  await deps.stored.deleteAll(region, job.objectKey);
  return true;
};

/** Plans a job whose file has arrived. Repeatable at any point: tasks, event and messages are the same. */
export const planJob = async (context: PlanContext, address: JobAddress, region: string): Promise<void> => {
  const { deps, run } = context;
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  const seen = await deps.files.get(address);
  const at = run.clock.now().toISOString();
  if (seen !== null && needsCleanup(seen)) await cleanUpEndedJob(deps, seen, at);
  else await endLateTasks(deps.files, address, seen, at);
  if (seen === null || !isOpen(seen)) {
    if (seen === null || !keepsOriginal(seen)) await deps.stored.deleteAll(region, uploadKey(address));
    return;
  }
  // First, so that the invocation is counted even if it dies.
  const noted = await deps.files.noteInvocation(address, run.invocationId);
  if (noted === null) return;
  if (await cancelUnwanted(context, noted, { index, region })) return;
  const head = await deps.content.head(noted.region, noted.objectKey);
  // Before the job is queued, so that no accepted upload expires.
  if (head !== null && noted.queuedAt === null && noted.source === 'upload')
    await deps.uploads.accept(noted.region, noted.objectKey);
  const job =
    head === null
      ? noted
      : await enqueueJob(deps.files, address, { sizeBytes: head.sizeBytes, at: run.clock.now().toISOString() });
  if (job === null) return;
  if (job.status === 'queued') {
    await deps.originals.resize(job.organizationId, job.id, job.sizeBytes ?? 0);
    const inspection = await inspectFile(context, job, address, head?.etag);
    if (inspection === null) return;
    const digest = await storeUnits(context, job, inspection);
    await inParallel(tasksOf(job, { inspection, digest, etag: head?.etag ?? null }), tasksAtOnce, (task) =>
      deps.files.addTask(task),
    );
    await begin(context, job, address, inspection);
  }
  const begun = await deps.files.item(address);
  if (begun !== null) await deps.events.flush(job.organizationId, begun);
  const planned = await deps.files.get(address);
  if (planned?.status !== 'processing') {
    await endLateTasks(deps.files, address, planned, at);
    return;
  }
  if (planned.tasksTotal > 0) {
    await sendTasks(context, planned);
    return;
  }
  await completeJob(deps, planned, run.clock);
  // It has no rows, but this counts its usage.
  await requestRowRemoval(deps.log, planned);
};

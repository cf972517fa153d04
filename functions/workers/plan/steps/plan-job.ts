import { createHash } from 'node:crypto';
import { uploadKey } from '../../../../shared/kernel/content-keys.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { fileStarted, fillSlot } from '../../../../shared/events/index.ts';
import {
  addressOfJob,
  cancelJob,
  closeEnded,
  closeLateTasks,
  completeJob,
  isLeftOpen,
  isOpen,
  isOpenTask,
  type JobAddress,
  type JobRecord,
  keepsOriginal,
  newTask,
  type StoredUnits,
  takeBackRows,
  taskMessageOf,
  type TaskRecord,
  unitsKey,
  unknownType,
} from '../../../../shared/files/index.ts';
import { isLive } from '../../../../shared/indexes/index.ts';
import { mediaTypeOf } from '../../../../shared/platform/extract/formats.ts';
import { CutOtherwise, type Inspection, type Span } from '../../../../shared/platform/extract/port.ts';
import type { Planning } from '../uses.ts';
import { endAsFailed, inspectFile } from './inspect-file.ts';

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

// An empty file that replaces another still needs a task: it takes the place of the other's rows.
const taskCount = (job: JobRecord, inspection: Inspection): number =>
  Math.max(job.replacesJobId === null ? 0 : 1, Math.ceil(inspection.units / unitsPerTask(inspection)));

/** All that lies between the first and the last of some units. */
const spanOf = ({ spans = [] }: Inspection, unitStart: number, unitEnd: number): Span | null => {
  const [first, last] = [spans[unitStart - 1], spans[unitEnd - 1]];
  return first === undefined || last === undefined ? null : { ...first, to: last.to };
};

/** The bytes of some units, where an object of the job holds all of them. */
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
 * Stores what the units of a file say, so that no task reads the file again; returns the digest that names the object. Null
 * if its units are read one by one, and if the job has no more than one task, which reads a file of bounded size.
 */
const storeUnits = async ({ deps }: Planning, job: JobRecord, inspection: Inspection): Promise<string | null> => {
  const { packed } = inspection;
  if (packed === undefined || taskCount(job, inspection) <= 1) return null;
  const digest = createHash('sha256').update(packed.bytes).digest('base64url');
  await deps.stored.put(job.region, unitsKey(job, digest), packed.bytes, 'application/octet-stream');
  return digest;
};

/** What planning has found out of a file, and which file that was. */
interface Plan {
  readonly inspection: Inspection;
  /** Names the object with its units. */
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

/** What the file is where the one who gave it has not said; who uploads a file has. */
const foundTypeOf = ({ source, contentType }: JobRecord, { format }: Inspection): string | null =>
  source !== 'upload' && contentType === unknownType ? mediaTypeOf(format) : null;

const tasksAtOnce = 10;

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
    foundType: foundTypeOf(job, inspection),
    note: headOf(inspection.notes.join(' '), longestNote),
    at: at.toISOString(),
    event: fillSlot('started', event),
  });
  if (item !== null) await deps.events.flush(job.organizationId, item);
};

/** Whether tasks are of one plan: a run that died may have left some that another version of the service made. */
const areOfOnePlan = (job: JobRecord, tasks: readonly TaskRecord[]): boolean =>
  tasks.length === job.tasksTotal &&
  tasks.every(({ unitStart, cut }, at) => {
    const last = tasks[at - 1];
    return last === undefined || (last.unitEnd + 1 === unitStart && last.cut === cut);
  });

/**
 * Asks for every task that is not done: a message too many finds its task done, a lost one is sent again. Tasks that would
 * read parts of the file twice, or not at all, end the job.
 */
const sendTasks = async (planning: Planning, job: JobRecord): Promise<void> => {
  const { deps } = planning;
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  if (!areOfOnePlan(job, tasks)) {
    await endAsFailed(planning, addressOfJob(job), new CutOtherwise().message);
    return;
  }
  const open = tasks.filter(isOpenTask).map((task) => taskMessageOf(job, task));
  await deps.tasks.send(job.region, open);
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
  if (seen === null || !isOpen(seen)) {
    if (seen === null || !keepsOriginal(seen)) await deps.stored.deleteAll(region, uploadKey(address));
    return;
  }
  // Before the run changes anything, so that it is counted wherever it dies.
  const noted = await deps.files.noteInvocation(address, run.invocationId);
  if (noted === null) return;
  if (!isLive(index)) {
    await cancelJob(deps, noted, run.clock);
    return;
  }
  const head = await deps.content.head(noted.region, noted.objectKey);
  // Before the job is queued, so that no accepted upload expires.
  if (head !== null && noted.queuedAt === null && noted.source === 'upload')
    await deps.uploads.accept(noted.region, noted.objectKey);
  const job =
    head === null
      ? noted
      : await deps.files.enqueue(address, { sizeBytes: head.sizeBytes, at: run.clock.now().toISOString() });
  if (job === null) return;
  if (job.status === 'queued') {
    const inspection = await inspectFile(planning, job, address, head?.etag);
    if (inspection === null) return;
    const digest = await storeUnits(planning, job, inspection);
    await inParallel(tasksOf(job, { inspection, digest, etag: head?.etag ?? null }), tasksAtOnce, (task) =>
      deps.files.addTask(task),
    );
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

import { type JobRecord, noCredits, type TaskRecord } from './record.ts';
import type { Processing } from '../pipeline/processing.ts';
import type { Figures, Phase } from '../pipeline/steps.ts';
import type { FileJobResponse, FileTaskResponse } from './schemas.ts';

/** Number of distinct worker invocations of a job, retries included. */
const countInvocations = (job: JobRecord, tasks: readonly TaskRecord[]): number =>
  new Set([...job.invocations, ...tasks.flatMap(({ invocations }) => [...invocations])]).size;

/** Converts a job to its response. A running job counts the invocations of the given `tasks`. */
export const toJobResponse = (job: JobRecord, tasks: readonly TaskRecord[] = []): FileJobResponse => ({
  id: job.id,
  index_id: job.indexId,
  filename: job.filename,
  content_type: job.foundType ?? job.contentType,
  source: job.source,
  status: job.status,
  size_bytes: job.sizeBytes,
  checksum_sha256: job.checksumSha256,
  object_key: job.objectKey,
  tasks_total: job.tasksTotal,
  tasks_completed: job.done.size,
  chunks_written: job.chunksWritten,
  vectors_written: job.vectorsWritten,
  serverless_invocations: job.processing?.serverless_invocations ?? countInvocations(job, tasks),
  replaces_job_id: job.replacesJobId,
  replaced_by_job_id: job.replacedByJobId,
  error: job.error,
  error_code: job.errorCode,
  metadata: { ...job.metadata },
  created_at: job.createdAt,
  started_at: job.startedAt,
  completed_at: job.completedAt,
  ...(job.expiresAt === null ? {} : { expires_at: job.expiresAt }),
});

/** Converts a task to its response. */
export const toTaskResponse = (task: TaskRecord): FileTaskResponse => ({
  id: task.id,
  ordinal: task.ordinal,
  status: task.status,
  created_at: task.createdAt,
  page_start: task.paged ? task.unitStart : null,
  page_end: task.paged ? task.unitEnd : null,
  chunks_written: task.chunksWritten,
  vectors_written: task.vectorsWritten,
  attempt_count: task.attemptCount,
  error: task.error,
  started_at: task.startedAt,
  completed_at: task.completedAt,
});

const elapsedMs = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

type Step = Processing['path'][number];
type Attributes = Step['attributes'];

/** Phase in which pictures and recordings are read. */
const readingPhase = 'content.extract' satisfies Phase;

/** Credits of a task as attributes of its steps; empty if there are none. */
const chargedAttributes = ({ ocr, audio, audioSeconds }: TaskRecord['credits']): Figures => ({
  ...(ocr === 0 ? {} : { ocr_credits: ocr }),
  ...(audio === 0 ? {} : { audio_credits: audio, audio_seconds: audioSeconds }),
});

/**
 * Phases of a task. Durations are summed over attempts. An attribute has the value of the last attempt that has it,
 * because a repeat does the same work again. `failed` is set if the last step failed. Credits are those charged to the
 * task, since an aborted run has no step that states them.
 */
const phasesOf = ({ trace, credits }: TaskRecord): ReadonlyMap<string, Step> => {
  const phases = new Map<string, Step>();
  for (const { phase, duration_ms, attributes } of trace) {
    const known = phases.get(phase) ?? { phase, duration_ms: 0, attributes: {} };
    const { failed: _, ...before } = known.attributes;
    const figures = Object.entries(attributes).filter(
      ([name, value]) => typeof value === 'number' || name === 'failed',
    );
    phases.set(phase, {
      phase,
      duration_ms: known.duration_ms + duration_ms,
      attributes: { ...before, ...(Object.fromEntries(figures) as Attributes) },
    });
  }
  const charged = chargedAttributes(credits);
  if (Object.keys(charged).length > 0) {
    const known = phases.get(readingPhase) ?? { phase: readingPhase, duration_ms: 0, attributes: {} };
    phases.set(readingPhase, { ...known, attributes: { ...known.attributes, ...charged } });
  }
  return phases;
};

/**
 * Adds a step to the path. Durations and figures of a phase are summed over tasks, and a failure of one task counts for
 * all.
 */
const accumulate = (path: Map<string, Step>, step: Step): void => {
  const known = path.get(step.phase) ?? { phase: step.phase, duration_ms: 0, attributes: {} };
  const attributes = { ...known.attributes };
  for (const [name, value] of Object.entries(step.attributes)) {
    attributes[name] = typeof value === 'number' ? Number(attributes[name] ?? 0) + value : value;
  }
  path.set(step.phase, { phase: step.phase, duration_ms: known.duration_ms + step.duration_ms, attributes });
};

const creditsOf = (tasks: readonly TaskRecord[]): TaskRecord['credits'] =>
  tasks.reduce(
    (sum, { credits }) => ({
      ocr: sum.ocr + credits.ocr,
      audio: sum.audio + credits.audio,
      audioSeconds: sum.audioSeconds + credits.audioSeconds,
    }),
    noCredits,
  );

/** Usage of a job until `at`, summed over its tasks. */
export const toProcessing = (job: JobRecord, tasks: readonly TaskRecord[], at: string): Processing => {
  const path = new Map<string, Step>();
  for (const step of tasks.flatMap((task) => [...phasesOf(task).values()])) accumulate(path, step);
  const credits = creditsOf(tasks);
  return {
    job_id: job.id,
    ocr_credits: credits.ocr,
    audio_credits: credits.audio,
    audio_seconds: credits.audioSeconds,
    serverless_invocations: countInvocations(job, tasks),
    end_to_end_latency_ms: elapsedMs(job.queuedAt ?? job.createdAt, at),
    path: [...path.values()],
  };
};

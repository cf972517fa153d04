import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessingDetail, StrataClient } from '#client';
import type { Phase, Progress } from './show-progress.ts';

const pollMs = 250;
const patienceMs = 30 * 60_000;
const ended: ReadonlySet<string> = new Set(['completed', 'completed_with_warnings', 'failed', 'cancelled', 'expired']);

type Task = ProcessingDetail['tasks'][number];

/** Whether a task has a finished step of a phase. */
const hasReached = ({ trace }: Task, phase: string): boolean =>
  trace.some((step) => step.phase === phase && step.attributes['failed'] !== true);

interface Stage {
  readonly name: string;
  readonly isDone: (task: Task) => boolean;
  /** Name of the tasks that are done. */
  readonly unit: string;
  /** Figure that grows while a task is at work, and its name. */
  readonly figure?: readonly [of: (task: Task) => number, unit: string];
}

// A task stores its steps at its end, but its credits and tokens as the models read.
const stages: readonly Stage[] = [
  {
    name: 'extract',
    isDone: (task) => hasReached(task, 'content.extract') || task.embedding_tokens > 0,
    unit: 'tasks read',
    figure: [({ ocr_credits: ocr, audio_credits: audio }) => ocr + audio, 'pictures and minutes'],
  },
  {
    name: 'embed',
    isDone: (task) => hasReached(task, 'embedding.generate'),
    unit: 'tasks embedded',
    figure: [({ embedding_tokens: tokens }) => tokens, 'tokens'],
  },
  { name: 'write', isDone: ({ status }) => status === 'completed', unit: 'tasks written' },
];

const noteOf = ({ isDone, unit, figure }: Stage, { job, tasks }: ProcessingDetail): string => {
  const done = tasks.filter(isDone).length;
  const atWork = tasks.filter((task) => task.status === 'running' && !isDone(task)).length;
  const count = figure === undefined ? 0 : tasks.reduce((sum, task) => sum + figure[0](task), 0);
  return [
    `${done} of ${job.tasks_total} ${unit}`,
    ...(atWork > 0 ? [`${atWork} at work`] : []),
    ...(count > 0 && figure !== undefined ? [`${count.toLocaleString('en')} ${figure[1]}`] : []),
  ].join(', ');
};

const showStages = (progress: Progress): ((seen: ProcessingDetail) => void) => {
  const open = new Map<string, Phase>();
  const finished = new Set<string>();
  return (seen) => {
    const total = seen.job.tasks_total;
    for (const stage of stages) {
      const { name, isDone } = stage;
      if (finished.has(name)) continue;
      const phase = open.get(name) ?? progress.begin(name);
      open.set(name, phase);
      const note = noteOf(stage, seen);
      const done = seen.tasks.filter(isDone).length;
      if (done < total) phase.update(done / total, note);
      else {
        phase.finish(note);
        finished.add(name);
      }
    }
  };
};

/**
 * Watches a job through the public API until it ends, and shows how far it is.
 * @throws Error when it ends in any other way than completed, or does not end.
 */
export const followJob = async (
  client: StrataClient,
  index: string,
  job: string,
  progress: Progress,
): Promise<ProcessingDetail> => {
  const planning = progress.begin('plan');
  const show = showStages(progress);
  let isPlanned = false;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const seen = await client.get('/v1/indexes/{index_id}/files/{job_id}/processing', {
      params: { path: { index_id: index, job_id: job } },
    });
    const { status, tasks_total: total, error } = seen.job;
    if (ended.has(status) && !status.startsWith('completed')) {
      throw new Error(`the job ended as ${status}: ${error ?? 'no reason was given'}`);
    }
    if (!isPlanned && (status === 'processing' || ended.has(status))) {
      isPlanned = true;
      planning.finish(`${total} ${total === 1 ? 'task' : 'tasks'}`);
    }
    if (isPlanned) show(seen);
    else planning.update(0, status.replace('_', ' '));
    if (ended.has(status)) return seen;
    if (performance.now() > deadline) throw new Error(`the job was still ${status} after 30 minutes`);
    await pause(pollMs);
  }
};

import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessingDetail, StrataClient } from '../../client/index.ts';
import type { Phase, Progress } from './show-progress.ts';

const pollMs = 250;
const patienceMs = 30 * 60_000;
const ended: ReadonlySet<string> = new Set(['completed', 'completed_with_warnings', 'failed', 'cancelled', 'expired']);

/** How many tasks have a finished step of a phase. */
const reached = ({ tasks }: ProcessingDetail, phase: string): number =>
  tasks.filter(({ trace }) => trace.some((step) => step.phase === phase && step.attributes['failed'] !== true)).length;

interface Stage {
  readonly name: string;
  /** What is done of the tasks, and how that is called. */
  readonly done: (seen: ProcessingDetail) => number;
  readonly unit: string;
}

const stages: readonly Stage[] = [
  { name: 'extract', done: (seen) => reached(seen, 'content.extract'), unit: 'tasks read' },
  { name: 'embed', done: (seen) => reached(seen, 'embedding.generate'), unit: 'tasks embedded' },
  {
    name: 'write',
    done: ({ tasks }) => tasks.filter(({ status }) => status === 'completed').length,
    unit: 'tasks written',
  },
];

const showStages = (progress: Progress): ((seen: ProcessingDetail) => void) => {
  const open = new Map<string, Phase>();
  const finished = new Set<string>();
  return (seen) => {
    const total = seen.job.tasks_total;
    for (const { name, done, unit } of stages) {
      if (finished.has(name)) continue;
      const phase = open.get(name) ?? progress.begin(name);
      open.set(name, phase);
      const atWork = seen.tasks.filter((task) => task.status === 'running').length;
      const note = `${done(seen)} of ${total} ${unit}${done(seen) < total && atWork > 0 ? `, ${atWork} at work` : ''}`;
      if (done(seen) < total) phase.update(done(seen) / total, note);
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

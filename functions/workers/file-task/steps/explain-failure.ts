import type { TaskRecord } from '../../../../shared/files/index.ts';
import type { Phase, TraceStep } from '../../../../shared/pipeline/steps.ts';
import { ModelFault } from '../../../../shared/platform/models/call-model.ts';

/** What a task says of an attempt whose failure tells its user nothing. */
const unexplained = 'The task failed and is tried again';

/** The models that the phases of a task ask. */
const modelOfPhase: { readonly [Name in Phase]?: string } = {
  'content.extract': 'model that reads pictures and recordings',
  'embedding.generate': 'embedding model',
};

/** What a task says of an attempt that failed, and is made again: what a model has against it, for its operator. */
export const explainFailure = (error: unknown, trace: readonly TraceStep[]): string => {
  if (!(error instanceof ModelFault)) return unexplained;
  const phase = trace.at(-1)?.phase;
  const model = (phase === undefined ? undefined : modelOfPhase[phase]) ?? 'model';
  return error.status === null
    ? `The ${model} cannot be used as the service is set up`
    : `The ${model} refused the request (${error.status})`;
};

/** What a job says of its task that has no attempt left. */
export const lastWords = (ordinal: number, task: TaskRecord | null): string => {
  const outcome = `Task ${ordinal} of the file could not be completed after several attempts`;
  // What a task that has saved its work says is what could not be read.
  const isExplained = task !== null && !task.saved && task.error !== null && task.error !== unexplained;
  return isExplained ? `${outcome}: ${task.error}` : outcome;
};

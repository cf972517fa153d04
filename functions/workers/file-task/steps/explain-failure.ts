import type { TaskRecord } from '../../../../shared/files/index.ts';
import type { Phase, TraceStep } from '../../../../shared/pipeline/steps.ts';
import { ModelFault } from '../../../../shared/platform/models/call-model.ts';

/** Error of a task if the cause of a failed attempt means nothing to the user. */
const unexplained = 'The task failed and is tried again';

/** Models that the phases of a task call. */
const modelOfPhase: { readonly [Name in Phase]?: string } = {
  'content.extract': 'model that reads pictures and recordings',
  'embedding.generate': 'embedding model',
};

/** Error of a task whose attempt failed and is repeated. A model's refusal is stated, for its operator. */
export const explainFailure = (error: unknown, trace: readonly TraceStep[]): string => {
  if (!(error instanceof ModelFault)) return unexplained;
  const phase = trace.at(-1)?.phase;
  const model = (phase === undefined ? undefined : modelOfPhase[phase]) ?? 'model';
  return error.status === null
    ? `The ${model} cannot be used with the configuration of this service`
    : `The ${model} refused the request (${error.status})`;
};

/** Error of a job whose task has no attempts left. */
export const finalTaskError = (ordinal: number, task: TaskRecord | null): string => {
  const outcome = `Task ${ordinal} of the file could not be completed after several attempts`;
  // The error of a task with saved work is a warning about unread content.
  const isExplained = task !== null && !task.saved && task.error !== null && task.error !== unexplained;
  return isExplained ? `${outcome}: ${task.error}` : outcome;
};

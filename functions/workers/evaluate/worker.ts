import { evaluationAddressIn, EvaluationMessage } from '../../../shared/evaluations/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { failEvaluation, runEvaluation } from './steps/run-evaluation.ts';
import { evaluateUses } from './uses.ts';

export const evaluate = worker({
  id: 'evaluate',
  summary: 'Searches with each question of a golden set, and measures what is found',
  queue: 'evaluations',
  message: EvaluationMessage,
  uses: evaluateUses,
  assets: ['engine'],
  attempts: 4,
  timeoutSeconds: 600,
  memoryMb: 3008,
  batchSize: 1,
  maxConcurrency: 10,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runEvaluation({ deps, run }, evaluationAddressIn(message));
    return [];
  },
  onExhausted: ({ message, deps, run }) => failEvaluation({ deps, run }, evaluationAddressIn(message)),
});

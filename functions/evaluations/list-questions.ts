import * as z from 'zod';
import {
  addressOfEvaluation,
  EvaluatedQuestion,
  evaluationsRead,
  pageOfQuestions,
  type QuestionResult,
  questionsKey,
  QuestionsOfEvaluation,
} from '../../shared/evaluations/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { AppError, notFound } from '../../shared/kernel/errors.ts';
import { contentReader } from '../../shared/platform/aws/content.ts';

export const listEvaluatedQuestions = endpoint({
  id: 'list-evaluated-questions',
  method: 'GET',
  path: '/v1/indexes/{index_id}/evaluations/{evaluation_id}/questions',
  tag: 'Evaluation',
  summary: 'List the questions of an evaluation',
  description:
    'Returns what each search has found for the questions of a completed evaluation, those with the largest losses first. The file of `questions_url` has all of them.',
  auth: { needs: 'read' },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, evaluations: evaluationsRead, content: contentReader('evaluated') },
  query: QuestionsOfEvaluation,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: z.array(EvaluatedQuestion),
  handle: async ({ caller, deps, path, query }) => {
    const { organizationId } = caller;
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, evaluationId: path.evaluation_id };
    const found = await deps.evaluations.find(address);
    if (found === null) throw notFound('Evaluation');
    if (found.status !== 'completed') throw new AppError('conflict', 'The evaluation has no results');
    const bytes = await deps.content.get(found.region, questionsKey(addressOfEvaluation(found)));
    if (bytes === null) throw notFound('Evaluation');
    const lines = Buffer.from(bytes).toString('utf8').trimEnd().split('\n');
    // Cast: the worker has written the lines.
    const questions = lines.map((line) => JSON.parse(line) as QuestionResult);
    return [...pageOfQuestions(questions, query)];
  },
});

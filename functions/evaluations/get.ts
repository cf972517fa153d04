import {
  EvaluationReport,
  evaluationsRead,
  questionsUrl,
  toEvaluationResponse,
} from '../../shared/evaluations/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { evaluatedPresign } from '../../shared/platform/aws/content.ts';

export const getEvaluation = endpoint({
  id: 'get-evaluation',
  method: 'GET',
  path: '/v1/indexes/{index_id}/evaluations/{evaluation_id}',
  tag: 'Evaluation',
  summary: 'Get an evaluation',
  description: 'Returns the evaluation, and a URL for the results of each question once it is completed.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, evaluations: evaluationsRead, content: evaluatedPresign },
  status: 200,
  response: EvaluationReport,
  handle: async ({ caller, deps, path }) => {
    const { organizationId } = caller;
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, evaluationId: path.evaluation_id };
    const found = await deps.evaluations.find(address);
    if (found === null) throw notFound('Evaluation');
    return { ...toEvaluationResponse(found), questions_url: await questionsUrl(deps.content, found) };
  },
});

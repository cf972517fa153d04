import * as z from 'zod';
import { EvaluationResponse, evaluationsRead, toEvaluationResponse } from '../../shared/evaluations/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listEvaluations = endpoint({
  id: 'list-evaluations',
  method: 'GET',
  path: '/v1/indexes/{index_id}/evaluations',
  tag: 'Evaluation',
  summary: 'List evaluations',
  description: 'Newest first. An evaluation is listed for 30 days.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, evaluations: evaluationsRead },
  query: pageQueryOf('eval'),
  status: 200,
  response: z.array(EvaluationResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { evaluations, next } = await deps.evaluations.list(
      caller.organizationId,
      path.index_id,
      toPageRequest(query),
    );
    return { body: evaluations.map(toEvaluationResponse), headers: nextCursorHeader(next) };
  },
});

import {
  createEvaluation as create,
  createEvaluationUses,
  EvaluationCreate,
  EvaluationResponse,
  toEvaluationResponse,
} from '../../shared/evaluations/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { summaryWeight } from '../../shared/vectors/index.ts';

export const createEvaluation = endpoint({
  id: 'create-evaluation',
  method: 'POST',
  path: '/v1/indexes/{index_id}/evaluations',
  tag: 'Evaluation',
  summary: 'Evaluate an index',
  description:
    'Searches with each question of a golden set as the search endpoints do, and measures what is found. With `compare_to`, the same searches are run on another index, a branch or the successor of a rebuild, and each difference is paired by question. All searches read one version of each. Each counts as a search in the usage. An evaluation has at most 20,000 searches, and at most 4 of an organization run at once; more are a 409. Results are kept for 30 days.',
  auth: { needs: 'write' },
  audit: {
    action: 'evaluation.created',
    after: ({ id }) => ({ id }),
    details: ['golden_set', 'compare_to'],
  },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['conflict', 'index_not_ready', 'not_supported_by_engine'],
  idempotent: true,
  uses: createEvaluationUses,
  body: EvaluationCreate,
  status: 202,
  response: EvaluationResponse,
  handle: async (call) => toEvaluationResponse(await create(call, call.path.index_id, call.body)),
});

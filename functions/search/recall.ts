import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { standingIndexAhead } from '../../shared/indexes/index.ts';
import {
  RecallBody,
  recallProblems,
  RecallResponse,
  recallUses,
  recallWeight,
  runRecall,
} from '../../shared/search/index.ts';

export const measureRecall = endpoint({
  id: 'measure-recall',
  method: 'POST',
  path: '/v1/indexes/{index_id}/recall',
  tag: 'Search',
  summary: 'Measure recall',
  description:
    'Asks the index with vectors drawn from it, or with given ones, by the default dense search and by the exact one, and tells how many of the exact hits the default search finds: once over all rows and once under a filter, which is made so that about one row in a hundred matches where none is given. A drawn vector is no answer to itself. No query is begun after 12 seconds. Each search counts in usage as a dense search; the request counts against the rate limit of searches as 12 for each query, and as 8 of those that may be in flight.',
  auth: { needs: 'read' },
  rate: 'searches',
  weight: recallWeight,
  errorCodes: ['index_not_ready', 'search_too_large'],
  uses: recallUses,
  body: RecallBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  status: 200,
  response: RecallResponse,
  prefetch: standingIndexAhead,
  problems: recallProblems,
  handle: (call) => runRecall(call, call.body),
});

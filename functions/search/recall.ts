import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchReadyIndex } from '../../shared/indexes/index.ts';
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
    'Measures which share of the exact hits the default dense search finds, with vectors drawn from the index or with given vectors. It measures once over all rows and once with a filter. Without a given filter, it derives one that about one row in a hundred matches. A drawn vector is not a hit of itself. No query begins after 12 seconds. Each search counts in usage as a dense search. The request counts as 12 searches for each query against the rate limit, and as 8 requests in flight.',
  auth: { needs: 'read' },
  rate: 'searches',
  weight: recallWeight,
  errorCodes: ['index_not_ready', 'search_too_large', 'not_supported_by_engine'],
  uses: recallUses,
  body: RecallBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  status: 200,
  response: RecallResponse,
  prefetch: prefetchReadyIndex,
  problems: recallProblems,
  handle: (call) => runRecall(call, call.body),
});

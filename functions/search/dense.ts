import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { embedderUse } from '../../shared/platform/models/capability.ts';
import { inProcessReader, readerSize } from '../../shared/reader/index.ts';
import {
  DenseSearch,
  runSearch,
  prefetchSearch,
  searchProblems,
  SearchResponse,
  searchUses,
  searchWeight,
} from '../../shared/search/index.ts';

export const denseSearch = endpoint({
  id: 'dense-search',
  method: 'POST',
  path: '/v1/indexes/{index_id}/search/dense',
  tag: 'Search',
  summary: 'Search by meaning',
  description:
    'Returns the nearest rows to a vector, or to the embedding of a text by the model of the index. A higher score is nearer: cosine similarity, or negative squared euclidean distance.',
  auth: { needs: 'read', servesBound: true, servesUsers: true },
  rate: 'searches',
  weight: searchWeight,
  errorCodes: [
    'plan_limit_reached',
    'conflict',
    'index_not_ready',
    'search_too_large',
    'not_supported_by_engine',
    'cursor_expired',
  ],
  uses: searchUses(inProcessReader(embedderUse)),
  ...readerSize,
  body: DenseSearch,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: SearchResponse,
  prefetch: prefetchSearch('dense'),
  problems: searchProblems('dense'),
  handle: (call) => runSearch(call, { mode: 'dense', ...call.body }),
});

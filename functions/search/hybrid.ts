import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { embedderUse } from '../../shared/platform/models/capability.ts';
import { inProcessReader, readerSize } from '../../shared/reader/index.ts';
import {
  HybridSearch,
  runSearch,
  prefetchSearch,
  searchProblems,
  SearchResponse,
  searchUses,
  searchWeight,
} from '../../shared/search/index.ts';

export const hybridSearch = endpoint({
  id: 'hybrid-search',
  method: 'POST',
  path: '/v1/indexes/{index_id}/search/hybrid',
  tag: 'Search',
  summary: 'Search by meaning and words',
  description:
    'Runs a dense and a sparse search, and fuses them by weighted reciprocal ranks or by a weighted sum of normalized scores: BM25 as a share of the best hit, similarities from the last candidate to the best. Each hit has its rank and score on both sides; `include: ["explanation"]` adds the contribution of each side to the score.',
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
  body: HybridSearch,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: SearchResponse,
  prefetch: prefetchSearch('hybrid'),
  problems: searchProblems('hybrid'),
  handle: (call) => runSearch(call, { mode: 'hybrid', ...call.body }),
});

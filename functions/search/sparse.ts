import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { inProcessReader, readerSize } from '../../shared/reader/index.ts';
import {
  SparseSearch,
  runSearch,
  prefetchSearch,
  searchProblems,
  SearchResponse,
  searchUses,
  searchWeight,
} from '../../shared/search/index.ts';

export const sparseSearch = endpoint({
  id: 'sparse-search',
  method: 'POST',
  path: '/v1/indexes/{index_id}/search/sparse',
  tag: 'Search',
  summary: 'Search by words',
  description:
    'Returns the rows whose text matches best by BM25, after stemming and without stop words. Words in double quotes must occur next to each other in that order. `-"…"` excludes rows with that phrase.',
  auth: { needs: 'read', servesBound: true, servesUsers: true },
  rate: 'searches',
  weight: searchWeight,
  errorCodes: ['index_not_ready', 'not_supported_by_engine', 'cursor_expired'],
  uses: searchUses(inProcessReader()),
  ...readerSize,
  body: SparseSearch,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: SearchResponse,
  prefetch: prefetchSearch('sparse'),
  problems: searchProblems('sparse'),
  handle: (call) => runSearch(call, { mode: 'sparse', ...call.body }),
});

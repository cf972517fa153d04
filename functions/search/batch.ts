import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchReadyIndex } from '../../shared/indexes/index.ts';
import { embedderUse } from '../../shared/platform/models/capability.ts';
import { inProcessReader, readerSize } from '../../shared/reader/index.ts';
import { BatchSearch, BatchSearchResponse, batchWeight, runBatch, searchUses } from '../../shared/search/index.ts';

export const searchBatch = endpoint({
  id: 'search-batch',
  method: 'POST',
  path: '/v1/indexes/{index_id}/search/batch',
  tag: 'Search',
  summary: 'Run several searches',
  description:
    'Runs up to 16 searches of any kind on one version of the index, and returns their responses in order. An error of one does not fail the others. Each counts as a search.',
  auth: { needs: 'read', servesBound: true, servesUsers: true },
  rate: 'searches',
  weight: batchWeight,
  errorCodes: ['index_not_ready', 'not_supported_by_engine'],
  uses: searchUses(inProcessReader(embedderUse)),
  ...readerSize,
  body: BatchSearch,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: BatchSearchResponse,
  prefetch: prefetchReadyIndex,
  handle: (call) => runBatch(call, call.body.searches),
});

import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchWritableIndex } from '../../shared/indexes/index.ts';
import {
  upsertVectors as upsert,
  UpsertBody,
  upsertProblems,
  upsertUses,
  UpsertResponse,
} from '../../shared/vectors/index.ts';

export const upsertVectors = endpoint({
  id: 'upsert-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors',
  tag: 'Vectors',
  summary: 'Upsert vectors',
  description:
    'Writes a list of items. Returns when all of them are durable and searchable. An item without a vector is embedded from its text. With `if_version`, all items are written or, if the version of one differs, none: the response is then a 409 whose `conflicts` are the first hundred such ids with their versions.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready', 'index_full'],
  rate: 'vector_writes',
  idempotent: true,
  uses: upsertUses,
  body: UpsertBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: UpsertResponse,
  prefetch: prefetchWritableIndex,
  problems: upsertProblems,
  handle: (call) => upsert(call, call.body),
});

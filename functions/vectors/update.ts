import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchWritableIndex } from '../../shared/indexes/index.ts';
import {
  UpdateBody,
  updateProblems,
  UpdateResponse,
  updateUses,
  updateVectors as update,
} from '../../shared/vectors/index.ts';

export const updateVectors = endpoint({
  id: 'update-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/update',
  tag: 'Vectors',
  summary: 'Update metadata',
  description:
    'Merges metadata into existing vectors, without their numbers or text. Ids that do not exist change nothing; `missing` has the first hundred. With `if_version`, all vectors are changed or, if the version of one differs, none: the response is then a 409 with `conflicts`.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['conflict', 'index_not_ready'],
  rate: 'vector_writes',
  idempotent: true,
  uses: updateUses,
  body: UpdateBody,
  maxBodyBytes: maxBulkBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: UpdateResponse,
  prefetch: prefetchWritableIndex,
  problems: updateProblems,
  handle: (call) => update(call, call.body),
});

import { FileJobResponse, toJobResponse } from '../../shared/files/index.ts';
import { expiryProblems } from '../../shared/http/expiry.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createImport as create, createImportUses, RemoteFileImport } from '../../shared/imports/index.ts';

export const createImport = endpoint({
  id: 'create-import',
  method: 'POST',
  path: '/v1/indexes/{index_id}/imports',
  tag: 'Files',
  summary: 'Import a file from object storage, a URL or an export',
  description:
    'Queues a file job that copies one object and processes it. The object is in S3, Google Cloud Storage or Azure Blob Storage, or at a URL. `export` imports the rows of an export with their vectors. Without `credentials` the object must be public. Credentials are kept encrypted until the copy is done, for a day at most, and no response contains them.',
  auth: { needs: 'write' },
  audit: {
    action: 'import.created',
    after: ({ id, filename }) => ({ id, name: filename }),
    details: ['provider', 'content_type', 'embed'],
  },
  errorCodes: ['plan_limit_reached', 'index_not_ready', 'index_full', 'conflict'],
  feature: 'imports',
  rate: 'file_jobs',
  idempotent: true,
  uses: createImportUses,
  body: RemoteFileImport,
  status: 202,
  response: FileJobResponse,
  problems: ({ body, clock }) => expiryProblems(body, ['body'], clock.now()),
  handle: async (call) => toJobResponse(await create(call, call.path.index_id, call.body)),
});

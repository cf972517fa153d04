import {
  FileJobResponse,
  FileUploadCreate,
  FileUploadResponse,
  startUpload,
  startUploadUses,
} from '../../shared/files/index.ts';
import { expiryProblems } from '../../shared/http/expiry.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createFile = endpoint({
  id: 'create-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'Start a file job',
  description:
    'Returns an upload URL. PUT the file to `upload_url` once, with exactly `upload_headers`. Processing begins when it has arrived. A repeat under the same `Idempotency-Key` returns the first response, and does not extend the validity of the URL. `on_duplicate` decides about files whose name exists in the index.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['plan_limit_reached', 'index_not_ready', 'index_full', 'conflict'],
  rate: 'file_jobs',
  idempotent: true,
  uses: startUploadUses,
  ignoresUnknownFields: true,
  body: FileUploadCreate,
  status: 201,
  response: FileUploadResponse,
  alternative: {
    status: 200,
    response: FileJobResponse,
    description:
      'Job of the file with the same name and checksum, with `on_duplicate: skip`. Nothing was created. If that job still awaits its upload, the response is a 201 with its id and another URL.',
  },
  problems: ({ body, clock }) => expiryProblems(body, ['body'], clock.now()),
  handle: (call) => startUpload(call, call.path.index_id, call.body),
});

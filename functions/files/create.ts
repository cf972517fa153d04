import { FileUploadCreate, FileUploadResponse, startUpload, startUploadUses } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createFile = endpoint({
  id: 'create-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'Start a file job',
  description:
    'Answers with an upload address: PUT the file to `upload_url` with exactly `upload_headers`, once. Processing begins when it has arrived. A repeat under the same `Idempotency-Key` gives the first answer, whose address is valid no longer than it was.',
  auth: { needs: 'write' },
  refuses: ['plan_limit_reached', 'index_not_ready'],
  rate: 'file_jobs',
  repeatable: true,
  uses: startUploadUses,
  body: FileUploadCreate,
  status: 201,
  response: FileUploadResponse,
  handle: (call) => startUpload(call, call.path.index_id, call.body, null),
});

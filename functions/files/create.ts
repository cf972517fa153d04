import { endpoint } from '../../shared/http/endpoint.ts';
import {
  FileUploadCreate,
  FileUploadResponse,
  filesWrite,
  startUpload,
  uploadSeconds,
} from '../../shared/files/index.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { contentPresign } from '../../shared/platform/aws/content.ts';

export const createFile = endpoint({
  id: 'create-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'Start a file job',
  description:
    'Answers with an upload address: PUT the file to `upload_url` with exactly `upload_headers`, once. Processing begins when it has arrived.',
  auth: { needs: 'write' },
  rate: 'file_jobs',
  creates: true,
  uses: { indexes: indexesRead, files: filesWrite, content: contentPresign },
  body: FileUploadCreate,
  status: 201,
  response: FileUploadResponse,
  handle: async (call) => {
    const { job, upload } = await startUpload(call, call.path.index_id, call.body);
    return {
      id: job.id,
      upload_url: upload.url,
      upload_headers: { ...upload.headers },
      object_key: job.objectKey,
      replaces_job_id: null,
      expires_in_seconds: uploadSeconds,
    };
  },
});

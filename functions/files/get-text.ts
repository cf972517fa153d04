import * as z from 'zod';
import {
  FileTextFormat,
  FileTextResponse,
  filesRead,
  fileTextUses,
  readFileText,
  requireCitedJob,
} from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getFileText = endpoint({
  id: 'get-file-text',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/text',
  tag: 'Files',
  summary: 'Get the text of a file',
  description:
    'Returns what was read of a completed file, as a whole. `markdown` has headings, tables, and a comment such as `<!-- page 7 -->` before each page. `text` is plain, with a form feed before each further page: positions of citations refer to it. A text of more than 4 MB is returned as a URL. Returns 409 if there is no text: the job is not completed, or the file was read by an earlier release.',
  auth: { needs: 'read', servesBound: true },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, files: filesRead, ...fileTextUses },
  timeoutSeconds: 29,
  memoryMb: 1769,
  query: z.strictObject({
    format: FileTextFormat.default('markdown').describe('Format of the text. Default `markdown`.'),
  }),
  status: 200,
  response: FileTextResponse,
  handle: async ({ caller, deps, path, query }) => {
    const { organizationId } = caller;
    const job = await requireCitedJob(deps, { organizationId, indexId: path.index_id, jobId: path.job_id });
    return readFileText(deps, job, query.format);
  },
});

import * as z from 'zod';
import { addBytes, addTextUses, FileJobResponse, FileUploadCreate, filesRead } from '../../../shared/files/index.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import { IndexResponse, IndexStats } from '../../../shared/indexes/index.ts';
import { notFound, ValidationFailure } from '../../../shared/kernel/errors.ts';
import { newId } from '../../../shared/kernel/ids.ts';
import { openaiFiles } from '../../../shared/openai-files/index.ts';
import { toJobResponse } from '../../../shared/files/index.ts';
import { SearchResponse } from '../../../shared/search/index.ts';
import { UpdateWhereResponse, VectorRecord } from '../../../shared/vectors/index.ts';
import { deleteFile } from '../../files/delete.ts';
import { getFile } from '../../files/get.ts';
import { listFileChunks } from '../../files/list-chunks.ts';
import { listFiles } from '../../files/list.ts';
import { createIndex } from '../../indexes/create.ts';
import { deleteIndex } from '../../indexes/delete.ts';
import { getIndex } from '../../indexes/get.ts';
import { getIndexStats } from '../../indexes/get-stats.ts';
import { listIndexes } from '../../indexes/list.ts';
import { updateIndex } from '../../indexes/update.ts';
import { operation } from '../../../shared/operations/index.ts';
import { endpoints as mcpEndpoints } from '../../mcp/steps/operations.ts';
import { updateVectorsByFilter } from '../../vectors/update-by-filter.ts';
import { Attributes } from './schemas.ts';

/** Milliseconds after which an attachment without a file job is one whose job was deleted, not one in progress. */
const attachMs = 60_000;

const attachFile = endpoint({
  id: 'openai-attach-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'Attach a file to an index',
  auth: { needs: 'write' },
  rate: 'file_jobs',
  uses: { ...addTextUses, jobs: filesRead, originals: openaiFiles },
  body: z.object({
    file_id: z.string(),
    attributes: Attributes,
    chunking: z.record(z.string(), z.number()),
  }),
  status: 200,
  response: FileJobResponse,
  handle: async (call) => {
    const { body, caller, clock, deps, path } = call;
    const { organizationId } = caller;
    const file = await deps.originals.get(organizationId, body.file_id);
    const bytes = file?.isStored === true ? await deps.originals.read(file) : null;
    if (file === null || bytes === null) throw notFound('File');
    const at = clock.now();
    const wanted = {
      fileId: file.id,
      indexId: path.index_id,
      jobId: newId('job', at),
      attributes: body.attributes,
      createdAt: at.toISOString(),
    };
    let attached = await deps.originals.attach(organizationId, wanted, null);
    const jobOf = () => deps.jobs.get({ organizationId, indexId: path.index_id, jobId: attached.jobId });
    let job = await jobOf();
    if (job === null && at.getTime() - Date.parse(attached.createdAt) > attachMs) {
      attached = await deps.originals.attach(organizationId, wanted, attached);
      job = await jobOf();
    }
    // A job without its file is that of an earlier run that ended before it had stored the file.
    if (job !== null && job.status !== 'awaiting_upload') return toJobResponse(job);
    const sent = {
      filename: file.filename,
      content_type: file.contentType,
      metadata: { ...attached.attributes, ...body.chunking, file_id: file.id },
    };
    const parsed = FileUploadCreate.safeParse(sent);
    if (!parsed.success) throw new ValidationFailure(problemsOf('body', parsed.error.issues, sent));
    const createdAt = new Date(attached.createdAt);
    const idempotency = { ...call.idempotency, at: createdAt, id: () => attached.jobId };
    return addBytes({ deps, caller, idempotency }, path.index_id, parsed.data, bytes);
  },
});

/** Operations of the OpenAI API, which are the endpoints of the service. */
export const operationUses = {
  createIndex: operation(createIndex, IndexResponse),
  getIndex: operation(getIndex, IndexResponse),
  listIndexes: operation(listIndexes, z.array(IndexResponse)),
  updateIndex: operation(updateIndex, IndexResponse),
  deleteIndex: operation(deleteIndex, z.unknown()),
  getIndexStats: operation(getIndexStats, IndexStats),
  attachFile: operation(attachFile, FileJobResponse),
  getFile: operation(getFile, FileJobResponse),
  listFiles: operation(listFiles, z.array(FileJobResponse)),
  deleteFile: operation(deleteFile, z.unknown()),
  listFileChunks: operation(listFileChunks, z.array(VectorRecord)),
  updateVectors: operation(updateVectorsByFilter, UpdateWhereResponse),
  search: operation(mcpEndpoints.search, SearchResponse),
};

import * as z from 'zod';
import {
  addCopy,
  addCopyUses,
  FileJobResponse,
  FileReplacement,
  filesRead,
  toJobResponse,
} from '../../../shared/files/index.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import { indexesRead, IndexResponse, requireIndex } from '../../../shared/indexes/index.ts';
import { notFound, ValidationFailure } from '../../../shared/kernel/errors.ts';
import { newId } from '../../../shared/kernel/ids.ts';
import { openaiFiles } from '../../../shared/openai-files/index.ts';
import { SearchResponse } from '../../../shared/search/index.ts';
import { UpdateWhereResponse, VectorRecord } from '../../../shared/vectors/index.ts';
import { cancelFile } from '../../files/cancel.ts';
import { deleteFile } from '../../files/delete.ts';
import { getFile } from '../../files/get.ts';
import { listFileChunks } from '../../files/list-chunks.ts';
import { createIndex } from '../../indexes/create.ts';
import { deleteIndex } from '../../indexes/delete.ts';
import { getIndex } from '../../indexes/get.ts';
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
  auth: { needs: 'write', servesBound: true },
  rate: 'file_jobs',
  uses: { ...addCopyUses, jobs: filesRead, stored: openaiFiles },
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
    const at = clock.now();
    const wanted = {
      fileId: body.file_id,
      indexId: path.index_id,
      jobId: newId('job', at),
      attributes: body.attributes,
      createdAt: at.toISOString(),
    };
    await requireIndex(deps.indexes, organizationId, path.index_id);
    let attached = await deps.stored.attach(organizationId, wanted, null);
    // Read after the attachment is stored: a deletion of the file either finds it or is seen here.
    const file = await deps.stored.get(organizationId, body.file_id);
    if (file === null || !file.isStored || file.deletingAt !== null) {
      if (attached.jobId === wanted.jobId) await deps.stored.detach(organizationId, attached);
      throw notFound('File');
    }
    const jobOf = () => deps.jobs.get({ organizationId, indexId: path.index_id, jobId: attached.jobId });
    let job = await jobOf();
    if (job === null && at.getTime() - Date.parse(attached.createdAt) > attachMs) {
      attached = await deps.stored.attach(organizationId, wanted, attached);
      job = await jobOf();
    }
    // A job without its file is that of an earlier run that ended before it had stored the file.
    if (job !== null && job.status !== 'awaiting_upload') return toJobResponse(job);
    const sent = {
      filename: file.filename,
      content_type: file.contentType,
      size_bytes: file.sizeBytes,
      metadata: { ...attached.attributes, ...body.chunking, file_id: file.id },
    };
    const parsed = FileReplacement.safeParse(sent);
    if (!parsed.success) throw new ValidationFailure(problemsOf('body', parsed.error.issues, sent));
    const createdAt = new Date(attached.createdAt);
    const idempotency = { ...call.idempotency, at: createdAt, id: () => attached.jobId };
    return addCopy({ deps, caller, idempotency }, path.index_id, parsed.data, deps.stored.objectOf(file));
  },
});

/** Operations of the OpenAI API, which are the endpoints of the service. */
export const operationUses = {
  createIndex: operation(createIndex, IndexResponse),
  getIndex: operation(getIndex, IndexResponse),
  updateIndex: operation(updateIndex, IndexResponse),
  deleteIndex: operation(deleteIndex, z.unknown()),
  attachFile: operation(attachFile, FileJobResponse),
  getFile: operation(getFile, FileJobResponse),
  cancelFile: operation(cancelFile, FileJobResponse),
  deleteFile: operation(deleteFile, z.unknown()),
  listFileChunks: operation(listFileChunks, z.array(VectorRecord)),
  updateVectors: operation(updateVectorsByFilter, UpdateWhereResponse),
  search: operation(mcpEndpoints.search, SearchResponse),
};

/** Reads of lists in either order, after an operation has checked the access. */
export const listUses = { jobs: filesRead, indexes: indexesRead };

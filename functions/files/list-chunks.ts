import * as z from 'zod';
import { chunkIds, filesRead, requireCitedJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireReadyIndex } from '../../shared/indexes/index.ts';
import { engines } from '#engine';
import { readerInvoke } from '../../shared/reader/index.ts';
import { toVectorRecord, VectorRecord } from '../../shared/vectors/index.ts';

export const listFileChunks = endpoint({
  id: 'list-file-chunks',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/chunks',
  tag: 'Files',
  summary: 'List the chunks of a file',
  description:
    'Returns the rows that a file job wrote, in the order of the file. Rows to which the file gave ids of its own are not among them: list or fetch those as vectors.',
  auth: { needs: 'read', servesBound: true },
  errorCodes: ['index_not_ready'],
  uses: { indexes: indexesRead, files: filesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  query: PageQuery,
  status: 200,
  response: z.array(VectorRecord),
  handle: async ({ caller, deps, path, query }) => {
    const index = await requireReadyIndex(deps.indexes, caller.organizationId, path.index_id);
    const job = await requireCitedJob(deps, {
      organizationId: caller.organizationId,
      indexId: index.id,
      jobId: path.job_id,
    });
    // Ids of chunks begin with the id of the job, followed by the position in the file.
    const prefix = `${job.id}:`;
    const page = toPageRequest(query);
    if (!engines[index.engine].listsById) {
      const ids = chunkIds(job.id, await deps.files.tasks(job.organizationId, job.id));
      const { items, next } = paginate(ids, (id) => id, page);
      const { rows } = await deps.reader.execute(index, {
        op: 'fetch',
        ids: [...items],
        filter: null,
        include_vector: false,
      });
      return { body: rows.map(toVectorRecord), headers: nextCursorHeader(next) };
    }
    const { limit, after } = page;
    const { rows, next } = await deps.reader.execute(index, {
      op: 'list',
      order: null,
      limit,
      filter: null,
      after: after !== null && after > prefix ? after : prefix,
      include_vector: false,
    });
    const chunks = rows.filter(({ id }) => id.startsWith(prefix));
    const isEnd = chunks.length < rows.length;
    return { body: chunks.map(toVectorRecord), headers: nextCursorHeader(isEnd ? null : next) };
  },
});

import * as z from 'zod';
import { filesRead, openCitations, partLengths, requireCitedJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { booleanText } from '../../shared/http/schema-helpers.ts';
import { indexesRead, requireReadyIndex } from '../../shared/indexes/index.ts';
import { ValidationFailure, valueProblem } from '../../shared/kernel/errors.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
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
  uses: { indexes: indexesRead, files: filesRead, reader: readerInvoke, partLengths },
  timeoutSeconds: 29,
  query: PageQuery.extend({
    around: z
      .string()
      .max(600)
      .optional()
      .describe('Id of a chunk. Half of the first page are chunks before it. Without effect with `cursor`.'),
    include_citations: booleanText.default(false).describe('Whether chunks have their places in the file.'),
  }),
  status: 200,
  response: z.array(VectorRecord),
  handle: async ({ caller, deps, path, query }) => {
    const { organizationId } = caller;
    const index = await requireReadyIndex(deps.indexes, organizationId, path.index_id);
    const job = await requireCitedJob(deps, { organizationId, indexId: index.id, jobId: path.job_id });
    const { around = null, include_citations: isCited } = query;
    const { limit, after } = toPageRequest(query);
    const { rows, next, isFound } = await deps.reader.execute(index, {
      op: 'chunks',
      job_id: job.id,
      around: after === null ? around : null,
      after,
      limit,
      filter: null,
    });
    if (!isFound)
      throw new ValidationFailure([valueProblem(['query', 'around'], 'The file has no chunk with this id')]);
    const cite = openCitations(deps.partLengths, organizationId);
    const body = await inParallel(rows, limit, async (row) => {
      const citation = isCited ? await cite(row) : null;
      return { ...toVectorRecord(row), ...(citation === null ? {} : { citation }) };
    });
    return { body: [...body], headers: nextCursorHeader(next) };
  },
});

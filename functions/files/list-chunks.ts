import * as z from 'zod';
import { chunkIds, filesRead, openCitations, partLengths, requireCitedJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import { booleanText } from '../../shared/http/schema-helpers.ts';
import { indexesRead, requireReadyIndex } from '../../shared/indexes/index.ts';
import { ValidationFailure, valueProblem } from '../../shared/kernel/errors.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { engines } from '#engine';
import { readerInvoke } from '../../shared/reader/index.ts';
import { toVectorRecord, VectorRecord } from '../../shared/vectors/index.ts';

/** Returns the id before the first of `limit` chunks around one; `null` for the beginning. Throws 422. */
const idBefore = (ids: readonly string[], around: string, limit: number): string | null => {
  const at = ids.indexOf(around);
  if (at === -1) throw new ValidationFailure([valueProblem(['query', 'around'], 'The file has no chunk with this id')]);
  return ids[at - Math.floor(limit / 2) - 1] ?? null;
};

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
    const { around, include_citations: isCited } = query;
    const { limit, after: cursor } = toPageRequest(query);
    const { listsById } = engines[index.engine];
    const ids =
      listsById && (around === undefined || cursor !== null)
        ? []
        : chunkIds(job.id, await deps.files.tasks(organizationId, job.id));
    const after = around === undefined || cursor !== null ? cursor : idBefore(ids, around, limit);
    const cite = openCitations(deps.partLengths, organizationId);
    const present = async (rows: readonly Parameters<typeof toVectorRecord>[0][]) =>
      inParallel(rows, limit, async (row) => {
        const citation = isCited ? await cite(row) : null;
        return { ...toVectorRecord(row), ...(citation === null ? {} : { citation }) };
      });
    if (!listsById) {
      const { items, next } = paginate(ids, (id) => id, { limit, after });
      const { rows } = await deps.reader.execute(index, {
        op: 'fetch',
        ids: [...items],
        filter: null,
        include_vector: false,
      });
      return { body: [...(await present(rows))], headers: nextCursorHeader(next) };
    }
    // Ids of chunks begin with the id of the job, followed by the position in the file.
    const prefix = `${job.id}:`;
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
    return { body: [...(await present(chunks))], headers: nextCursorHeader(isEnd ? null : next) };
  },
});

import * as z from 'zod';
import { sealedCursors } from '../../shared/db/sealed-cursors.ts';
import { FileJobResponse, FileListQuery, filesRead, toJobResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, invalidCursor, nextCursorHeader, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { invalid } from '../../shared/kernel/errors.ts';

export const listFiles = endpoint({
  id: 'list-files',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'List file jobs',
  description:
    'Returns file jobs, newest first. With a filter, or a credential that is bound to rows, a page may have fewer jobs than `limit`, or none, although more follow: go on while there is an `x-next-cursor`.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, files: filesRead, cursors: sealedCursors('file-list') },
  query: FileListQuery.extend({ cursor: cursorOf(/^(?:job_[0-9a-z]{26}|sealed1:[\w+/=:.-]+)$/) }),
  status: 200,
  response: z.array(FileJobResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { organizationId, subjectId, bounds } = caller;
    const context = JSON.stringify([organizationId, subjectId, path.index_id]);
    const page = toPageRequest(query);
    const after =
      page.after?.startsWith('sealed1:') === true ? await deps.cursors.open(page.after, context) : page.after;
    if (after === null && page.after !== null) throw invalid(['query', 'cursor'], invalidCursor);
    const { jobs, next } = await deps.files.list(organizationId, path.index_id, {
      limit: page.limit,
      after,
      filter: { statuses: query.status, source: query.source, text: query.q },
    });
    // The position may be the id of a job that the caller may not see.
    const isSealed = bounds !== null && next !== null && next !== jobs.at(-1)?.id;
    const cursor = isSealed ? await deps.cursors.seal(next, context) : next;
    return { body: jobs.map((job) => toJobResponse(job)), headers: nextCursorHeader(cursor) };
  },
});

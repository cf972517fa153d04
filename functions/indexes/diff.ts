import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import {
  BranchDifference,
  detachedMessage,
  indexesRead,
  requireFeature,
  requireReadyIndex,
} from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { readerInvoke } from '../../shared/reader/index.ts';

export const diffIndex = endpoint({
  id: 'diff-index',
  method: 'GET',
  path: '/v1/indexes/{index_id}/diff',
  tag: 'Indexes',
  summary: 'Compare a branch with its parent',
  description:
    'Ids of vectors that the branch has added, changed or deleted, compared with its parent as of the branch point, in order of id. A written vector counts as changed even if its content is the same. Later changes of the parent are not included. Counts as one search.',
  auth: { needs: 'read' },
  rate: 'searches',
  errorCodes: ['conflict', 'index_not_ready', 'not_supported_by_engine'],
  feature: 'branching',
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  query: PageQuery,
  status: 200,
  response: z.array(BranchDifference),
  handle: async ({ caller, deps, path, query }) => {
    const index = await requireReadyIndex(deps.indexes, caller.organizationId, path.index_id);
    requireFeature(index, 'branches');
    if (index.parentIndexId === null) throw new AppError('conflict', 'The index is no branch');
    if (index.layers.length === 1) throw new AppError('conflict', detachedMessage);
    const { differences, next } = await deps.reader.execute(index, { op: 'diff', ...toPageRequest(query) });
    return { body: [...differences], headers: nextCursorHeader(next) };
  },
});

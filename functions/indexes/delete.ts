import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { indexesWrite, logSend, requireIndex } from '../../shared/indexes/index.ts';
import { usageWrite } from '../../shared/usage/index.ts';

export const deleteIndex = endpoint({
  id: 'delete-index',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Delete an index',
  description:
    'Gone for callers at once. Branches of it stay as they are; its storage is freed once none stands on it.',
  auth: { needs: 'write' },
  uses: { indexes: indexesWrite, log: logSend, usage: usageWrite },
  status: 204,
  handle: async ({ caller, deps, path }) => {
    const index = await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    if (!(await deps.indexes.markDeleting(caller.organizationId, index.id))) throw notFound('Index');
    await deps.usage.releaseIndex(caller.organizationId, index.id);
    await deps.log.append(index, { op: 'drop' });
    return undefined;
  },
});

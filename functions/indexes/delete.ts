import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { indexesWrite, logSend } from '../../shared/indexes/index.ts';
import { usageWrite } from '../../shared/usage/index.ts';

export const deleteIndex = endpoint({
  id: 'delete-index',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Delete an index',
  description:
    'Callers do not see the index any more at once. Its branches stay as they are, and its storage is freed when none of them reads it.',
  auth: { needs: 'write' },
  uses: { indexes: indexesWrite, log: logSend, usage: usageWrite },
  status: 204,
  handle: async ({ caller, clock, deps, path }) => {
    const index = await deps.indexes.get(caller.organizationId, path.index_id);
    if (index === null) throw notFound('Index');
    const isFirst = await deps.indexes.markDeleting(caller.organizationId, index.id, clock.now().toISOString());
    // An earlier deletion may have died before this.
    await deps.usage.releaseIndex(caller.organizationId, index.id);
    await deps.log.append(index, { op: 'drop' });
    if (!isFirst) throw notFound('Index');
    return undefined;
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { rebuildsSend, rebuildsWrite, requireRebuild } from '../../shared/rebuilds/index.ts';

export const deleteRebuild = endpoint({
  id: 'delete-rebuild',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/rebuilds/{rebuild_id}',
  tag: 'Rebuilds',
  summary: 'Cancel or close a rebuild',
  description:
    'Cancels a rebuild that has not taken over: the index stays as it is. After the takeover, it ends the time in which that can be undone, and the former content is deleted. A rebuild that is taking over at this moment is a 409.',
  auth: { needs: 'write', unrestricted: true },
  audit: { action: 'rebuild.closed', before: ({ path }) => ({ id: path.rebuild_id }) },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, rebuilds: rebuildsWrite, queue: rebuildsSend },
  status: 204,
  handle: async ({ caller: { organizationId }, clock, deps, path }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, rebuildId: path.rebuild_id };
    const found = await requireRebuild(deps.rebuilds, address);
    const closed =
      (await deps.rebuilds.cancel(address)) ?? (await deps.rebuilds.endWindow(address, clock.now().toISOString()));
    if (
      closed === null &&
      found.endedAt === null &&
      ['switching', 'rolling_back', 'switching_back'].includes(found.status)
    )
      throw new AppError('conflict', 'The rebuild is taking over or being undone. Try again in a few seconds');
    await deps.queue.send(found.region, address);
    return undefined;
  },
});

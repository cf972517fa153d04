import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { pauseAfter } from '../../shared/kernel/wait-for-others.ts';
import {
  type RebuildRecord,
  RebuildResponse,
  rebuildsSend,
  rebuildsWrite,
  requireRebuild,
  toRebuildResponse,
} from '../../shared/rebuilds/index.ts';

/** Milliseconds for which a request waits until the former content serves. */
const patienceMs = 20_000;

/** Checks after which the pauses between them, of up to a third of a second, grow no more. */
const longestPause = 4;

const isUnderWay = ({ status }: RebuildRecord): boolean => status === 'rolling_back' || status === 'switching_back';

export const rollBackRebuild = endpoint({
  id: 'roll-back-rebuild',
  method: 'POST',
  path: '/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback',
  tag: 'Rebuilds',
  summary: 'Undo a rebuild',
  description:
    'Makes the former content that of the index again, with all changes that were made since the takeover. Takes about a second, and returns with the status `rolling_back` if it takes longer. After `rollback_until` it is a 409.',
  auth: { needs: 'write', unrestricted: true },
  audit: { action: 'rebuild.rolled_back', before: ({ path }) => ({ id: path.rebuild_id }) },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, rebuilds: rebuildsWrite, queue: rebuildsSend },
  timeoutSeconds: 29,
  status: 200,
  response: RebuildResponse,
  handle: async ({ caller: { organizationId }, clock, deps, path }) => {
    await requireIndex(deps.indexes, organizationId, path.index_id);
    const address = { organizationId, indexId: path.index_id, rebuildId: path.rebuild_id };
    let found = await requireRebuild(deps.rebuilds, address);
    if (found.status === 'rolled_back') return toRebuildResponse(found);
    const begun = await deps.rebuilds.rollBack(address, clock.now().toISOString());
    if (begun === null && !isUnderWay(found))
      throw new AppError('conflict', 'Only a rebuild that has taken over can be undone, until `rollback_until`');
    await deps.queue.send(found.region, address);
    const startedMs = performance.now();
    for (let attempt = 0; performance.now() - startedMs < patienceMs; attempt += 1) {
      found = await requireRebuild(deps.rebuilds, address);
      if (!isUnderWay(found)) break;
      await pauseAfter(Math.min(attempt, longestPause));
    }
    if (found.status === 'completed') throw new AppError('conflict', found.error ?? 'The rebuild could not be undone');
    return toRebuildResponse(found);
  },
});

import { endpoint } from '../../shared/http/endpoint.ts';
import {
  IndexPromote,
  promoteIndex as promote,
  promoteIndexUses,
  PromoteResponse,
} from '../../shared/indexes/index.ts';

/** Weight of a promotion, which writes all changes of a branch as one commit of its parent. */
const promotionWeight = { rate: 10, inFlight: 10 };

export const promoteIndex = endpoint({
  id: 'promote-index',
  method: 'POST',
  path: '/v1/indexes/{index_id}/promote',
  tag: 'Indexes',
  summary: 'Promote a branch',
  description:
    'Makes the content of a branch the content of its parent, in one commit: a search sees all of it or nothing. For vectors that the branch has written or deleted, the branch wins. The branch stays as it is. If the parent has been deleted, the response is 409.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'index.promoted',
    before: async ({ caller, deps, path }) => {
      const index = await deps.indexes.get(caller.organizationId, path.index_id);
      return { id: path.index_id, name: index?.name ?? null };
    },
    details: ['parent_changes', 'embed'],
  },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready', 'index_full', 'not_supported_by_engine'],
  feature: 'branching',
  rate: 'vector_writes',
  weight: () => promotionWeight,
  idempotent: true,
  uses: promoteIndexUses,
  body: IndexPromote,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: PromoteResponse,
  handle: async (call) => {
    const { parentId, written, deleted } = await promote(call, call.path.index_id, {
      parentChanges: call.body.parent_changes,
      embed: call.body.embed,
    });
    return { index_id: parentId, vectors_written: written, vectors_deleted: deleted };
  },
});

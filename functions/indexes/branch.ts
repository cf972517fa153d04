import { endpoint } from '../../shared/http/endpoint.ts';
import {
  branchIndex as branch,
  branchIndexUses,
  IndexBranchCreate,
  IndexResponse,
  toIndexResponse,
} from '../../shared/indexes/index.ts';

export const branchIndex = endpoint({
  id: 'branch-index',
  method: 'POST',
  path: '/v1/indexes/{index_id}/branches',
  tag: 'Indexes',
  summary: 'Branch an index',
  description:
    'A copy-on-write branch of all that was acknowledged before the call. Neither side sees later changes of the other. All that it holds counts in `vectors_stored`, in the bytes stored and against the vectors of the plan, also what it shares with its parent; the answer is 402 where the plan has no room for that.',
  auth: { needs: 'write', unrestricted: true },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready'],
  feature: 'branching',
  idempotent: true,
  uses: branchIndexUses,
  body: IndexBranchCreate,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 201,
  response: IndexResponse,
  handle: async (call) => toIndexResponse(await branch(call, call.path.index_id, call.body.name)),
});

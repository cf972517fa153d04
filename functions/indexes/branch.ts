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
    'Creates a copy-on-write branch of the index as of all changes that were acknowledged before the call. Neither side sees later changes of the other. All rows of the branch count in `vectors_stored`, in the stored bytes and against the vectors of the plan, including the rows that it shares with its parent. If the plan has too few vectors left, the response is 402.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'index.branched',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
  },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready', 'not_supported_by_engine'],
  feature: 'branching',
  idempotent: true,
  uses: branchIndexUses,
  ignoresUnknownFields: true,
  body: IndexBranchCreate,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 201,
  response: IndexResponse,
  handle: async (call) => toIndexResponse(await branch(call, call.path.index_id, call.body.name)),
});

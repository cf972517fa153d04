import { endpoint } from '../../shared/http/endpoint.ts';
import { IndexPromote, PromoteResponse, type Proof, proofUses, requireProof } from '../../shared/evaluations/index.ts';
import { promoteIndex as promote, promoteIndexUses } from '../../shared/indexes/index.ts';

/** Weight of a promotion, which writes all changes of a branch as one commit of its parent. */
const promotionWeight = { rate: 10, inFlight: 10 };

export const promoteIndex = endpoint({
  id: 'promote-index',
  method: 'POST',
  path: '/v1/indexes/{index_id}/promote',
  tag: 'Indexes',
  summary: 'Promote a branch',
  description:
    'Makes the content of a branch the content of its parent, in one commit: a search sees all of it or nothing. For vectors that the branch has written or deleted, the branch wins. The branch stays as it is. With `require`, the branch must first prove itself by a golden set of the parent. If the parent has been deleted, the response is 409.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'index.promoted',
    before: async ({ caller, deps, path }) => {
      const index = await deps.indexes.get(caller.organizationId, path.index_id);
      return { id: path.index_id, name: index?.name ?? null };
    },
    details: ['parent_changes', 'embed', 'require'],
  },
  errorCodes: [
    'plan_limit_reached',
    'conflict',
    'index_not_ready',
    'index_full',
    'evaluation_running',
    'evaluation_failed',
    'golden_set_too_small',
    'not_supported_by_engine',
  ],
  feature: 'branching',
  rate: 'vector_writes',
  weight: () => promotionWeight,
  idempotent: true,
  uses: { ...proofUses, ...promoteIndexUses },
  body: IndexPromote,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: PromoteResponse,
  handle: async (call) => {
    const { caller, clock, deps } = call;
    const { parent_changes: parentChanges, embed, require: required } = call.body;
    let proof: Proof | undefined;
    const prove: Parameters<typeof promote>[2]['prove'] = async (branch, index) => {
      if (required === undefined) return;
      const { golden_set: goldenSet, ...requirement } = required;
      const candidate = {
        index,
        comparedTo: { indexId: branch.id },
        content: [branch.id, branch.layers[0].table, String(branch.state.commitVersion)],
        since: branch.lastWrittenAt ?? branch.createdAt,
        createdBy: caller.subjectId,
      };
      proof = await requireProof(deps, clock, candidate, { goldenSet, requirement });
    };
    const { parentId, written, deleted } = await promote(call, call.path.index_id, {
      parentChanges,
      embed,
      prove: required === undefined ? null : prove,
    });
    const evaluation = proof === undefined ? {} : { evaluation: proof };
    return { index_id: parentId, vectors_written: written, vectors_deleted: deleted, ...evaluation };
  },
});

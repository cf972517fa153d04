import { endpoint } from '../../shared/http/endpoint.ts';
import { RebuildCreate } from '../../shared/evaluations/index.ts';
import {
  createRebuild as create,
  createRebuildUses,
  RebuildStart,
  toRebuildResponse,
} from '../../shared/rebuilds/index.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { summaryWeight } from '../../shared/vectors/index.ts';

export const createRebuild = endpoint({
  id: 'create-rebuild',
  method: 'POST',
  path: '/v1/indexes/{index_id}/rebuilds',
  tag: 'Rebuilds',
  summary: 'Rebuild an index',
  description:
    'Gives the index another embedding model, text language, engine or chunks of another size, under the same id and without a gap. A successor is filled beside the index, follows its changes, and takes over in one step. No answer mixes the two. Files are not read again: with `chunking`, the text that was read of them is cut again. With `golden_set` and `require`, it must first prove itself. Until `rollback_until` the former content is kept up to date, so that the takeover can be undone without loss. At most 2 rebuilds of an organization fill a successor at once.',
  auth: { needs: 'write', unrestricted: true },
  audit: {
    action: 'rebuild.created',
    after: ({ rebuild }) => ({ id: rebuild?.id ?? null }),
    details: ['embedding_model', 'text_language', 'engine', 'chunking', 'golden_set', 'require'],
  },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['conflict', 'index_not_ready'],
  idempotent: true,
  uses: createRebuildUses,
  body: RebuildCreate,
  timeoutSeconds: 29,
  status: 202,
  response: RebuildStart,
  alternative: { status: 200, response: RebuildStart, description: 'The estimate of a dry run. Nothing has changed.' },
  handle: async (call) => {
    const { golden_set: goldenSet, require: requirement, ...fields } = call.body;
    // Cast: the requirement is JSON, but the type of a filter is not.
    const proof =
      goldenSet === undefined || requirement === undefined
        ? null
        : { goldenSet, requirement: requirement as unknown as JsonObject };
    const { rebuild, estimate } = await create(call, call.path.index_id, fields, proof);
    const body = { rebuild: rebuild === null ? null : toRebuildResponse(rebuild), estimate };
    return rebuild === null ? { status: 200, body } : body;
  },
});

import { goldenSetsWrite } from '../../shared/golden-sets/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const deleteGoldenSet = endpoint({
  id: 'delete-golden-set',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/golden-sets/{golden_set}',
  tag: 'Evaluation',
  summary: 'Delete a golden set',
  description: 'Deletes all versions of a golden set. Results of its evaluations stay.',
  auth: { needs: 'write' },
  audit: { action: 'golden_set.deleted', before: ({ path }) => ({ id: path.golden_set, name: path.golden_set }) },
  uses: { indexes: indexesRead, sets: goldenSetsWrite },
  status: 204,
  prefetch: prefetchIndex,
  handle: async ({ deps, path, prefetched }) => {
    if (!(await deps.sets.delete(await prefetched, path.golden_set))) throw notFound('Golden set');
    return undefined;
  },
});

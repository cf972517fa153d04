import * as z from 'zod';
import { GoldenSetResponse, goldenSetsRead, toGoldenSetResponse } from '../../shared/golden-sets/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const listGoldenSetVersions = endpoint({
  id: 'list-golden-set-versions',
  method: 'GET',
  path: '/v1/indexes/{index_id}/golden-sets/{golden_set}/versions',
  tag: 'Evaluation',
  summary: 'List versions of a golden set',
  description: 'Returns the kept versions of a golden set, newest first.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, sets: goldenSetsRead },
  status: 200,
  response: z.array(GoldenSetResponse),
  prefetch: prefetchIndex,
  handle: async ({ deps, path, prefetched }) => {
    const versions = await deps.sets.versions(await prefetched, path.golden_set);
    if (versions.length === 0) throw notFound('Golden set');
    return versions.map(toGoldenSetResponse);
  },
});

import * as z from 'zod';
import { GoldenSetResponse, goldenSetsRead, toGoldenSetResponse } from '../../shared/golden-sets/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { goldenSetPattern } from '../../shared/kernel/ids.ts';

export const listGoldenSets = endpoint({
  id: 'list-golden-sets',
  method: 'GET',
  path: '/v1/indexes/{index_id}/golden-sets',
  tag: 'Evaluation',
  summary: 'List golden sets',
  description: 'Returns the newest version of each golden set of an index, in order of name.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, sets: goldenSetsRead },
  query: PageQuery.extend({ cursor: cursorOf(goldenSetPattern) }),
  status: 200,
  response: z.array(GoldenSetResponse),
  prefetch: prefetchIndex,
  handle: async ({ deps, query, prefetched }) => {
    const { sets, next } = await deps.sets.list(await prefetched, toPageRequest(query));
    return { body: sets.map(toGoldenSetResponse), headers: nextCursorHeader(next) };
  },
});

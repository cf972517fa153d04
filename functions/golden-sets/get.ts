import * as z from 'zod';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { goldenSetsRead, questionsOf, StoredQuestion } from '../../shared/golden-sets/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { integerText } from '../../shared/http/schema-helpers.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const getGoldenSet = endpoint({
  id: 'get-golden-set',
  method: 'GET',
  path: '/v1/indexes/{index_id}/golden-sets/{golden_set}',
  tag: 'Evaluation',
  summary: 'Get a golden set',
  description: 'Returns the questions of a version.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, sets: goldenSetsRead },
  query: z.strictObject({
    version: integerText(1, 99_999_999).optional().describe('Number of the version. Default: the newest one.'),
  }),
  status: 200,
  response: z.array(StoredQuestion),
  prefetch: prefetchIndex,
  handle: async ({ deps, path, query, prefetched }) => {
    const index = await prefetched;
    const found = await deps.sets.find(index, path.golden_set, query.version);
    const questions = found === null ? null : await questionsOf(deps.sets, index, found);
    if (questions === null) throw notFound('Golden set');
    // Cast: a filter is JSON, but its type is not.
    return questions.map(({ filter, ...question }) => ({
      ...question,
      ...(filter == null ? {} : { filter: filter as unknown as JsonObject }),
    }));
  },
});

import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  GoldenQuestions,
  GoldenSetResponse,
  goldenSetsWrite,
  maxQuestions,
  toGoldenSetResponse,
} from '../../shared/golden-sets/index.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { isObject } from '../../shared/kernel/json.ts';
import { hiddenKeyProblems } from '../../shared/vectors/index.ts';
import { filterKeys } from '#engine';

export const putGoldenSet = endpoint({
  id: 'put-golden-set',
  method: 'PUT',
  path: '/v1/indexes/{index_id}/golden-sets/{golden_set}',
  tag: 'Evaluation',
  summary: 'Store a golden set',
  description:
    'Stores questions with what they should find, as JSON Lines with one question per line, or as a JSON list. Other questions than those of the newest version become a new version; the 20 newest are kept. A set has at most 5,000 questions and 5 MiB, an index at most 100 sets. Problems of JSON Lines name their line.',
  auth: { needs: 'write' },
  audit: { action: 'golden_set.set', before: ({ path }) => ({ id: path.golden_set, name: path.golden_set }) },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, sets: goldenSetsWrite },
  body: GoldenQuestions,
  maxBodyBytes: maxBulkBodyBytes,
  maxLines: maxQuestions,
  status: 200,
  response: GoldenSetResponse,
  prefetch: prefetchIndex,
  problems: async ({ sent, prefetched }) => {
    const questions: readonly unknown[] = Array.isArray(sent) ? sent.slice(0, maxQuestions) : [];
    const keys = questions.flatMap((question, at) =>
      filterKeys(isObject(question) ? question['filter'] : undefined).map(
        (key) => [key, ['body', at, 'filter', key]] as const,
      ),
    );
    return hiddenKeyProblems(await prefetched, keys);
  },
  handle: async ({ body, clock, deps, path, prefetched }) =>
    toGoldenSetResponse(await deps.sets.put(await prefetched, path.golden_set, body, clock.now().toISOString())),
});

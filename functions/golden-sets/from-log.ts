import {
  type GoldenQuestion,
  GoldenSetResponse,
  goldenSetsWrite,
  maxRelevant,
  questionsOf,
  toGoldenSetResponse,
} from '../../shared/golden-sets/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { FromLog, joinQuestions, queryLogRead, toGoldenQuestions } from '../../shared/query-log/index.ts';
import { summaryWeight } from '../../shared/vectors/index.ts';

export const fillGoldenSetFromLog = endpoint({
  id: 'fill-golden-set-from-log',
  method: 'POST',
  path: '/v1/indexes/{index_id}/golden-sets/{golden_set}/from-log',
  tag: 'Evaluation',
  summary: 'Fill a golden set from the log',
  description:
    'Adds logged questions with feedback to a golden set, which is created if there is none. A hit that people called good has grade 2, one that they opened 1, and one that more people called bad than good 0. Questions that the set has already stay as they are. Without a question to add, the response is 409.',
  auth: { needs: 'write' },
  audit: { action: 'golden_set.set', before: ({ path }) => ({ id: path.golden_set, name: path.golden_set }) },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, sets: goldenSetsWrite, queryLog: queryLogRead },
  body: FromLog,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: GoldenSetResponse,
  prefetch: prefetchIndex,
  handle: async ({ body, clock, deps, path, prefetched }) => {
    const index = await prefetched;
    const found = await deps.sets.find(index, path.golden_set);
    const former: readonly GoldenQuestion[] =
      (found === null ? null : await questionsOf(deps.sets, index, found)) ?? [];
    const asked = toGoldenQuestions(await deps.queryLog.read(index, body.days), maxRelevant);
    const questions = joinQuestions(former, asked, body.max_questions);
    if (questions.length === former.length)
      throw new AppError('conflict', 'The log has no further question with a hit that people opened or called good');
    return toGoldenSetResponse(await deps.sets.put(index, path.golden_set, questions, clock.now().toISOString()));
  },
});

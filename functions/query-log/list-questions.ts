import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import {
  LoggedQuestionResponse,
  queryLogRead,
  QuestionsQuery,
  summarizeLog,
  toLoggedQuestion,
} from '../../shared/query-log/index.ts';
import { summaryWeight } from '../../shared/vectors/index.ts';

export const listLoggedQuestions = endpoint({
  id: 'list-logged-questions',
  method: 'GET',
  path: '/v1/indexes/{index_id}/query-log/questions',
  tag: 'Evaluation',
  summary: 'List logged questions',
  description:
    'Returns the questions of the log of an index, the most frequent ones first. The newest 20,000 logged searches are counted. Without a log there are none.',
  auth: { needs: 'read' },
  rate: 'searches',
  weight: summaryWeight,
  uses: { indexes: indexesRead, queryLog: queryLogRead },
  query: QuestionsQuery,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  response: z.array(LoggedQuestionResponse),
  prefetch: prefetchIndex,
  handle: async ({ deps, query, prefetched }) => {
    const log = await deps.queryLog.read(await prefetched, query.days);
    return summarizeLog(log, query).map(toLoggedQuestion);
  },
});

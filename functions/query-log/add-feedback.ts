import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, isLive } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { indexOfSearch, queryLogAppend, SearchFeedback } from '../../shared/query-log/index.ts';

export const addSearchFeedback = endpoint({
  id: 'add-search-feedback',
  method: 'POST',
  path: '/v1/searches/{search_id}/feedback',
  tag: 'Evaluation',
  summary: 'Give feedback on a hit',
  description:
    'Stores what a person did with a hit of a logged search, or what they called it. A repeat changes nothing. Golden sets can be made of it. Without a log of the index the response is 404.',
  auth: { needs: 'read', servesBound: true, servesUsers: true },
  uses: { indexes: indexesRead, queryLog: queryLogAppend },
  rate: 'searches',
  body: SearchFeedback,
  status: 204,
  handle: async ({ body, caller, deps, path }) => {
    const indexId = indexOfSearch(path.search_id);
    const isAllowed = caller.indexIds?.includes(indexId) !== false;
    const index = isAllowed ? await deps.indexes.get(caller.organizationId, indexId) : null;
    if (!isLive(index) || index.queryLog === null) throw notFound('Search');
    const feedback = { searchId: path.search_id, row: body.id, event: body.event };
    await deps.queryLog.addFeedback(index, feedback, caller.subjectId);
    return undefined;
  },
});

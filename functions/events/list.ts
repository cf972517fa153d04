import { EventHistory, EventHistoryQuery, eventsRead, listEventHistory } from '../../shared/events/index.ts';
import { filesRead } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const listEvents = endpoint({
  id: 'list-events',
  method: 'GET',
  path: '/v1/organization/webhooks/events',
  summary: 'List webhook events',
  description:
    'Lists the events of the organization, newest first. The next page starts at `offset + limit`. `traces` and ' +
    '`telemetry` contain the processing data of the events on the page that end a file job. Deleting a job deletes its ' +
    'steps in `telemetry` and empties `sparse_text`. Very large events are shortened to fit the page. A page has at most ' +
    '4,000 steps of telemetry.',
  tag: 'Webhooks',
  auth: { needs: 'session' },
  uses: { events: eventsRead, files: filesRead },
  timeoutSeconds: 29,
  memoryMb: 1024,
  query: EventHistoryQuery,
  status: 200,
  response: EventHistory,
  handle: ({ query, caller, deps }) => listEventHistory(deps, caller.organizationId, query),
});

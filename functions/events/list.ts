import { EventHistory, EventHistoryQuery, eventsRead, listEventHistory } from '../../shared/events/index.ts';
import { filesRead } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const listEvents = endpoint({
  id: 'list-events',
  method: 'GET',
  path: '/v1/organization/webhooks/events',
  summary: 'List webhook events',
  description:
    'The events of the organization, newest first, for its members and owners. The next page is at `offset + limit`. ' +
    '`traces` and `telemetry` hold the processing data of the events on the page that end a file job; the ' +
    'steps in `telemetry` go with a job that is deleted, and so does what `sparse_text` holds. A page of very large ' +
    'events shows them compacted, and at most 4,000 steps of telemetry in all.',
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

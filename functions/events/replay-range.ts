import { eventsRead } from '../../shared/events/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  EventRangeReplay,
  ReplayAccepted,
  replayRange,
  replaysWrite,
  webhooksRead,
} from '../../shared/webhooks/index.ts';

export const replayEvents = endpoint({
  id: 'replay-events',
  method: 'POST',
  path: '/v1/organization/webhooks/events/replay',
  summary: 'Send the events of a range of time again',
  description:
    'Each endpoint that takes part gets the events that it wants, oldest first, as far as they are still in the history. ' +
    'A range may hold 10,000 events. 404 and 409 where the endpoint that is named is absent or disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  refuses: ['not_found', 'conflict'],
  repeatable: true,
  uses: { webhooks: webhooksRead, events: eventsRead, replays: replaysWrite },
  body: EventRangeReplay,
  status: 202,
  response: ReplayAccepted,
  handle: ({ body, caller, deps, creation }) => replayRange(deps, caller.organizationId, body, creation),
});

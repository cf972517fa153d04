import { eventsRead } from '../../shared/events/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  deliveriesStart,
  EventReplay,
  ReplayAccepted,
  replayEvent,
  webhooksRead,
} from '../../shared/webhooks/index.ts';

export const replayOneEvent = endpoint({
  id: 'replay-one-event',
  method: 'POST',
  path: '/v1/organization/webhooks/events/{event_id}/replay',
  summary: 'Send an event again',
  description:
    'To one endpoint, whatever types it wants, or to all that are enabled and want it. `hook-id` and body stay the same, ' +
    'but for the text of a file whose job was deleted; the timestamp and with it the signature are new. 409 where the ' +
    'endpoint is disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  refuses: ['conflict'],
  repeatable: true,
  uses: { webhooks: webhooksRead, events: eventsRead, starter: deliveriesStart },
  body: EventReplay,
  status: 202,
  response: ReplayAccepted,
  handle: ({ path, body, caller, deps, creation }) =>
    replayEvent(deps, caller.organizationId, { eventId: path.event_id, endpointId: body.endpoint_id }, creation),
});

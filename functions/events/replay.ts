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
  summary: 'Replay an event',
  description:
    'Sends an event again: to one endpoint, even if it does not subscribe to the type, or to all enabled endpoints that ' +
    'do. `hook-id` and body stay the same, except that the text of a file whose job was deleted is missing. Timestamp and ' +
    'signature are new. Returns 409 if the endpoint is disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: { action: 'event.replayed', before: ({ path }) => ({ id: path.event_id }), details: ['endpoint_id'] },
  errorCodes: ['conflict'],
  idempotent: true,
  uses: { webhooks: webhooksRead, events: eventsRead, starter: deliveriesStart },
  body: EventReplay,
  status: 202,
  response: ReplayAccepted,
  handle: ({ path, body, caller, deps, idempotency }) =>
    replayEvent(deps, caller.organizationId, { eventId: path.event_id, endpointId: body.endpoint_id }, idempotency),
});

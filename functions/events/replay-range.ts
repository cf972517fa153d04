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
  summary: 'Replay the events of a time range',
  description:
    'Sends the events that are still in the history again, oldest first. Each endpoint receives the types that it ' +
    'subscribes to. A range may contain at most 10,000 events. Returns 404 if `endpoint_id` does not exist and 409 if ' +
    'that endpoint is disabled.',
  tag: 'Webhooks',
  auth: { needs: 'owner' },
  audit: { action: 'event.replayed', details: ['from', 'to', 'endpoint_id'] },
  errorCodes: ['not_found', 'conflict'],
  idempotent: true,
  uses: { webhooks: webhooksRead, events: eventsRead, replays: replaysWrite },
  body: EventRangeReplay,
  status: 202,
  response: ReplayAccepted,
  handle: ({ body, caller, deps, idempotency }) => replayRange(deps, caller.organizationId, body, idempotency),
});

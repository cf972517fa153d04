import { service } from '../../../shared/pipeline/worker.ts';
import { relayPost } from '../../../shared/platform/delivery/receiver-post.ts';
import {
  endpointHealth,
  relayFromSvix,
  relayRoute,
  signingSecrets,
  SvixRequest,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Receives the requests of Svix and sends them to the receivers, if the deployment delivers by Svix. */
export const svixRelay = service({
  id: 'svix-relay',
  summary: 'Relays requests of Svix to receivers, with the headers of this service',
  scope: 'home',
  route: relayRoute,
  request: SvixRequest,
  uses: { webhooks: webhooksRead, health: endpointHealth, post: relayPost, secrets: signingSecrets },
  timeoutSeconds: 20,
  memoryMb: 256,
  handle: ({ request, deps, run }) => relayFromSvix(deps, request, run.clock),
});

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

/** What Svix calls in place of receivers, where a deployment has chosen it. */
export const svixRelay = service({
  id: 'svix-relay',
  summary: 'Sends what comes from Svix on to receivers, under the headers of this service',
  scope: 'home',
  route: relayRoute,
  request: SvixRequest,
  uses: { webhooks: webhooksRead, health: endpointHealth, post: relayPost, secrets: signingSecrets },
  timeoutSeconds: 20,
  memoryMb: 256,
  handle: ({ request, deps, run }) => relayFromSvix(deps, request, run.clock),
});

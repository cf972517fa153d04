import { service } from '../../../shared/pipeline/worker.ts';
import {
  ReceivedDelivery,
  receiveDelivery,
  signingSecrets,
  smokeReceiverRoute,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Receives the webhooks of the smoke test, which checks that a deployment delivers events. */
export const webhookReceiver = service({
  id: 'webhook-receiver',
  summary: 'Accepts signed webhooks of an organization, for the smoke test of a deployment',
  scope: 'home',
  route: smokeReceiverRoute,
  request: ReceivedDelivery,
  uses: { webhooks: webhooksRead, secrets: signingSecrets },
  timeoutSeconds: 15,
  memoryMb: 256,
  handle: ({ request, deps, run }) => receiveDelivery(deps, request, run.clock),
});

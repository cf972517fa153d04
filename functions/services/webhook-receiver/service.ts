import { service } from '../../../shared/pipeline/worker.ts';
import {
  ReceivedDelivery,
  receiveDelivery,
  signingSecrets,
  smokeReceiverRoute,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Receiver of a deployment's own webhooks, with which its smoke test checks the way of an event to a receiver. */
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

import { eventsRead } from '../../../shared/events/index.ts';
import { processMessages } from '../../../shared/pipeline/process-messages.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { receiverPost } from '../../../shared/platform/delivery/receiver-post.ts';
import {
  abandonAttempt,
  attemptDelivery,
  deliveriesWrite,
  DeliveryRef,
  endpointHealth,
  withCachedReads,
  retriesSend,
  signingSecrets,
  webhooksRead,
} from '../../../shared/webhooks/index.ts';

/** Posts events to webhook endpoints. */
export const deliver = worker({
  id: 'deliver',
  summary: 'Signs events and posts them to webhook endpoints',
  queue: 'deliver',
  message: DeliveryRef,
  uses: {
    webhooks: webhooksRead,
    health: endpointHealth,
    deliveries: deliveriesWrite,
    events: eventsRead,
    post: receiverPost,
    secrets: signingSecrets,
    retries: retriesSend,
  },
  attempts: 5,
  batchSize: 10,
  maxConcurrency: 50,
  timeoutSeconds: 45,
  memoryMb: 256,
  handle: ({ deliveries, deps, run }) => {
    const reading = withCachedReads(
      deps,
      deliveries.map(({ message }) => message),
    );
    return processMessages(deliveries, run.log, (delivery) => attemptDelivery(reading, delivery, run.clock));
  },
  onExhausted: ({ message, deps, run }) => abandonAttempt(deps, message, run.clock),
});

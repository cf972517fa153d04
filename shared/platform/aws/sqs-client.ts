import { SQSClient } from '@aws-sdk/client-sqs';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';

export const sqsClient = perRegion(
  (region) => new SQSClient({ region, useQueueUrlAsEndpoint: false, requestHandler: requestTimeouts(5_000) }),
);

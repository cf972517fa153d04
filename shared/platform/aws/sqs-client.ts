import { SQSClient } from '@aws-sdk/client-sqs';
import { promptly } from './promptly.ts';
import { perRegion } from './per-region.ts';

export const sqsClient = perRegion(
  (region) => new SQSClient({ region, useQueueUrlAsEndpoint: false, requestHandler: promptly(5_000) }),
);

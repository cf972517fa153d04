import { SQSClient } from '@aws-sdk/client-sqs';
import { perRegion } from './per-region.ts';

export const sqsClient = perRegion((region) => new SQSClient({ region, useQueueUrlAsEndpoint: false }));

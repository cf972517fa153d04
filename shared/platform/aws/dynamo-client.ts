import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';

export const dynamoClient = perRegion(
  (region) => new DynamoDBClient({ region, requestHandler: requestTimeouts(5_000) }),
);

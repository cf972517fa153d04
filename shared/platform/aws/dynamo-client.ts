import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { promptly } from './promptly.ts';
import { perRegion } from './per-region.ts';

export const dynamoClient = perRegion((region) => new DynamoDBClient({ region, requestHandler: promptly(5_000) }));

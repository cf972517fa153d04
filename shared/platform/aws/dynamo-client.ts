import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { perRegion } from './per-region.ts';

export const dynamoClient = perRegion((region) => new DynamoDBClient({ region }));

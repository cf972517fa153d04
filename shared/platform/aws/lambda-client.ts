import { LambdaClient } from '@aws-sdk/client-lambda';
import { perRegion } from './per-region.ts';

export const lambdaClient = perRegion((region) => new LambdaClient({ region }));

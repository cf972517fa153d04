import { LambdaClient } from '@aws-sdk/client-lambda';
import { promptly } from './promptly.ts';
import { perRegion } from './per-region.ts';

export const lambdaClient = perRegion((region) => new LambdaClient({ region, requestHandler: promptly(29_000) }));

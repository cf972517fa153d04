import { LambdaClient } from '@aws-sdk/client-lambda';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';

export const lambdaClient = perRegion(
  (region) => new LambdaClient({ region, requestHandler: requestTimeouts(29_000) }),
);

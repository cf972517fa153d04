import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';
import { Sha256 } from './sha256.ts';

/** Every request asks for tables, so its client is spared what it would do anew for each of them. */
export const dynamoClient = perRegion((region) => {
  const requestHandler = requestTimeouts(5_000);
  const client = new DynamoDBClient({ region, requestHandler, cacheMiddleware: true, sha256: Sha256 });
  // Without a logger there is nothing that it would tell, but it makes it all the same.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
});

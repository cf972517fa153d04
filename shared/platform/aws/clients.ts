import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';

type Make<Client> = (region: string) => Client;

/** One client per region for the life of the process, so that connections are kept. */
const perRegion = <Client>(make: Make<Client>): Make<Client> => {
  const clients = new Map<string, Client>();
  return (region) => {
    const known = clients.get(region);
    if (known !== undefined) return known;
    const client = make(region);
    clients.set(region, client);
    return client;
  };
};

export const dynamoClient = perRegion((region) => new DynamoDBClient({ region }));
export const sqsClient = perRegion((region) => new SQSClient({ region, useQueueUrlAsEndpoint: false }));
export const lambdaClient = perRegion((region) => new LambdaClient({ region }));
/** Checksums only where asked for: a presigned address must bind the caller's checksum, not one of an empty body. */
export const s3Client = perRegion(
  (region) =>
    new S3Client({ region, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
);

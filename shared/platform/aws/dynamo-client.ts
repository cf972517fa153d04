import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type {
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  DeleteItemCommandInput,
  DeleteItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
  PutItemCommandInput,
  PutItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  UpdateItemCommandInput,
  UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { retryMiddleware, StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { lazy } from '../../kernel/memoize.ts';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';
import { Sha256 } from './sha256.ts';

/** What DynamoDB is asked, and what it answers, by operation: as both travel, so that there is nothing to translate. */
interface Operations {
  readonly BatchGetItem: [BatchGetItemCommandInput, BatchGetItemCommandOutput];
  readonly DeleteItem: [DeleteItemCommandInput, DeleteItemCommandOutput];
  readonly GetItem: [GetItemCommandInput, GetItemCommandOutput];
  readonly PutItem: [PutItemCommandInput, PutItemCommandOutput];
  readonly Query: [QueryCommandInput, QueryCommandOutput];
  readonly UpdateItem: [UpdateItemCommandInput, UpdateItemCommandOutput];
}

/** What sends a request and gives the answer to it, whatever it is. */
interface Handler {
  handle(request: HttpRequest): Promise<{ readonly response: HttpResponse }>;
  /** Ends its connections. */
  destroy(): void;
}

/** A client of the tables of one region. */
export interface DynamoClient {
  /** What signed requests go out through. */
  readonly handler: Handler;
  /** Throws a `DynamoError` for what DynamoDB refuses, and the error of the connection where there was no answer. */
  readonly call: <Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name][0],
  ) => Promise<Omit<Operations[Name][1], '$metadata'>>;
}

/** What DynamoDB says of a request that it does not answer. */
interface Refusal {
  readonly __type?: string;
  readonly message?: string;
  /** How what comes before DynamoDB itself, such as the judge of permissions, writes it. */
  readonly Message?: string;
}

/** A refusal by DynamoDB, by its name. Source: DynamoDB, "Error handling with DynamoDB". */
export class DynamoError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ statusCode }: HttpResponse, refusal: Refusal | null) {
    super(refusal?.message ?? refusal?.Message ?? `the tables answered ${statusCode}`);
    this.name = refusal?.__type?.split('#').at(-1) ?? 'UnknownError';
    this.$metadata = { httpStatusCode: statusCode };
  }
}

/** As the SDK's own client does it. */
const defaultMaxAttempts = 4;
const baseDelay = 25;

/** What Lambda gives every function, for as long as its process lives. */
const credentialsIn = ({
  AWS_ACCESS_KEY_ID: accessKeyId = '',
  AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
  AWS_SESSION_TOKEN: sessionToken,
}: NodeJS.ProcessEnv) => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
});

/** What the environment says of where and how to ask. */
const readSettings = (region: string) => {
  const { env } = process;
  const { AWS_ENDPOINT_URL: all, AWS_ENDPOINT_URL_DYNAMODB: own = all, AWS_MAX_ATTEMPTS: attempts } = env;
  const { protocol, hostname, port, host } = new URL(own ?? `https://dynamodb.${region}.amazonaws.com`);
  return {
    host,
    address: { protocol, hostname, path: '/', ...(port === '' ? {} : { port: Number(port) }) },
    credentials: credentialsIn(env),
    maxAttempts: attempts === undefined ? defaultMaxAttempts : Number(attempts),
  };
};

/** What signs a request and sends it, again where that helps. */
const openSender = (client: Pick<DynamoClient, 'handler'>, region: string) => {
  const { host, address, credentials, maxAttempts } = readSettings(region);
  const signer = new SignatureV4({ service: 'dynamodb', region, credentials, sha256: Sha256 });
  const strategy = new StandardRetryStrategy({ maxAttempts, baseDelay });
  const sendOnce = async ({ request }: { readonly request: unknown }) => {
    // The retries hand on what they were given, and the signer gives a copy.
    const signed = (await signer.sign(request as HttpRequest)) as HttpRequest;
    const { response } = await client.handler.handle(signed);
    // The handler gives all bodies as streams.
    const answer = json(response.body as Readable);
    if (response.statusCode === 200) return { response, output: { answer: await answer, $metadata: {} } };
    // What is no JSON is no answer of DynamoDB itself, and says no more than its status.
    throw new DynamoError(response, (await answer.catch(() => null)) as Refusal | null);
  };
  const send = retryMiddleware({
    maxAttempts: () => Promise.resolve(maxAttempts),
    retryStrategy: () => Promise.resolve(strategy),
  })(sendOnce, {});
  return { host, address, send };
};

const openClient = (region: string): DynamoClient => {
  const sender = lazy(() => openSender(client, region));
  const client: DynamoClient = {
    handler: new NodeHttpHandler(requestTimeouts(5_000)),
    call: async (operation, input) => {
      const { host, address, send } = sender();
      const body = JSON.stringify(input);
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      };
      const request = new HttpRequest({ ...address, method: 'POST', headers, body });
      const { output } = await send({ input, request });
      // What DynamoDB answers to this operation.
      return output.answer as never;
    },
  };
  return client;
};

/**
 * The client of a region's tables, made of the SDK's own signer, connections and repeats. Every request asks for tables, so
 * it is spared what else the SDK does for each, which takes twice as long as all of this: what is asked is written as
 * DynamoDB reads it anyway.
 */
export const dynamoClient = perRegion(openClient);

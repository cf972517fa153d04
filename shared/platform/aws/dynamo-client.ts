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
  TransactWriteItemsCommandInput,
  TransactWriteItemsCommandOutput,
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

/** Inputs and outputs by operation, in DynamoDB's own JSON, so that nothing is translated. */
interface Operations {
  readonly BatchGetItem: [BatchGetItemCommandInput, BatchGetItemCommandOutput];
  readonly DeleteItem: [DeleteItemCommandInput, DeleteItemCommandOutput];
  readonly GetItem: [GetItemCommandInput, GetItemCommandOutput];
  readonly PutItem: [PutItemCommandInput, PutItemCommandOutput];
  readonly Query: [QueryCommandInput, QueryCommandOutput];
  readonly TransactWriteItems: [TransactWriteItemsCommandInput, TransactWriteItemsCommandOutput];
  readonly UpdateItem: [UpdateItemCommandInput, UpdateItemCommandOutput];
}

/** HTTP handler that sends a request and returns its response. */
interface Handler {
  handle(request: HttpRequest): Promise<{ readonly response: HttpResponse }>;
  /** Closes its connections. */
  destroy(): void;
}

/** Client of the tables of one region. */
export interface DynamoClient {
  /** HTTP handler of signed requests. */
  readonly handler: Handler;
  /** Throws a `DynamoError` if DynamoDB rejects the request, and a connection error if there was no response. */
  readonly call: <Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name][0],
  ) => Promise<Omit<Operations[Name][1], '$metadata'>>;
}

/** Error response of DynamoDB. */
interface Refusal {
  readonly __type?: string;
  readonly message?: string;
  /** Spelling of `message` in errors of the layers in front of DynamoDB, such as authorization. */
  readonly Message?: string;
  /** By action of a cancelled transaction. */
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Error of DynamoDB, with its error name. Source: DynamoDB, "Error handling with DynamoDB". */
export class DynamoError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };
  /** Mark of the SDK for errors that are retried besides those of its own list. */
  readonly $retryable: object | undefined;
  /** By action of a cancelled transaction, `None` for those that did not prevent it. */
  readonly cancellationReasons: readonly string[];

  constructor({ statusCode }: HttpResponse, refusal: Refusal | null) {
    super(refusal?.message ?? refusal?.Message ?? `DynamoDB responded with status ${statusCode}`);
    this.name = refusal?.__type?.split('#').at(-1) ?? 'UnknownError';
    this.$metadata = { httpStatusCode: statusCode };
    this.$retryable = this.name === 'TransactionConflictException' ? {} : undefined;
    this.cancellationReasons = (refusal?.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
  }
}

/** Defaults of the SDK's own client. */
const defaultMaxAttempts = 4;
const baseDelay = 25;

/** Credentials that Lambda sets for the life of the process. */
export const credentialsIn = ({
  AWS_ACCESS_KEY_ID: accessKeyId = '',
  AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
  AWS_SESSION_TOKEN: sessionToken,
}: NodeJS.ProcessEnv) => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
});

/** Endpoint, credentials and retry settings of the environment. */
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

/** Signs and sends requests, with retries. */
const openSender = (client: Pick<DynamoClient, 'handler'>, region: string) => {
  const { host, address, credentials, maxAttempts } = readSettings(region);
  const signer = new SignatureV4({ service: 'dynamodb', region, credentials, sha256: Sha256 });
  const strategy = new StandardRetryStrategy({ maxAttempts, baseDelay });
  const sendOnce = async ({ request }: { readonly request: unknown }) => {
    // The retry middleware passes its input through, and the signer returns a copy.
    const signed = (await signer.sign(request as HttpRequest)) as HttpRequest;
    const { response } = await client.handler.handle(signed);
    // The handler returns all bodies as streams.
    const answer = json(response.body as Readable);
    if (response.statusCode === 200) return { response, output: { answer: await answer, $metadata: {} } };
    // A body that is no JSON does not come from DynamoDB itself and adds nothing to the status.
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
      // The response belongs to this operation.
      return output.answer as never;
    },
  };
  return client;
};

/**
 * Client of a region's tables, built from the SDK's signer, connection pool and retries.
 * It skips the SDK's serialization, which takes twice as long as the rest: inputs are DynamoDB JSON already.
 */
export const dynamoClient = perRegion(openClient);

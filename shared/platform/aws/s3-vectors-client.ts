import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { HttpRequest, type HttpResponse } from '@smithy/core/protocols';
import { retryMiddleware } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { JsonObject } from '../../kernel/json.ts';
import { lazy } from '../../kernel/memoize.ts';
import { credentialsIn } from './dynamo-client.ts';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';
import { Sha256 } from './sha256.ts';

interface IndexName {
  readonly vectorBucketName: string;
  readonly indexName: string;
}

interface VectorData {
  readonly float32: readonly number[];
}

/** A vector as stored. */
interface Vector {
  readonly key: string;
  readonly data?: VectorData;
  readonly metadata?: JsonObject;
}

interface QueryHit {
  readonly key: string;
  readonly distance?: number;
  readonly scores?: {
    readonly fused?: number;
    readonly bm25Scores?: readonly { readonly metadataKey: string; readonly score: number }[];
    readonly vectorDistance?: number;
  };
  readonly metadata?: JsonObject;
}

interface Returned {
  readonly returnData?: boolean;
  readonly returnMetadata?: boolean;
}

interface MetadataConfiguration {
  readonly nonFilterableMetadataKeys?: readonly string[];
  readonly textSearchConfigurations?: readonly {
    readonly metadataKey: string;
    readonly language?: string;
    readonly status?: 'ACTIVE' | 'BUILDING';
  }[];
}

/** Inputs and outputs by operation. Source: the service model of 2025-07-15. */
interface Operations {
  readonly CreateIndex: [
    IndexName & {
      readonly dataType: 'float32';
      readonly dimension: number;
      readonly distanceMetric: 'cosine' | 'euclidean';
      readonly metadataConfiguration?: MetadataConfiguration;
    },
    { readonly indexArn: string },
  ];
  readonly GetIndex: [
    IndexName,
    { readonly index: { readonly dimension: number; readonly metadataConfiguration?: MetadataConfiguration } },
  ];
  readonly DeleteIndex: [IndexName, object];
  readonly PutVectors: [IndexName & { readonly vectors: readonly (Vector & { readonly data: VectorData })[] }, object];
  readonly GetVectors: [
    IndexName & Returned & { readonly keys: readonly string[] },
    { readonly vectors: readonly Vector[] },
  ];
  readonly DeleteVectors: [IndexName & { readonly keys: readonly string[] }, object];
  readonly ListVectors: [
    IndexName &
      Returned & {
        readonly maxResults?: number;
        readonly nextToken?: string;
        readonly segmentCount?: number;
        readonly segmentIndex?: number;
      },
    { readonly vectors: readonly Vector[]; readonly nextToken?: string },
  ];
  readonly QueryVectors: [
    IndexName & {
      readonly topK: number;
      readonly queryVector?: VectorData;
      readonly queryTexts?: readonly { readonly text: string; readonly metadataKey: string }[];
      readonly filter?: JsonObject;
      readonly returnMetadata?: boolean;
      readonly returnDistance?: boolean;
      readonly returnScores?: boolean;
      readonly nextToken?: string;
    },
    { readonly vectors: readonly QueryHit[]; readonly nextToken?: string },
  ];
}

/** Client of the vector buckets of one region. */
interface S3VectorsClient {
  /** Throws an `S3VectorsError` if the service refuses, and a connection error if there was no response. */
  readonly call: <Name extends keyof Operations>(
    operation: Name,
    input: Operations[Name][0],
  ) => Promise<Operations[Name][1]>;
  /** Closes its connections. */
  readonly destroy: () => void;
}

/** Error of Amazon S3 Vectors, with its error name. */
export class S3VectorsError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ statusCode, headers }: HttpResponse, message: string | undefined) {
    super(message ?? `Amazon S3 Vectors responded with status ${statusCode}`);
    this.name = headers['x-amzn-errortype']?.split(':')[0] ?? 'UnknownError';
    this.$metadata = { httpStatusCode: statusCode };
  }
}

/** With throttling of 30 %, one request in 60,000 fails for good. */
const maxAttempts = 10;
/** Longest pause before the second attempt, and before any. All pauses of a request take 4 seconds on average. */
const [firstPauseMs, maxPauseMs] = [25, 2_000];

const retryToken = (retries: number, delayMs: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => delayMs,
});

/**
 * Retries with random, growing pauses. The SDK's own strategy begins with up to a second after a throttled request, and
 * stops retrying for all callers of a process after some hundred faults. A commit of many requests would then end in
 * minutes or not at all.
 */
const retryStrategy = {
  acquireInitialRetryToken: async () => retryToken(0, 0),
  refreshRetryTokenForRetry: async (
    token: Pick<ReturnType<typeof retryToken>, 'getRetryCount'>,
    { errorType }: { readonly errorType: string },
  ) => {
    const retries = token.getRetryCount();
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isPassing || retries + 1 >= maxAttempts) throw new Error('the request is not retried');
    return retryToken(retries + 1, Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** retries));
  },
  recordSuccess: () => {},
};

/** A search ends within 22 seconds, so a lost reply of a read is repeated early. Writes send up to 20 MB. */
const readTimeoutMs = 4_000;
const isRead = (path: string): boolean => /^\/(?:Get|List|Query)Vectors$/.test(path);

const openSender = (handler: NodeHttpHandler, region: string) => {
  const { env } = process;
  const { AWS_ENDPOINT_URL: all, AWS_ENDPOINT_URL_S3VECTORS: own = all } = env;
  const { protocol, hostname, port, host } = new URL(own ?? `https://s3vectors.${region}.api.aws`);
  const signer = new SignatureV4({ service: 's3vectors', region, credentials: credentialsIn(env), sha256: Sha256 });
  const sendOnce = async ({ request }: { readonly request: unknown }) => {
    // The retry middleware passes its input through, and the signer returns a copy.
    const signed = (await signer.sign(request as HttpRequest)) as HttpRequest;
    const { response } = await handler.handle(signed, isRead(signed.path) ? { requestTimeout: readTimeoutMs } : {});
    const answer = json(response.body as Readable).catch(() => null);
    if (response.statusCode === 200) return { response, output: { answer: await answer, $metadata: {} } };
    throw new S3VectorsError(response, ((await answer) as { readonly message?: string } | null)?.message);
  };
  const send = retryMiddleware({
    maxAttempts: () => Promise.resolve(maxAttempts),
    retryStrategy: () => Promise.resolve(retryStrategy),
  })(sendOnce, {});
  return { host, address: { protocol, hostname, ...(port === '' ? {} : { port: Number(port) }) }, send };
};

const openClient = (region: string): S3VectorsClient => {
  const handler = new NodeHttpHandler(requestTimeouts(15_000));
  const sender = lazy(() => openSender(handler, region));
  return {
    call: async (operation, input) => {
      const { host, address, send } = sender();
      const body = JSON.stringify(input);
      const headers = { host, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
      const request = new HttpRequest({ ...address, method: 'POST', path: `/${operation}`, headers, body });
      const { output } = await send({ input, request });
      // The response belongs to this operation.
      return output.answer as never;
    },
    destroy: () => handler.destroy(),
  };
};

/**
 * Client of Amazon S3 Vectors in a region, with the SDK's signer and connection pool. The SDK's own client
 * 3.1137.0 drops the fields of full-text search.
 */
export const s3VectorsClient = perRegion(openClient);

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AccessDenied } from '../iam/access-denied.ts';
import { authenticate } from './authenticate.ts';
import { allowOrigin, answerPreflight } from './cors.ts';
import type { BucketConfig } from './contracts.ts';
import { readTarget, type RequestTarget } from './request.ts';
import { sendError } from './respond.ts';
import { findAction } from './route.ts';
import { S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

/**
 * Handles one request. Errors become responses; never rejects. `waits`: the client sends its body only after a
 * `100 Continue`, so that a refusal spares the transfer.
 */
export const serveRequest = async (
  store: Store,
  message: IncomingMessage,
  response: ServerResponse,
  waits: boolean,
): Promise<void> => {
  const id = randomBytes(8).toString('hex').toUpperCase();
  response.setHeader('x-amz-request-id', id);
  // Clients correct their clock by this header before they sign again.
  response.setHeader('date', store.clock.now().toUTCString());
  // Without `100 Continue` the client may or may not send the body, so the connection cannot be used again.
  if (waits) response.setHeader('connection', 'close');
  try {
    const target = readTarget(message);
    const bucket = store.buckets.get(target.bucketName);
    if (message.method === 'OPTIONS') answerPreflight(message, response, bucket);
    else await runAction(store, message, response, target, bucket, { id, waits });
  } catch (error) {
    if (error instanceof AccessDenied) sendError(message, response, id, new S3Error('AccessDenied', error));
    else if (error instanceof S3Error) sendError(message, response, id, error);
    else if (message.errored !== null || response.destroyed) response.destroy();
    else {
      store.onError(error);
      sendError(message, response, id, new S3Error('InternalError'));
    }
  }
};

const runAction = async (
  store: Store,
  message: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  bucket: BucketConfig | undefined,
  { id, waits }: { readonly id: string; readonly waits: boolean },
): Promise<void> => {
  if (bucket !== undefined) allowOrigin(message, response, bucket);
  const { authorization, headers, payloadHash } = await authenticate(store, message, target);
  if (target.bucketName === '') throw new S3Error('NotImplemented');
  if (bucket === undefined) throw new S3Error('NoSuchBucket', { fields: { BucketName: target.bucketName } });
  assertRegion(bucket, authorization.region, authorization.presigned);
  const { key, query } = target;
  const action = findAction(message.method ?? '', target);
  await action(store, {
    id,
    message,
    response,
    bucket,
    key,
    query,
    headers,
    payloadHash,
    principalId: authorization.accessKeyId,
    sourceIpAddress: message.socket.remoteAddress ?? '',
    authorize: (permission, resource, context = {}) =>
      store.access.authorize(authorization.accessKeyId, permission, resource, context),
    acceptBody: () => {
      if (!waits) return;
      response.removeHeader('connection');
      response.writeContinue();
    },
  });
};

const assertRegion = ({ region }: BucketConfig, signed: string, presigned: boolean): void => {
  if (signed === region) return;
  throw new S3Error(presigned ? 'AuthorizationQueryParametersError' : 'AuthorizationHeaderMalformed', {
    message: `The region '${signed}' is wrong; expecting '${region}'`,
    fields: { Region: region },
    headers: { 'x-amz-bucket-region': region },
  });
};

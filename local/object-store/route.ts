import { abortUpload } from './actions/abort-upload.ts';
import { completeUpload } from './actions/complete-upload.ts';
import { copyObject } from './actions/copy-object.ts';
import { createUpload } from './actions/create-upload.ts';
import { deleteObject } from './actions/delete-object.ts';
import { deleteObjects } from './actions/delete-objects.ts';
import { describeBucket } from './actions/describe-bucket.ts';
import { getObject } from './actions/get-object.ts';
import { listObjects } from './actions/list-objects.ts';
import { listParts } from './actions/list-parts.ts';
import { putObject } from './actions/put-object.ts';
import { uploadPart } from './actions/upload-part.ts';
import type { S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

type Action = (store: Store, request: S3Request) => void | Promise<void>;

interface Route {
  readonly method: string;
  readonly on: 'bucket' | 'object';
  /** Query parameters that must be there. */
  readonly needs?: readonly string[];
  /** Query parameters that may be there; any other leaves the route. */
  readonly takes?: readonly string[];
  readonly action: Action;
}

const listing = [
  'prefix',
  'delimiter',
  'continuation-token',
  'max-keys',
  'start-after',
  'encoding-type',
  'fetch-owner',
];

const routes: readonly Route[] = [
  { method: 'HEAD', on: 'bucket', action: describeBucket },
  { method: 'GET', on: 'bucket', needs: ['location'], action: describeBucket },
  { method: 'GET', on: 'bucket', needs: ['list-type'], takes: listing, action: listObjects },
  { method: 'POST', on: 'bucket', needs: ['delete'], action: deleteObjects },
  { method: 'GET', on: 'object', action: getObject },
  { method: 'HEAD', on: 'object', action: getObject },
  { method: 'PUT', on: 'object', action: (store, request) => putOrCopy(store, request) },
  { method: 'DELETE', on: 'object', action: deleteObject },
  { method: 'POST', on: 'object', needs: ['uploads'], action: createUpload },
  { method: 'PUT', on: 'object', needs: ['partNumber', 'uploadId'], action: uploadPart },
  { method: 'GET', on: 'object', needs: ['uploadId'], takes: ['max-parts', 'part-number-marker'], action: listParts },
  { method: 'POST', on: 'object', needs: ['uploadId'], action: completeUpload },
  { method: 'DELETE', on: 'object', needs: ['uploadId'], action: abortUpload },
];

const putOrCopy: Action = (store, request) =>
  request.headers['x-amz-copy-source'] === undefined ? putObject(store, request) : copyObject(store, request);

/**
 * The action that a request asks for. A parameter that no action knows, such as `acl` or `versionId`, is refused,
 * never ignored. Throws `NotImplemented`, `MethodNotAllowed`.
 */
export const findAction = (method: string, { key, query }: Pick<S3Request, 'key' | 'query'>): Action => {
  const names = [...query.keys()].filter((name) => name !== 'x-id' && !/^x-amz-/i.test(name));
  const on = key === '' ? 'bucket' : 'object';
  const sameTarget = routes.filter((route) => route.method === method && route.on === on);
  const found = sameTarget.find(
    ({ needs = [], takes = [] }) =>
      needs.every((name) => names.includes(name)) &&
      names.every((name) => needs.includes(name) || takes.includes(name)),
  );
  if (found !== undefined) return found.action;
  throw new S3Error(sameTarget.length > 0 ? 'NotImplemented' : 'MethodNotAllowed');
};

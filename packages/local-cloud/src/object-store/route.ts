import { abortUpload } from './actions/abort-upload.ts';
import { completeUpload } from './actions/complete-upload.ts';
import { copyObject } from './actions/copy-object.ts';
import { createUpload } from './actions/create-upload.ts';
import { deleteObject } from './actions/delete-object.ts';
import { deleteObjects } from './actions/delete-objects.ts';
import { describeBucket } from './actions/describe-bucket.ts';
import { deleteTagging } from './actions/delete-tagging.ts';
import { getObject, responseOverrides } from './actions/get-object.ts';
import { listObjects } from './actions/list-objects.ts';
import { listParts } from './actions/list-parts.ts';
import { putObject } from './actions/put-object.ts';
import { uploadPart } from './actions/upload-part.ts';
import { arnOf, type S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';
import type { Store } from './store.ts';

type Action = (store: Store, request: S3Request) => void | Promise<void>;

interface Route {
  readonly method: string;
  readonly on: 'bucket' | 'object';
  /** Required query parameters. */
  readonly needs?: readonly string[];
  /** Optional query parameters. With any other parameter the route does not match. */
  readonly takes?: readonly string[];
  /** IAM action on the bucket or the object. */
  readonly permission: string;
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
  { method: 'HEAD', on: 'bucket', permission: 's3:ListBucket', action: describeBucket },
  { method: 'GET', on: 'bucket', needs: ['location'], permission: 's3:GetBucketLocation', action: describeBucket },
  {
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    takes: listing,
    permission: 's3:ListBucket',
    action: listObjects,
  },
  { method: 'POST', on: 'bucket', needs: ['delete'], permission: 's3:DeleteObject', action: deleteObjects },
  {
    method: 'GET',
    on: 'object',
    takes: Object.keys(responseOverrides),
    permission: 's3:GetObject',
    action: getObject,
  },
  { method: 'HEAD', on: 'object', permission: 's3:GetObject', action: getObject },
  { method: 'PUT', on: 'object', permission: 's3:PutObject', action: (store, request) => putOrCopy(store, request) },
  { method: 'DELETE', on: 'object', permission: 's3:DeleteObject', action: deleteObject },
  {
    method: 'DELETE',
    on: 'object',
    needs: ['tagging'],
    permission: 's3:DeleteObjectTagging',
    action: deleteTagging,
  },
  { method: 'POST', on: 'object', needs: ['uploads'], permission: 's3:PutObject', action: createUpload },
  {
    method: 'PUT',
    on: 'object',
    needs: ['partNumber', 'uploadId'],
    permission: 's3:PutObject',
    action: uploadPart,
  },
  {
    method: 'GET',
    on: 'object',
    needs: ['uploadId'],
    takes: ['max-parts', 'part-number-marker'],
    permission: 's3:ListMultipartUploadParts',
    action: listParts,
  },
  { method: 'POST', on: 'object', needs: ['uploadId'], permission: 's3:PutObject', action: completeUpload },
  { method: 'DELETE', on: 'object', needs: ['uploadId'], permission: 's3:AbortMultipartUpload', action: abortUpload },
];

const putOrCopy: Action = (store, request) =>
  request.headers['x-amz-copy-source'] === undefined ? putObject(store, request) : copyObject(store, request);

/** Whether an action authorizes each object by itself, as deleting many objects does. */
const authorizesItself = (action: Action): boolean => action === deleteObjects;

/** Checks that the caller has the permission of a route. @throws AccessDenied */
const authorize = ({ permission, action }: Route, request: S3Request): void => {
  if (authorizesItself(action)) return;
  const prefix = permission === 's3:ListBucket' ? request.query.get('prefix') : null;
  request.authorize(
    permission,
    arnOf(request.bucket.name, request.key),
    prefix === null ? {} : { 's3:prefix': prefix },
  );
};

/**
 * Returns the action of a request. The action first checks the permission of the caller. An unsupported parameter, such as
 * `acl` or `versionId`, is refused, never ignored. Throws `NotImplemented`, `MethodNotAllowed`.
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
  if (found !== undefined)
    return (store, request) => {
      authorize(found, request);
      return found.action(store, request);
    };
  throw new S3Error(sameTarget.length > 0 ? 'NotImplemented' : 'MethodNotAllowed');
};

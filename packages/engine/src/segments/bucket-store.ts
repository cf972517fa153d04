import { buffer } from 'node:stream/consumers';
import type { S3Client } from '@aws-sdk/client-s3';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { openRetries } from '../object-cache/retry.ts';
import { sendOnce } from '../object-cache/send-once.ts';
import { storeAccess, type StoreAccess } from '../object-cache/store-access.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Keys of one request to delete objects. */
const keysPerDelete = 1_000;

interface Answer {
  readonly status: number;
  readonly size: number;
  readonly body: Buffer;
  readonly drop: () => void;
}

/** A conditional write met another one that has not ended. */
const isBusy = (status: number): boolean => status === 409;

const requireSuccess = ({ status, body }: Answer, what: string): void => {
  if (status >= 300) throw new Error(`${what}: the object store answered ${status}: ${body.toString()}`);
};

type Send = (
  method: 'GET' | 'PUT',
  key: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
) => Promise<Answer>;

/** Sends requests without the client of S3, which takes long to load. */
const openSender = (access: StoreAccess, bucket: string, prefix: string): Send => {
  const retry = openRetries();
  return async (method, key, headers, body) => {
    const path = `/${bucket}/${prefix}${key}`;
    return retry(`${method} ${path}`, async (attempt) => {
      const signed = await access.sign({ method, path, headers });
      const answer = await sendOnce(signed, body, attempt > 0);
      const size = Number(/\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1] ?? 0);
      const status = isBusy(answer.status) ? 503 : answer.status;
      return { status, size, body: await buffer(answer.body), drop: () => {} };
    });
  };
};

const readAndCreate = (send: Send): Pick<ObjectStore, 'read' | 'create'> => ({
  read: async (key, range) => {
    const bytes = 'last' in range ? `-${range.last}` : `${range.at}-${range.at + range.bytes - 1}`;
    const answer = await send('GET', key, { range: `bytes=${bytes}` }, null);
    if (answer.status === 404) return null;
    requireSuccess(answer, `reading ${key}`);
    return { bytes: answer.body, size: answer.size === 0 ? answer.body.length : answer.size };
  },
  create: async (key, parts) => {
    const body = Buffer.concat(parts);
    const headers = { 'if-none-match': '*', 'content-length': String(body.length) };
    const answer = await send('PUT', key, headers, body);
    if (answer.status === 412) return false;
    requireSuccess(answer, `writing ${key}`);
    return true;
  },
});

const listAndRemove = (
  client: () => Promise<S3Client>,
  bucket: string,
  prefix: string,
): Pick<ObjectStore, 'list' | 'remove'> => ({
  list: async (under) => {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    const found: StoredObject[] = [];
    const pages = paginateListObjectsV2({ client: await client() }, { Bucket: bucket, Prefix: `${prefix}${under}` });
    for await (const { Contents = [] } of pages)
      for (const { Key, LastModified } of Contents)
        if (Key !== undefined && LastModified !== undefined)
          found.push({ key: Key.slice(prefix.length), writtenAt: LastModified });
    return found;
  },
  remove: async (keys) => {
    const { DeleteObjectsCommand } = await import('@aws-sdk/client-s3');
    for (const some of batchesOf(keys, keysPerDelete)) {
      const Objects = some.map((key) => ({ Key: `${prefix}${key}` }));
      const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
      const { Errors: [first] = [] } = await (await client()).send(command);
      // The request succeeds even if single deletions fail.
      if (first !== undefined) throw new Error(`${first.Key} could not be deleted: ${first.Code}`);
    }
  },
});

/**
 * Opens the objects under a prefix of a bucket of S3.
 * @param given Client with address and credentials. Default: those of this process.
 */
export const bucketStore = (region: string, bucket: string, prefix: string, given?: S3Client): ObjectStore => {
  const client = async (): Promise<S3Client> =>
    given ?? (await import('../../../../shared/platform/aws/s3-client.ts')).s3Client(region);
  return {
    name: `s3://${bucket}/${prefix}`,
    ...readAndCreate(openSender(storeAccess(region, given), bucket, prefix)),
    ...listAndRemove(client, bucket, prefix),
  };
};

import * as z from 'zod';
import { AccessDenied } from '../../iam/access-denied.ts';
import { removeObject } from '../objects.ts';
import { readText } from '../receive-body.ts';
import { arnOf, type S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import type { Store } from '../store.ts';
import { readXml } from '../xml.ts';

const Item = z.strictObject({ Key: z.string().min(1) });
const Document = z.object({
  Delete: z.object({ Object: z.union([z.array(Item).max(1000), Item]), Quiet: z.stringbool().optional() }),
});

/** Deletes one object. Returns the error if the caller may not delete it. */
const deleteOne = (store: Store, request: S3Request, Key: string): Readonly<Record<string, string>> | null => {
  try {
    request.authorize('s3:DeleteObject', arnOf(request.bucket.name, Key));
  } catch (error) {
    if (error instanceof AccessDenied) return { Key, Code: 'AccessDenied', Message: error.message };
    throw error;
  }
  removeObject(store, request.bucket.name, Key);
  return null;
};

/** DeleteObjects: up to 1,000 keys, each on its own. */
export const deleteObjects = async (store: Store, request: S3Request): Promise<void> => {
  const { Delete } = readXml(await readText(request), Document);
  const items = [Delete.Object].flat();
  const outcomes = items.map((item) => ({ item, refusal: deleteOne(store, request, item.Key) }));
  sendXml(request.response, 'DeleteResult', {
    Deleted: Delete.Quiet === true ? [] : outcomes.flatMap(({ item, refusal }) => (refusal === null ? [item] : [])),
    Error: outcomes.map(({ refusal }) => refusal).filter((refusal) => refusal !== null),
  });
};

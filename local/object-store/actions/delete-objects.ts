import * as z from 'zod';
import { removeObject } from '../objects.ts';
import { readText } from '../receive-body.ts';
import type { S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import type { Store } from '../store.ts';
import { readXml } from '../xml.ts';

const Item = z.strictObject({ Key: z.string().min(1) });
const Document = z.object({
  Delete: z.object({ Object: z.union([z.array(Item).max(1000), Item]), Quiet: z.stringbool().optional() }),
});

/** DeleteObjects: up to 1,000 keys, each on its own. */
export const deleteObjects = async (store: Store, request: S3Request): Promise<void> => {
  const { Delete } = readXml(await readText(request), Document);
  const items = [Delete.Object].flat();
  for (const { Key } of items) removeObject(store, request.bucket.name, Key);
  sendXml(request.response, 'DeleteResult', { Deleted: Delete.Quiet === true ? [] : items });
};

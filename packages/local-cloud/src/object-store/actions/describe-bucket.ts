import type { S3Request } from '../request.ts';
import { sendEmpty, sendXml } from '../respond.ts';
import type { Store } from '../store.ts';

/** HeadBucket and GetBucketLocation. */
export const describeBucket = (_store: Store, { bucket, message, response }: S3Request): void => {
  if (message.method === 'HEAD') sendEmpty(response, 200, { 'x-amz-bucket-region': bucket.region });
  // S3 returns no name for its first region.
  else sendXml(response, 'LocationConstraint', { '#text': bucket.region === 'us-east-1' ? '' : bucket.region });
};

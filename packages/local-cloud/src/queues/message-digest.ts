import { createHash } from 'node:crypto';
import type { MessageAttributes } from './queue-requests.ts';

/** MD5 in hexadecimal, as the queue protocol returns it for a body. */
export const md5 = (data: string | Buffer): string => createHash('md5').update(data).digest('hex');

const framed = (data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, data]);
};

/**
 * MD5 over message attributes in the protocol's framing: sorted by name; name, type and value each after a 4-byte length;
 * before the value one byte for text (1) or binary (2). Undefined without attributes.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html
 */
export const attributesDigest = (attributes: MessageAttributes): string | undefined => {
  const names = Object.keys(attributes).toSorted();
  if (names.length === 0) {
    return undefined;
  }
  const parts = names.flatMap((name) => {
    const { DataType, StringValue, BinaryValue } = attributes[name] ?? { DataType: 'String' };
    const value = BinaryValue === undefined ? Buffer.from(StringValue ?? '') : Buffer.from(BinaryValue, 'base64');
    const kind = Buffer.from([BinaryValue === undefined ? 1 : 2]);
    return [framed(Buffer.from(name)), framed(Buffer.from(DataType)), kind, framed(value)];
  });
  return md5(Buffer.concat(parts));
};

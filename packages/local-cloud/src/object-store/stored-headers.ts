import type { S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';

const kept = /^(cache-control|content-disposition|content-language|content-type|expires)$/;
const unsupported = /^x-amz-(acl|grant-|object-lock-|server-side-encryption-customer-|tagging|website-|write-offset-)/;
const maxMetadataBytes = 2048;

/**
 * Returns the headers of a write that reads of the object return, as JSON. Refuses headers that would change the write and
 * are not supported. Throws `NotImplemented`, `MetadataTooLarge`.
 */
export const storedHeaders = ({ headers }: Pick<S3Request, 'headers'>): string => {
  const unknown = Object.keys(headers).find((name) => unsupported.test(name));
  if (unknown !== undefined) throw new S3Error('NotImplemented', { fields: { Header: unknown } });
  const entries = Object.entries(headers);
  const metadata = entries.filter(([name]) => name.startsWith('x-amz-meta-'));
  if (Buffer.byteLength(metadata.flat().join('')) > maxMetadataBytes) throw new S3Error('MetadataTooLarge');
  const codings = (headers['content-encoding'] ?? '').split(',').map((coding) => coding.trim());
  // Framing of the transport, which is removed on arrival.
  const encoding = codings.filter((coding) => coding !== '' && coding !== 'aws-chunked').join(', ');
  return JSON.stringify({
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(entries.filter(([name]) => kept.test(name))),
    ...(encoding === '' ? {} : { 'content-encoding': encoding }),
    ...Object.fromEntries(metadata),
  });
};

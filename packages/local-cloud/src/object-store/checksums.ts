import { createHash } from 'node:crypto';
import { Crc32, Crc32c, Crc64Nvme } from '@aws-sdk/checksums/crc';
import { S3Error } from './s3-error.ts';

/** A running digest. */
export interface Digest {
  update(chunk: Uint8Array): void;
  digest(): Uint8Array | Promise<Uint8Array>;
}

const checksums = {
  'x-amz-checksum-crc32': { bytes: 4, start: (): Digest => new Crc32() },
  'x-amz-checksum-crc32c': { bytes: 4, start: (): Digest => new Crc32c() },
  'x-amz-checksum-crc64nvme': { bytes: 8, start: (): Digest => new Crc64Nvme() },
  'x-amz-checksum-sha1': { bytes: 20, start: (): Digest => createHash('sha1') },
  'x-amz-checksum-sha256': { bytes: 32, start: (): Digest => createHash('sha256') },
} as const;

export type ChecksumHeader = keyof typeof checksums;

const isChecksumHeader = (name: string): name is ChecksumHeader => Object.hasOwn(checksums, name);

export const startChecksum = (header: ChecksumHeader): Digest => checksums[header].start();

/** Name of the XML element of a checksum, such as `ChecksumSHA256`. */
export const checksumElement = (header: string): string =>
  `Checksum${header.slice('x-amz-checksum-'.length).toUpperCase()}`;

/** Checks that a Base64 value has the length of a digest. */
export const assertBase64 = (value: string, bytes: number): void => {
  const decoded = Buffer.from(value, 'base64');
  if (decoded.length !== bytes || decoded.toString('base64') !== value) throw new S3Error('InvalidDigest');
};

/** Returns where the request has its checksum: in a header, with the value, or in a trailer. Undefined if it has none. */
export const readChecksumPlan = (
  headers: Readonly<Record<string, string>>,
): { readonly header: ChecksumHeader; readonly value: string | undefined } | undefined => {
  const given = Object.keys(headers).filter(
    (name) =>
      name.startsWith('x-amz-checksum-') &&
      !['x-amz-checksum-mode', 'x-amz-checksum-type', 'x-amz-checksum-algorithm'].includes(name),
  );
  const announced = headers['x-amz-trailer']?.toLowerCase();
  const [header, ...others] = announced === undefined ? given : [...given, announced];
  if (header === undefined) {
    if (headers['x-amz-sdk-checksum-algorithm'] === undefined) return undefined;
    throw new S3Error('InvalidRequest', { message: 'A checksum algorithm is specified, but no checksum was found.' });
  }
  if (others.length > 0) throw new S3Error('InvalidRequest', { message: 'Expecting a single x-amz-checksum- header.' });
  if (!isChecksumHeader(header)) throw new S3Error('NotImplemented', { fields: { Header: header } });
  const value = announced === undefined ? headers[header] : undefined;
  if (value !== undefined) assertBase64(value, checksums[header].bytes);
  return { header, value };
};

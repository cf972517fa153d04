import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { assertBase64, type ChecksumHeader, type Digest, readChecksumPlan, startChecksum } from './checksums.ts';
import { decodeAwsChunked } from './decode-aws-chunked.ts';
import type { S3Request } from './request.ts';
import { S3Error } from './s3-error.ts';

const maxBodyBytes = 5 * 1024 ** 3;
const streamed = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

/** A body that is being received. */
export interface IncomingBody {
  /** Announced length in bytes, after decoding. */
  readonly size: number;
  /** The decoded bytes. Ends with an S3 error if they are not what the request promised; read it once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Returns length and digests of the received bytes; complete once `chunks` has ended. */
  received(): {
    readonly md5: string;
    readonly checksumHeader: ChecksumHeader | null;
    readonly checksum: string | null;
  };
}

/**
 * Prepares to receive a request's body by its headers alone, so that a refusal needs no transfer. The bytes are verified
 * against every length, digest and checksum of the request. Throws `MissingContentLength`, `EntityTooLarge`,
 * `InvalidDigest`, `InvalidRequest`, `NotImplemented`.
 */
export const openBody = (request: S3Request, largestBytes = maxBodyBytes): IncomingBody => {
  const { headers, payloadHash } = request;
  const size = readSize(headers, payloadHash, largestBytes);
  const contentMd5 = headers['content-md5'];
  if (contentMd5 !== undefined) assertBase64(contentMd5, 16);
  const plan = readChecksumPlan(headers);
  const digests = new Map<string, Digest>([['md5', createHash('md5')]]);
  if (/^[0-9a-f]{64}$/.test(payloadHash)) digests.set('payload', createHash('sha256'));
  if (plan !== undefined) digests.set('checksum', startChecksum(plan.header));
  const results = new Map<string, Buffer>();

  const verify = (receivedBytes: number, announced: string | undefined): void => {
    if (receivedBytes !== size) throw new S3Error('IncompleteBody');
    const [payload, checksum] = [results.get('payload')?.toString('hex'), results.get('checksum')?.toString('base64')];
    if (payload !== undefined && payload !== payloadHash) throw new S3Error('XAmzContentSHA256Mismatch');
    if (contentMd5 !== undefined && contentMd5 !== results.get('md5')?.toString('base64'))
      throw new S3Error('BadDigest');
    if (plan !== undefined && checksum !== announced) {
      throw new S3Error('BadDigest', { message: `The ${plan.header} you specified did not match what we received.` });
    }
  };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let receivedBytes = 0;
    let announced = plan?.value;
    const raw: AsyncIterable<Buffer> = request.message.iterator({ destroyOnReturn: false });
    const decoded =
      payloadHash !== streamed
        ? raw
        : decodeAwsChunked(raw, (name, value) => {
            if (name === plan?.header) announced = value;
          });
    for await (const chunk of decoded) {
      receivedBytes += chunk.length;
      if (receivedBytes > size) throw new S3Error('IncompleteBody');
      for (const digest of digests.values()) digest.update(chunk);
      yield chunk;
    }
    for (const [name, digest] of digests) results.set(name, Buffer.from(await digest.digest()));
    verify(receivedBytes, announced);
  }

  return {
    size,
    chunks: chunks(),
    received: () => ({
      md5: results.get('md5')?.toString('hex') ?? '',
      checksumHeader: plan?.header ?? null,
      checksum: results.get('checksum')?.toString('base64') ?? null,
    }),
  };
};

const readSize = (headers: S3Request['headers'], payloadHash: string, largestBytes: number): number => {
  if (!/^([0-9a-f]{64}|UNSIGNED-PAYLOAD)$/.test(payloadHash) && payloadHash !== streamed) {
    throw new S3Error('NotImplemented', { fields: { Header: 'x-amz-content-sha256' } });
  }
  const length = headers[payloadHash === streamed ? 'x-amz-decoded-content-length' : 'content-length'];
  if (length === undefined || !/^\d{1,15}$/.test(length)) throw new S3Error('MissingContentLength');
  const size = Number(length);
  if (size <= largestBytes) return size;
  throw new S3Error('EntityTooLarge', { fields: { ProposedSize: size, MaxSizeAllowed: largestBytes } });
};

/** Reads and verifies the body of a request that is a small document. */
export const readText = async (request: S3Request): Promise<string> => {
  const body = openBody(request, 4 * 1024 ** 2);
  request.acceptBody();
  return text(body.chunks);
};

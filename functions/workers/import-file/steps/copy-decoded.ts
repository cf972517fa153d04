import { Readable } from 'node:stream';
import { decodeBody } from '../../../../shared/kernel/decode-body.ts';
import type { JobRecord } from '../../../../shared/files/index.ts';
import { openChecksum } from '../../../../shared/platform/object-sources/checksum.ts';
import { type ObjectSource, type SourceHead, SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import { checksumMismatch, partBytes, readRange } from './copy-bytes.ts';
import type { ImportContext } from '../uses.ts';

/** Yields the stored object in ranges. Its checksum is of these bytes. Throws at the end if they do not match. */
const stored = async function* (source: ObjectSource, { sizeBytes, etag, checksum }: SourceHead) {
  const running = checksum === null ? null : await openChecksum(checksum.algorithm, null);
  for (let start = 0; start < sizeBytes; start += partBytes) {
    const bytes = await readRange(source, start, Math.min(sizeBytes, start + partBytes), etag);
    running?.update(bytes);
    yield bytes;
  }
  if (checksum !== null && running?.digest() !== checksum.hex) throw checksumMismatch();
};

/** Yields the same bytes in parts of equal size, except for the last; no part if there are no bytes. */
const inParts = async function* (bytes: AsyncIterable<unknown>, limitBytes: number) {
  let waiting: Uint8Array[] = [];
  let [size, total] = [0, 0];
  for await (const chunk of bytes) {
    // Cast: a decoded body consists of bytes.
    const piece = chunk as Uint8Array;
    total += piece.byteLength;
    if (total > limitBytes)
      throw new SourceRefused(`The file has more than the ${limitBytes} bytes that the plan allows`);
    waiting.push(piece);
    size += piece.byteLength;
    if (size < partBytes) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
};

/** Whether an error is one of zlib about bytes that it cannot decompress. */
const isUnreadable = (error: unknown): boolean =>
  /^(?:Z_|ERR_BROTLI_|ERR__ERROR_)/.test(String((error as { readonly code?: unknown }).code));

/**
 * Copies an object with a `Content-Encoding` in decoded form, in one run that no other run can continue. False if the
 * object is not so encoded, although its storage states so; it must be copied unchanged then.
 */
export const copyDecoded = async (
  { deps }: ImportContext,
  job: JobRecord,
  source: ObjectSource,
  head: SourceHead,
  limitBytes: number,
): Promise<boolean> => {
  const decoded = decodeBody(Readable.from(stored(source, head)), head.encoding);
  if (decoded === null) return false;
  const { region, objectKey: key, contentType } = job;
  let upload: { readonly region: string; readonly key: string; readonly uploadId: string } | null = null;
  let pending: Uint8Array = new Uint8Array();
  let number = 0;
  try {
    for await (const part of inParts(decoded, limitBytes)) {
      if (number > 0) {
        upload ??= { region, key, uploadId: await deps.parts.begin(region, key, contentType) };
        await deps.parts.putPart(upload, number, pending);
      }
      pending = part;
      number += 1;
    }
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
  if (upload === null) {
    await deps.stored.put(region, key, pending, contentType);
    return true;
  }
  await deps.parts.putPart(upload, number, pending);
  await deps.parts.complete(upload);
  return true;
};

import { Readable } from 'node:stream';
import { decodeBody } from '../../../../shared/kernel/decode-body.ts';
import type { JobRecord } from '../../../../shared/files/index.ts';
import { openChecksum } from '../../../../shared/platform/object-sources/checksum.ts';
import { type ObjectSource, type SourceHead, SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import { damaged, partBytes, rangeOf } from './copy-bytes.ts';
import type { Copying } from '../uses.ts';

/** The object as it is stored, in ranges; its checksum is of these bytes. Throws once it turns out to be another. */
const stored = async function* (source: ObjectSource, { sizeBytes, etag, checksum }: SourceHead) {
  const running = checksum === null ? null : await openChecksum(checksum.algorithm, null);
  for (let start = 0; start < sizeBytes; start += partBytes) {
    const bytes = await rangeOf(source, start, Math.min(sizeBytes, start + partBytes), etag);
    running?.update(bytes);
    yield bytes;
  }
  if (checksum !== null && running?.digest() !== checksum.hex) throw damaged();
};

/** The same bytes in parts of one size, but for the last; none of nothing. */
const inParts = async function* (bytes: AsyncIterable<unknown>, limitBytes: number) {
  let waiting: Uint8Array[] = [];
  let [size, total] = [0, 0];
  for await (const chunk of bytes) {
    // A decoded body is in bytes.
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

/** What zlib says of bytes that it cannot undo. */
const isUnreadable = (error: unknown): boolean =>
  /^(?:Z_|ERR_BROTLI_|ERR__ERROR_)/.test(String((error as { readonly code?: unknown }).code));

/**
 * Copies an object that is stored under a `Content-Encoding` as what it is without: in one run, whose parts another does not
 * go on with. False where the object is not so encoded, whatever its storage says; then it is to be copied as it is.
 */
export const copyDecoded = async (
  { deps }: Copying,
  job: JobRecord,
  source: ObjectSource,
  head: SourceHead,
  limitBytes: number,
): Promise<boolean> => {
  const decoded = decodeBody(Readable.from(stored(source, head)), head.encoding);
  if (decoded === null) return false;
  const { region, objectKey: key, contentType } = job;
  let upload: { readonly region: string; readonly key: string; readonly uploadId: string } | null = null;
  let held: Uint8Array = new Uint8Array();
  let number = 0;
  try {
    for await (const part of inParts(decoded, limitBytes)) {
      if (number > 0) {
        upload ??= { region, key, uploadId: await deps.parts.begin(region, key, contentType) };
        await deps.parts.putPart(upload, number, held);
      }
      held = part;
      number += 1;
    }
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
  if (upload === null) {
    await deps.stored.put(region, key, held, contentType);
    return true;
  }
  await deps.parts.putPart(upload, number, held);
  await deps.parts.complete(upload);
  return true;
};

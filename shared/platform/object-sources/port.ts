/** Checksums that object storages keep of whole objects. */
export type ChecksumAlgorithm = 'md5' | 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256';

/** What a storage says the bytes of an object come to, as lower-case hex. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly hex: string;
}

/** One object as it stands in its storage. */
export interface SourceHead {
  readonly sizeBytes: number;
  /** Names this content of the object; ranges are read of it alone. */
  readonly etag: string;
  /** Null where the storage keeps none of the object as a whole. */
  readonly checksum: Checksum | null;
}

/** An object to be copied. */
export interface ObjectSource {
  /** Throws `SourceRefused`. */
  head(): Promise<SourceHead>;
  /**
   * The bytes from `start` up to but without `end`, of the content that `etag` names. Throws `SourceRefused`, and
   * `SourceChanged` where the object has another content by now.
   */
  range(start: number, end: number, etag: string): Promise<Uint8Array>;
}

/** A storage will not give an object, and asking again will not help; the message is for the caller. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
}

/** An object was replaced while it was read. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
}

const refusals: Readonly<Record<number, string>> = {
  400: 'The storage does not understand the request for the object: check its address and the credentials',
  401: 'The storage refuses the credentials',
  403: 'The storage refuses to give the object: it is not public, or the credentials do not reach it',
  404: 'There is no such object, or it is hidden from these credentials',
  405: 'The storage refuses to give the object',
  409: 'The object cannot be read as it is now, for example because it is archived',
  410: 'The object is gone',
};

/** What a storage says of a content that was there a moment ago: another has its place, or none. */
const changes: ReadonlySet<number | undefined> = new Set([404, 412]);

/**
 * Runs a request to a storage, with its errors in the words of this port; what may pass is thrown as it is.
 * @param known Whether the request is for a content that its storage has named before.
 */
export const asSource = async <Result>(
  statusOf: (error: unknown) => number | undefined,
  known: boolean,
  request: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    const status = statusOf(error);
    if (known && changes.has(status))
      throw new SourceChanged('The object was replaced while it was copied', { cause: error });
    const refusal = status === undefined ? undefined : refusals[status];
    if (refusal !== undefined) throw new SourceRefused(refusal, { cause: error });
    throw error;
  }
};

export const base64ToHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

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
  /** The `Content-Encoding` under which it is stored; empty for none. Size, ranges and checksum are of the encoded bytes. */
  readonly encoding: string;
}

/** An object to be copied. */
export interface ObjectSource {
  /** Throws `SourceRefused` and `SourceFailed`. */
  head(): Promise<SourceHead>;
  /**
   * The bytes from `start` up to but without `end`, of the content that `etag` names. Throws `SourceRefused`,
   * `SourceFailed`, and `SourceChanged` where the object has another content by now.
   */
  range(start: number, end: number, etag: string): Promise<Uint8Array>;
}

/** A storage will not give an object, and asking again will not help; the message is for the caller. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
}

/**
 * A storage does not give an object this time, but may when it is asked again; the message is for the caller and holds
 * nothing of the request, whose address may be a secret.
 */
export class SourceFailed extends Error {
  override readonly name: string = 'SourceFailed';
}

/** An object was replaced while it was read. */
export class SourceChanged extends SourceFailed {
  override readonly name = 'SourceChanged';
}

/** Why a storage refuses, by the part that the caller has to correct. */
export type RefusalReason = 'unknown_key' | 'wrong_secret' | 'expired' | 'no_permission' | 'no_container' | 'no_object';

/** How a storage refused a request. */
export interface Refusal {
  readonly status: number | undefined;
  /** Absent if the storage does not say. */
  readonly reason?: RefusalReason | undefined;
}

const reasonMessages: Readonly<Record<RefusalReason, string>> = {
  unknown_key: 'The storage does not know the key: check the id of the access key, or the account of the service',
  wrong_secret: 'The storage knows the key, but its secret is wrong: check the secret, private key or signature',
  expired: 'The credentials have expired: create new ones and import again',
  no_permission: 'The credentials are valid, but have no permission to read the object',
  no_container: 'There is no such bucket or container',
  no_object: 'There is no such object in the bucket or container',
};

const refusals: Readonly<Record<number, string>> = {
  400: 'The storage does not understand the request for the object: check its address and the credentials',
  401: 'The storage refuses the credentials',
  403: 'The storage refuses to give the object: it is not public, or the credentials do not reach it',
  404: 'There is no such object, or it is hidden from these credentials',
  405: 'The storage refuses to give the object',
  409: 'The object cannot be read as it is now, for example because it is archived: restore it first',
  410: 'The object is gone',
};

/** How Node.js names what OpenSSL cannot do with a key; nobody has been asked anything then. */
const unusableKey = /^ERR_(OSSL|CRYPTO)_/;

/** What a storage says of a content that was there a moment ago: another has its place, or none. */
const changes: ReadonlySet<number | undefined> = new Set([404, 412]);

/**
 * Runs a request to a storage, with its errors in the words of this port.
 * @param known Whether the request is for a content that its storage has named before.
 */
export const asSource = async <Result>(
  refusalOf: (error: unknown) => Refusal,
  known: boolean,
  request: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await request();
  } catch (error) {
    if (error instanceof SourceRefused) throw error;
    if (unusableKey.test(String((error as { readonly code?: unknown }).code)))
      throw new SourceRefused('The private key among the credentials is damaged', { cause: error });
    const { status, reason } = refusalOf(error);
    if (known && changes.has(status))
      throw new SourceChanged('The object was replaced while it was copied', { cause: error });
    const byStatus = status === undefined ? undefined : refusals[status];
    const refusal = reason === undefined ? byStatus : reasonMessages[reason];
    if (refusal !== undefined) throw new SourceRefused(refusal, { cause: error });
    throw new SourceFailed(status === undefined ? 'The storage does not answer' : `The storage answers ${status}`, {
      cause: error,
    });
  }
};

export const base64ToHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

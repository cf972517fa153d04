import { ForbiddenAddress } from '../delivery/guarded-agent.ts';

/** Algorithms of the checksums that object storages keep for whole objects. */
export type ChecksumAlgorithm = 'md5' | 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256';

/** Checksum of an object as its storage states it, in lower-case hex. */
export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly hex: string;
}

/** Properties of an object in its storage. */
export interface SourceHead {
  readonly sizeBytes: number;
  /** Identifies this content of the object; ranges are read of this content only. */
  readonly etag: string;
  /** Null if the storage has no checksum of the whole object. */
  readonly checksum: Checksum | null;
  /** Stored `Content-Encoding`; empty for none. Size, ranges and checksum refer to the encoded bytes. */
  readonly encoding: string;
}

/** Object to copy. */
export interface ObjectSource {
  /** Throws `SourceRefused` and `SourceFailed`. */
  head(): Promise<SourceHead>;
  /**
   * Returns the bytes `[start, end)` of the content that `etag` identifies. Throws `SourceRefused`, `SourceFailed`, and
   * `SourceChanged` if the object has other content now.
   */
  range(start: number, end: number, etag: string): Promise<Uint8Array>;
}

/** An object in a listing of its bucket. */
export interface ListedObject {
  /** Key of the object, not encoded. */
  readonly key: string;
  readonly sizeBytes: number;
  /** ETag or generation, which changes with the content. */
  readonly version: string;
}

/** Objects of a bucket whose keys have a prefix. */
export interface ObjectFolder {
  /**
   * Lists a page of objects in the order of their keys. `after` is `next` of the previous page; null for the first. Throws
   * `SourceRefused` and `SourceFailed`.
   */
  list(
    after: string | null,
    limit: number,
  ): Promise<{ readonly objects: readonly ListedObject[]; readonly next: string | null }>;
  /** Lists a page of the folders directly below the prefix, each with a slash at its end. Throws like `list`. */
  folders(
    after: string | null,
    limit: number,
  ): Promise<{ readonly folders: readonly string[]; readonly next: string | null }>;
  object(key: string): ObjectSource;
}

/** Error: a storage refuses to return an object, permanently. The message is for the caller. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';
  /** Absent if the refusal has another cause, such as an archived object. */
  readonly reason: RefusalReason | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly reason?: RefusalReason | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = options.reason;
  }
}

/**
 * Error: a storage failed to return an object, but may succeed on a retry. The message is for the caller and contains
 * nothing of the request, whose URL may be a secret.
 */
export class SourceFailed extends Error {
  override readonly name: string = 'SourceFailed';
}

/** Error: an object was replaced while it was read. */
export class SourceChanged extends SourceFailed {
  override readonly name = 'SourceChanged';
}

/** Reason of a refusal, by the part that the caller must correct. */
export type RefusalReason =
  | 'unknown_key'
  | 'wrong_secret'
  | 'expired'
  | 'no_permission'
  | 'firewall'
  | 'no_container'
  | 'no_object';

/** Refusal of a request by a storage. */
export interface Refusal {
  readonly status: number | undefined;
  /** Absent if the storage states none. */
  readonly reason?: RefusalReason | undefined;
}

const reasonMessages: Readonly<Record<RefusalReason, string>> = {
  unknown_key: 'The storage does not know the key: check the id of the access key, or the service account',
  wrong_secret: 'The storage knows the key, but its secret is wrong: check the secret, private key or signature',
  expired: 'The credentials have expired: create new ones and import again',
  no_permission: 'The credentials are valid, but have no permission to read the object',
  firewall:
    'The storage account denies the request: its firewall does not admit the service, or the signature does not allow it',
  no_container: 'There is no such bucket or container',
  no_object: 'There is no such object in the bucket or container',
};

const refusals: Readonly<Record<number, string>> = {
  400: 'The storage does not understand the request for the object: check its address and the credentials',
  401: 'The storage refuses the credentials',
  403: 'The storage denies access to the object: it is not public, or the credentials do not allow it',
  404: 'There is no such object, or it is hidden from these credentials',
  405: 'The storage refuses to return the object',
  409: 'The object cannot be read as it is now, for example because it is archived: restore it first',
  410: 'The object no longer exists',
};

/** Codes of Node.js for a key that OpenSSL cannot use. No request was sent then. */
const unusableKey = /^ERR_(OSSL|CRYPTO)_/;

const reasonsByStatus: Readonly<Record<number, RefusalReason>> = { 404: 'no_object', 410: 'no_object' };

/** Statuses for content that existed a moment ago: it was replaced or deleted. */
const changes: ReadonlySet<number | undefined> = new Set([404, 412]);

/**
 * Runs a request to a storage and maps its errors to those of this port.
 * @param known Whether the storage has returned the content's etag before.
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
    if (error instanceof ForbiddenAddress) throw new SourceRefused('The address is not a public one', { cause: error });
    if (unusableKey.test(String((error as { readonly code?: unknown }).code)))
      throw new SourceRefused('The private key among the credentials is damaged', { cause: error });
    const { status, reason } = refusalOf(error);
    if (known && changes.has(status))
      throw new SourceChanged('The object was replaced while it was copied', { cause: error });
    const byStatus = status === undefined ? undefined : refusals[status];
    const refusal = reason === undefined ? byStatus : reasonMessages[reason];
    if (refusal !== undefined)
      throw new SourceRefused(refusal, { cause: error, reason: reason ?? reasonsByStatus[status ?? 0] });
    throw new SourceFailed(
      status === undefined ? 'The storage does not respond' : `The storage responded with status ${status}`,
      {
        cause: error,
      },
    );
  }
};

export const base64ToHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

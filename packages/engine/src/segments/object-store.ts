/** Bytes of an object: from an offset on, or the last ones. */
export type ByteRange = { readonly at: number; readonly bytes: number } | { readonly last: number };

/** Bytes that were read, and the size of their object. */
export interface ObjectPart {
  readonly bytes: Buffer;
  readonly size: number;
}

export interface StoredObject {
  readonly key: string;
  readonly writtenAt: Date;
}

/** Immutable objects of one organization. Keys are relative to its prefix. */
export interface ObjectStore {
  /** Location of the objects, unique within a process. */
  readonly name: string;
  /** Returns a range of an object. Null: there is no such object. */
  readonly read: (key: string, range: ByteRange) => Promise<ObjectPart | null>;
  /** Writes an object. Returns false if it exists, also if an earlier attempt of the same call has written it. */
  readonly create: (key: string, body: readonly Buffer[]) => Promise<boolean>;
  /** Returns all objects under a prefix, in order of their keys. */
  readonly list: (prefix: string) => Promise<readonly StoredObject[]>;
  /** Removes objects. Missing ones are ignored. */
  readonly remove: (keys: readonly string[]) => Promise<void>;
}

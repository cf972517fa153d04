import type { Segment } from './blob-files.ts';
import type { Tag } from './tags.ts';

/** A checksum as the header that carried it, `x-amz-checksum-…`, and its Base64 value. */
export interface StoredChecksum {
  readonly checksumHeader: string | null;
  readonly checksum: string | null;
}

/** A row of `objects`. */
export interface StoredObject extends StoredChecksum {
  readonly bucket: string;
  readonly key: string;
  readonly id: string;
  readonly size: number;
  /** Without quotes. */
  readonly eTag: string;
  readonly modifiedMs: number;
  /** JSON of the headers that a read gives back. */
  readonly headers: string;
}

/** An object that a write is about to store under its key. */
export interface ObjectDraft extends StoredChecksum {
  readonly id: string;
  readonly eTag: string;
  readonly headers: string;
  readonly segments: readonly Segment[];
  readonly tags?: readonly Tag[];
}

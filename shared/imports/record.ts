import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { textOf } from '../db/read-item.ts';
import type { Attributes, Item, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import type { Checksum } from '../platform/object-sources/port.ts';
import type { ImportProvider } from '../platform/object-sources/object-uri.ts';

/** Address of an import. It belongs to a job and has no id of its own. */
export interface ImportAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

/** Source from which the file of a job is copied. */
export interface ImportRecord extends ImportAddress {
  readonly provider: ImportProvider;
  readonly uri: string;
  /** Name of stored credentials of the organization; null: none. */
  readonly storedCredentials: string | null;
  readonly createdAt: string;
}

/** Progress of a copy in parts. */
export interface CopyProgress {
  readonly uploadId: string;
  /** Etag of the content that is copied. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** Bytes stored so far, from the start. */
  readonly copiedBytes: number;
  /** Expected checksum and the state of the running one; null if the storage stated none. */
  readonly checksum: (Checksum & { readonly running: string }) | null;
}

/** Import with its state. */
export interface StoredImport extends ImportRecord {
  /** Sealed credentials of the source; null if it is public. */
  readonly sealed: string | null;
  readonly progress: CopyProgress | null;
  /** Last failure of its storage, for the caller; null if there was none. */
  readonly fault: string | null;
}

export const importKey = ({ organizationId, indexId, jobId }: ImportAddress): Key => ({
  pk: `INDEX#${organizationId}#${indexId}`,
  sk: jobId,
});

/** Longer than all attempts of the queue at a message: if it is exceeded, the message was lost. */
const copyTimeoutMs = hourMs;

/** Attributes that make an import due if it is not copied in time. */
export const overdueCopy = ({ organizationId }: Pick<ImportAddress, 'organizationId'>, from: string): Attributes =>
  dueBy('imports', organizationId, laterBy(from, copyTimeoutMs));

/** Converts a key to the address of an import. */
export const importAddressAt = ({ pk, sk }: Key): ImportAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, jobId: sk };
};

export const toStoredImport = (item: Item): StoredImport => ({
  ...importAddressAt(item),
  provider: item['provider'] as ImportProvider,
  uri: item['uri'] as string,
  storedCredentials: textOf(item, 'stored_credentials'),
  createdAt: item['created_at'] as string,
  sealed: textOf(item, 'credentials'),
  progress: item['progress'] === undefined ? null : (JSON.parse(item['progress'] as string) as CopyProgress),
  fault: textOf(item, 'fault'),
});

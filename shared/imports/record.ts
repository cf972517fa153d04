import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { textOf } from '../db/read-item.ts';
import type { Attributes, Item, Key } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import type { Checksum } from '../platform/object-sources/port.ts';
import type { ImportProvider } from './object-uri.ts';

/** Where an import is kept: it belongs to a job, and has no id of its own. */
export interface ImportAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

/** Where the file of a job is to be copied from. */
export interface ImportRecord extends ImportAddress {
  readonly provider: ImportProvider;
  readonly uri: string;
  readonly createdAt: string;
}

/** How far a copy in parts has come. */
export interface CopyProgress {
  readonly uploadId: string;
  /** The content that is copied, as its storage names it. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** What is stored of it, from its beginning. */
  readonly copiedBytes: number;
  /** What the bytes must come to, and what those so far come to; null where the storage told none. */
  readonly checksum: (Checksum & { readonly running: string }) | null;
}

/** An import with what has become of it. */
export interface StoredImport extends ImportRecord {
  /** What opens the source, sealed; null where it is public. */
  readonly sealed: string | null;
  readonly progress: CopyProgress | null;
  /** Why its storage has not given it lately, for the caller; null where it has not failed to. */
  readonly fault: string | null;
}

export const importKey = ({ organizationId, indexId, jobId }: ImportAddress): Key => ({
  pk: `INDEX#${organizationId}#${indexId}`,
  sk: jobId,
});

/** More than the queue takes for all attempts at a message: what is overdue then has lost it. */
const patienceMs = hourMs;

/** Marks an import that waits to be copied. */
export const overdueCopy = ({ organizationId }: Pick<ImportAddress, 'organizationId'>, from: string): Attributes =>
  dueBy('imports', organizationId, laterBy(from, patienceMs));

/** The address of an import by its key. */
export const importAddressAt = ({ pk, sk }: Key): ImportAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, jobId: sk };
};

export const toStoredImport = (item: Item): StoredImport => ({
  ...importAddressAt(item),
  provider: item['provider'] as ImportProvider,
  uri: item['uri'] as string,
  createdAt: item['created_at'] as string,
  sealed: textOf(item, 'credentials'),
  progress: item['progress'] === undefined ? null : (JSON.parse(item['progress'] as string) as CopyProgress),
  fault: textOf(item, 'fault'),
});

import { createHash } from 'node:crypto';
import { membersOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { FileJobResponse } from '../files/index.ts';
import type { Plan } from '../kernel/plans.ts';

/** Owner of documents: a connection or a crawl, which puts them into an index and removes them. */
export interface Owner {
  readonly organizationId: string;
  readonly indexId: string;
  readonly sourceId: string;
}

/** Owner with all that is needed to put documents into its index. */
export interface Source extends Owner {
  /** `source` of the file jobs of its documents. */
  readonly kind: Extract<FileJobResponse['source'], 'connector' | 'crawl'>;
  /** Plan whose limits apply to its documents. */
  readonly plan: Plan;
  /** Id of the sync that changes them; absent for a crawl. */
  readonly syncId?: string | null;
  /** Time of the last resume by a user: failures before it do not count. Absent: never resumed. */
  readonly retryFrom?: Date | null;
}

/**
 * Record of a document that a source put into its index. The table's attributes `tries` and `made` are `attempts` and
 * `isStored` here.
 */
export interface DocumentRecord {
  readonly externalId: string;
  /** Present file job of the document. */
  readonly jobId: string;
  /** Whether the job and its file have been stored. */
  readonly isStored: boolean;
  /** Earlier jobs that are not deleted yet. */
  readonly olderJobIds: ReadonlySet<string>;
  /** Number of jobs for the present version. */
  readonly attempts: number;
  /** Hash of content and metadata. */
  readonly version: string;
  /** Number of the last scan that found it. */
  readonly generation: number;
  readonly title: string | null;
  readonly url: string | null;
}

const maxPlainIdBytes = 512;

export const documentPartition = ({ organizationId, indexId, sourceId }: Owner): string =>
  `SOURCE#${organizationId}#${indexId}#${sourceId}`;

/** External ids may be longer than a key. The two prefixes keep hashes and plain ids apart. */
const sortKeyOf = (externalId: string): string =>
  Buffer.byteLength(externalId) <= maxPlainIdBytes
    ? `ID#${externalId}`
    : `HASH#${createHash('sha256').update(externalId).digest('hex')}`;

export const documentKey = (owner: Owner, externalId: string) => ({
  pk: documentPartition(owner),
  sk: sortKeyOf(externalId),
});

export const toDocumentRecord = (item: Item): DocumentRecord => ({
  externalId: item['external_id'] as string,
  jobId: item['job_id'] as string,
  isStored: item['made'] as boolean,
  olderJobIds: membersOf(item, 'older_job_ids'),
  attempts: item['tries'] as number,
  version: item['version'] as string,
  generation: item['generation'] as number,
  title: textOf(item, 'title'),
  url: textOf(item, 'url'),
});

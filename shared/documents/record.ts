import { createHash } from 'node:crypto';
import { membersOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { FileJobResponse } from '../files/index.ts';
import type { Plan } from '../kernel/plans.ts';

/** To whom documents belong: one connection or one crawl, which puts them into an index and takes them out again. */
export interface Owner {
  readonly organizationId: string;
  readonly indexId: string;
  readonly sourceId: string;
}

/** An owner that puts documents into its index. */
export interface Source extends Owner {
  /** What the file jobs of its documents name as their source. */
  readonly kind: Extract<FileJobResponse['source'], 'connector' | 'crawl'>;
  /** Whose allowance its documents are taken from. */
  readonly plan: Plan;
  /** When a person last asked to go on: jobs that failed before count for nothing. Absent: nobody has. */
  readonly triesFrom?: Date | null;
}

/** What a source knows of one document that it put into its index. */
export interface DocumentRecord {
  readonly externalId: string;
  /** The file job that carries its content now, or will. */
  readonly jobId: string;
  /** Whether the job has been stored together with its file. */
  readonly made: boolean;
  /** Jobs that carried it before and are not cleared away yet. */
  readonly olderJobIds: ReadonlySet<string>;
  /** Jobs that were begun for the present version. */
  readonly tries: number;
  /** Of content and metadata together. */
  readonly version: string;
  /** The last reading of the source that saw it. */
  readonly generation: number;
  readonly title: string | null;
  readonly url: string | null;
}

const longestPlainId = 512;

export const documentPartition = ({ organizationId, indexId, sourceId }: Owner): string =>
  `SOURCE#${organizationId}#${indexId}#${sourceId}`;

/** Ids of other systems may be longer than a key; the two prefixes keep a long one from meeting a short one. */
const sortKeyOf = (externalId: string): string =>
  Buffer.byteLength(externalId) <= longestPlainId
    ? `ID#${externalId}`
    : `HASH#${createHash('sha256').update(externalId).digest('hex')}`;

export const documentKey = (owner: Owner, externalId: string) => ({
  pk: documentPartition(owner),
  sk: sortKeyOf(externalId),
});

export const toDocumentRecord = (item: Item): DocumentRecord => ({
  externalId: item['external_id'] as string,
  jobId: item['job_id'] as string,
  made: item['made'] as boolean,
  olderJobIds: membersOf(item, 'older_job_ids'),
  tries: item['tries'] as number,
  version: item['version'] as string,
  generation: item['generation'] as number,
  title: textOf(item, 'title'),
  url: textOf(item, 'url'),
});

import { present } from '../db/condition.ts';
import { openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import {
  documentKey,
  documentPartition,
  type DocumentRecord,
  type Owner,
  type Source,
  toDocumentRecord,
} from './record.ts';

/** Numbers of documents. */
export interface DocumentCounts {
  readonly total: number;
  readonly added: number;
  /** Changed, and not added. */
  readonly updated: number;
}

interface DocumentReader {
  get(owner: Owner, externalId: string): Promise<DocumentRecord | null>;
  /** All documents of an owner, in no particular order. Tolerates removals meanwhile. */
  all(owner: Owner): AsyncIterable<DocumentRecord>;
  count(owner: Owner): Promise<number>;
  /** Counts the documents, and those that a sync has added or changed. */
  countChanges(owner: Owner, syncId: string): Promise<DocumentCounts>;
  /** External ids with a prefix that follow another id in byte order. Ids of more than 512 bytes are left out. */
  idsAfter(owner: Owner, prefix: string, after: string | null): Promise<readonly string[]>;
}

/** Fields that are recorded before a job is stored. */
export type Begun = Pick<
  DocumentRecord,
  'externalId' | 'jobId' | 'version' | 'attempts' | 'generation' | 'title' | 'url'
>;

/** Every change applies to one job of the document. It returns null or false if another job replaced it. */
export interface DocumentStore extends DocumentReader {
  /** @param from Previous record; null if there was none. */
  begin(
    owner: Owner & Pick<Source, 'syncId'>,
    begun: Begun,
    from: DocumentRecord | null,
  ): Promise<DocumentRecord | null>;
  markStored(owner: Owner, document: DocumentRecord): Promise<void>;
  /** Records that a scan has found the document; false if there is no such document. */
  markSeen(owner: Owner, externalId: string, generation: number): Promise<boolean>;
  /** Drops earlier jobs from the record. */
  forgetJobs(owner: Owner, externalId: string, jobIds: readonly string[]): Promise<void>;
  remove(owner: Owner, document: DocumentRecord): Promise<boolean>;
  /** Deletes the records of all documents of an owner, and nothing else. */
  clear(owner: Owner): Promise<void>;
}

const openDocumentReader = (runtime: Runtime): DocumentReader => {
  const table = openTable(runtime, 'documents');
  return {
    get: async (owner, externalId) => {
      const item = await table.get(documentKey(owner, externalId));
      return item === null ? null : toDocumentRecord(item);
    },
    all: async function* (owner) {
      for await (const item of table.all(documentPartition(owner))) yield toDocumentRecord(item);
    },
    count: (owner) => table.count(documentPartition(owner)),
    countChanges: async (owner, syncId) => {
      let [total, added, updated] = [0, 0, 0];
      const ids = ['added_by', 'changed_by'] as const;
      for await (const item of table.all(documentPartition(owner), { only: ids })) {
        total += 1;
        if (item['added_by'] === syncId) added += 1;
        else if (item['changed_by'] === syncId) updated += 1;
      }
      return { total, added, updated };
    },
    idsAfter: async (owner, prefix, after) => {
      const { pk, sk } = documentKey(owner, prefix);
      const options = { prefix: sk, after: after === null ? null : documentKey(owner, after).sk };
      const items = await Array.fromAsync(table.all(pk, options));
      return items.map((item) => toDocumentRecord(item).externalId);
    },
  };
};

export const openDocumentStore = (runtime: Runtime): DocumentStore => {
  const table = openTable(runtime, 'documents');
  return {
    ...openDocumentReader(runtime),
    begin: async (owner, { externalId, jobId, version, attempts, generation, title, url }, from) => {
      const item = await table.update(documentKey(owner, externalId), {
        set: {
          external_id: externalId,
          job_id: jobId,
          made: false,
          version,
          tries: attempts,
          generation,
          title: title ?? undefined,
          url: url ?? undefined,
          changed_by: owner.syncId ?? undefined,
          added_by: from === null ? (owner.syncId ?? undefined) : undefined,
        },
        remove: [...(title === null ? ['title'] : []), ...(url === null ? ['url'] : [])],
        ...(from === null || from.jobId === jobId ? {} : { include: { older_job_ids: [from.jobId] } }),
        condition: from === null ? { pk: { exists: false } } : { job_id: { eq: from.jobId } },
      });
      return item === null ? null : toDocumentRecord(item);
    },
    markStored: async (owner, { externalId, jobId }) => {
      const condition = { job_id: { eq: jobId } } as const;
      await table.update(documentKey(owner, externalId), { set: { made: true }, condition });
    },
    markSeen: async (owner, externalId, generation) => {
      const change = { set: { generation }, condition: present };
      return (await table.update(documentKey(owner, externalId), change)) !== null;
    },
    forgetJobs: async (owner, externalId, jobIds) => {
      const change = { exclude: { older_job_ids: jobIds }, condition: present };
      await table.update(documentKey(owner, externalId), change);
    },
    remove: (owner, { externalId, jobId }) => table.delete(documentKey(owner, externalId), { job_id: { eq: jobId } }),
    clear: async (owner) => {
      for await (const { pk, sk } of table.all(documentPartition(owner))) await table.delete({ pk, sk });
    },
  };
};

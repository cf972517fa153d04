import { openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import { documentKey, documentPartition, type DocumentRecord, type Source, toDocumentRecord } from './record.ts';

type Owner = Pick<Source, 'organizationId' | 'indexId' | 'sourceId'>;

interface DocumentReader {
  get(source: Owner, externalId: string): Promise<DocumentRecord | null>;
  /** All of a source, also while they are being removed; no order is promised. */
  all(source: Owner): AsyncIterable<DocumentRecord>;
  count(source: Owner): Promise<number>;
  /** External ids that begin with a prefix and come after another in the order of bytes; those over 512 bytes are left out. */
  idsAfter(source: Owner, prefix: string, after: string | null): Promise<readonly string[]>;
}

/** What is written down before a job is made. */
export type Begun = Pick<DocumentRecord, 'externalId' | 'jobId' | 'version' | 'tries' | 'generation' | 'title' | 'url'>;

/** Every change holds for one job of the document: null or false where another took its place meanwhile. */
export interface DocumentStore extends DocumentReader {
  /** @param from The record that stood before; null where there was none. */
  begin(source: Owner, begun: Begun, from: DocumentRecord | null): Promise<DocumentRecord | null>;
  markMade(source: Owner, document: DocumentRecord): Promise<void>;
  /** Notes that a sweep has seen it; false where there is no such document. */
  markSeen(source: Owner, externalId: string, generation: number): Promise<boolean>;
  /** Forgets jobs that carried the document before. */
  forgetJobs(source: Owner, externalId: string, jobIds: readonly string[]): Promise<void>;
  remove(source: Owner, document: DocumentRecord): Promise<boolean>;
  /** Forgets every document of a source, with no regard to what it left elsewhere. */
  clear(source: Owner): Promise<void>;
}

const openDocumentReader = (runtime: Runtime): DocumentReader => {
  const table = openTable(runtime, 'documents');
  return {
    get: async (source, externalId) => {
      const item = await table.get(documentKey(source, externalId));
      return item === null ? null : toDocumentRecord(item);
    },
    all: async function* (source) {
      for await (const item of table.all(documentPartition(source))) yield toDocumentRecord(item);
    },
    count: (source) => table.count(documentPartition(source)),
    idsAfter: async (source, prefix, after) => {
      const { pk, sk } = documentKey(source, prefix);
      const options = { prefix: sk, ...(after === null ? {} : { after: documentKey(source, after).sk }) };
      const items = await Array.fromAsync(table.all(pk, options));
      return items.map((item) => toDocumentRecord(item).externalId);
    },
  };
};

export const openDocumentStore = (runtime: Runtime): DocumentStore => {
  const table = openTable(runtime, 'documents');
  return {
    ...openDocumentReader(runtime),
    begin: async (source, { externalId, jobId, version, tries, generation, title, url }, from) => {
      const item = await table.update(documentKey(source, externalId), {
        set: {
          external_id: externalId,
          job_id: jobId,
          made: false,
          version,
          tries,
          generation,
          title: title ?? undefined,
          url: url ?? undefined,
        },
        remove: [...(title === null ? ['title'] : []), ...(url === null ? ['url'] : [])],
        ...(from === null || from.jobId === jobId ? {} : { include: { older_job_ids: [from.jobId] } }),
        condition: from === null ? { pk: { exists: false } } : { job_id: { eq: from.jobId } },
      });
      return item === null ? null : toDocumentRecord(item);
    },
    markMade: async (source, { externalId, jobId }) => {
      const condition = { job_id: { eq: jobId } } as const;
      await table.update(documentKey(source, externalId), { set: { made: true }, condition });
    },
    markSeen: async (source, externalId, generation) => {
      const condition = { pk: { exists: true } } as const;
      return (await table.update(documentKey(source, externalId), { set: { generation }, condition })) !== null;
    },
    forgetJobs: async (source, externalId, jobIds) => {
      const condition = { pk: { exists: true } } as const;
      await table.update(documentKey(source, externalId), { exclude: { older_job_ids: jobIds }, condition });
    },
    remove: (source, { externalId, jobId }) => table.delete(documentKey(source, externalId), { job_id: { eq: jobId } }),
    clear: async (source) => {
      for await (const { pk, sk } of table.all(documentPartition(source))) await table.delete({ pk, sk });
    },
  };
};

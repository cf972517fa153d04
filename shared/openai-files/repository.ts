import { absent, present } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { originalKey } from '../kernel/content-keys.ts';
import { timeOf } from '../kernel/ids.ts';
import { openContentReader, openContentWriter } from '../platform/aws/objects.ts';
import type { Plan } from '../kernel/plans.ts';
import { openOriginalAllowance, openStoredFilesLedger } from '../usage/index.ts';
import { reservationOf } from './reservation.ts';
import {
  type Attachment,
  batchKeyOf,
  type FileAttributes,
  type FileBatch,
  fileKey,
  filePrefix,
  linkKey,
  linkPrefix,
  openaiPartition,
  storeKey,
  type StoredFile,
  toAttachment,
  toFileBatch,
  toStoredFile,
} from './record.ts';

interface FilePage {
  readonly files: readonly StoredFile[];
  readonly hasMore: boolean;
}

type Metadata = Readonly<Record<string, string>>;

/** Files that exist without an index, their attachments, and what only the OpenAI API knows of an index. */
export interface OpenaiFiles {
  /**
   * Reserves the file from the plan, unless its upload has. Stores the record before the object, so that a deletion finds an
   * object whose upload died. Throws 402.
   */
  create(file: StoredFile, bytes: Uint8Array, plan: Plan): Promise<void>;
  get(organizationId: string, fileId: string): Promise<StoredFile | null>;
  /** Files by id, which sorts by time. */
  list(
    organizationId: string,
    page: { readonly after: string | null; readonly limit: number; readonly newestFirst: boolean },
  ): Promise<FilePage>;
  read(file: StoredFile): Promise<Uint8Array | null>;
  /** Returns the place of the object of a file. */
  objectOf(file: StoredFile): { readonly region: string; readonly key: string };
  /** Records that the deletion of a file began, before its attachments are removed. Returns null if the file is gone. */
  startRemoval(file: StoredFile, at: Date): Promise<StoredFile | null>;
  /** Deletes the object, then the record, of a file whose deletion has begun. It can be repeated. */
  remove(file: StoredFile): Promise<void>;
  attachment(organizationId: string, fileId: string, indexId: string): Promise<Attachment | null>;
  attachments(organizationId: string, fileId: string): AsyncIterable<Attachment>;
  /** Records an attachment if there is none, or `instead` of one. Returns the recorded one. */
  attach(organizationId: string, attachment: Attachment, instead: Attachment | null): Promise<Attachment>;
  setAttributes(organizationId: string, attachment: Attachment, attributes: FileAttributes): Promise<boolean>;
  detach(organizationId: string, attachment: Attachment): Promise<void>;
  metadataOf(organizationId: string, indexId: string): Promise<Metadata>;
  setMetadata(organizationId: string, indexId: string, metadata: Metadata): Promise<void>;
  removeMetadata(organizationId: string, indexId: string): Promise<void>;
  addBatch(organizationId: string, batch: FileBatch): Promise<void>;
  batch(organizationId: string, indexId: string, batchId: string): Promise<FileBatch | null>;
  cancelBatch(organizationId: string, batch: FileBatch): Promise<void>;
}

type Links = Pick<OpenaiFiles, 'attachment' | 'attachments' | 'attach' | 'setAttributes' | 'detach'>;

const openLinks = (table: Table): Links => {
  const attachment = async (organizationId: string, fileId: string, indexId: string): Promise<Attachment | null> => {
    const item = await table.get(linkKey(organizationId, fileId, indexId));
    return item === null ? null : toAttachment(item);
  };
  return {
    attachment,
    attachments: async function* (organizationId, fileId) {
      for await (const item of table.all(openaiPartition(organizationId), { prefix: linkPrefix(fileId) }))
        yield toAttachment(item);
    },
    attach: async (organizationId, wanted, instead) => {
      const key = linkKey(organizationId, wanted.fileId, wanted.indexId);
      const item = {
        ...key,
        job_id: wanted.jobId,
        attributes: wanted.attributes,
        created_at: wanted.createdAt,
      };
      const isFirst = await table.put(item, instead === null ? absent : { job_id: { eq: instead.jobId } });
      if (isFirst) return wanted;
      return (await attachment(organizationId, wanted.fileId, wanted.indexId)) ?? wanted;
    },
    setAttributes: async (organizationId, { fileId, indexId, jobId }, attributes) => {
      const change = { set: { attributes }, condition: { job_id: { eq: jobId } } } as const;
      return (await table.update(linkKey(organizationId, fileId, indexId), change)) !== null;
    },
    detach: async (organizationId, { fileId, indexId, jobId }) => {
      await table.delete(linkKey(organizationId, fileId, indexId), { job_id: { eq: jobId } });
    },
  };
};

type Stores = Pick<OpenaiFiles, 'metadataOf' | 'setMetadata' | 'removeMetadata' | 'addBatch' | 'batch' | 'cancelBatch'>;

const openStores = (table: Table): Stores => ({
  metadataOf: async (organizationId, indexId) => {
    const item = await table.get(storeKey(organizationId, indexId));
    return (item?.['metadata'] ?? {}) as Metadata;
  },
  setMetadata: async (organizationId, indexId, metadata) => {
    await table.put({ ...storeKey(organizationId, indexId), metadata });
  },
  removeMetadata: async (organizationId, indexId) => {
    await table.delete(storeKey(organizationId, indexId));
  },
  addBatch: async (organizationId, { id, indexId, fileIds }) => {
    await table.put({ ...batchKeyOf(organizationId, indexId, id), file_ids: fileIds });
  },
  batch: async (organizationId, indexId, batchId) => {
    const item = await table.get(batchKeyOf(organizationId, indexId, batchId));
    return item === null ? null : toFileBatch(indexId, item);
  },
  cancelBatch: async (organizationId, { id, indexId }) => {
    await table.update(batchKeyOf(organizationId, indexId, id), { set: { cancelled: true }, condition: present });
  },
});

/** Change of the storage ledger that a file makes when it is stored. */
const additionOf = ({ id }: StoredFile) => ({ id, at: timeOf(id) });

const openRemoval = (runtime: Runtime, table: Table): Pick<OpenaiFiles, 'startRemoval' | 'remove'> => {
  const ledger = openStoredFilesLedger(runtime);
  const allowance = openOriginalAllowance(runtime);
  return {
    startRemoval: async (file, at) => {
      const change = { setOnce: { deleting_at: at.toISOString() }, condition: present };
      const item = await table.update(fileKey(file.organizationId, file.id), change);
      return item === null ? null : toStoredFile(file.organizationId, item);
    },
    remove: async (file) => {
      const { organizationId, id, deletingAt, isStored, sizeBytes } = file;
      await openContentWriter(runtime).deleteAll(runtime.config.homeRegion, originalKey(organizationId, id));
      const removal = { id: `-${id}`, at: new Date(deletingAt ?? runtime.clock.now()) };
      const isCounted = isStored || (await ledger.isCounted(organizationId, additionOf(file)));
      if (isCounted) await ledger.count(organizationId, removal, -sizeBytes);
      await allowance.release(organizationId, id);
      await table.delete(fileKey(organizationId, id));
      await Promise.all([additionOf(file), removal].map((change) => ledger.forget(organizationId, change)));
    },
  };
};

const openOpenaiFiles = (runtime: Runtime): OpenaiFiles => {
  const table = openTable(runtime, 'files');
  const region = runtime.config.homeRegion;
  const reader = openContentReader(runtime);
  const writer = openContentWriter(runtime);
  const ledger = openStoredFilesLedger(runtime);
  const allowance = openOriginalAllowance(runtime);
  return {
    create: async (file, bytes, plan) => {
      const key = fileKey(file.organizationId, file.id);
      const confirm = await allowance.reserve(plan, reservationOf(table, file));
      await table.put({
        ...key,
        filename: file.filename,
        content_type: file.contentType,
        purpose: file.purpose,
        size_bytes: file.sizeBytes,
        stored: false,
        ...(file.restrictedTo === null ? {} : { restricted_to: file.restrictedTo }),
      });
      await confirm();
      await writer.put(region, originalKey(file.organizationId, file.id), bytes, file.contentType);
      await ledger.count(file.organizationId, additionOf(file), file.sizeBytes);
      await table.update(key, { set: { stored: true }, condition: present });
      await ledger.forget(file.organizationId, additionOf(file));
    },
    get: async (organizationId, fileId) => {
      const item = await table.get(fileKey(organizationId, fileId));
      return item === null ? null : toStoredFile(organizationId, item);
    },
    list: async (organizationId, { after, limit, newestFirst }) => {
      const { items, next } = await table.query(openaiPartition(organizationId), {
        prefix: filePrefix,
        after,
        limit,
        newestFirst,
      });
      return { files: items.map((item) => toStoredFile(organizationId, item)), hasMore: next !== null };
    },
    objectOf: (file) => ({ region, key: originalKey(file.organizationId, file.id) }),
    read: (file) => reader.get(region, originalKey(file.organizationId, file.id)),
    ...openRemoval(runtime, table),
    ...openLinks(table),
    ...openStores(table),
  };
};

export const openaiFiles = capability<OpenaiFiles>(
  ['files.read', 'files.write', 'usage.read', 'usage.write', 'originals.read', 'originals.put', 'originals.delete'],
  openOpenaiFiles,
);

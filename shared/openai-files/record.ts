import { flagOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item, Key } from '../db/contracts.ts';

/** Values by which searches filter the chunks of an attached file. */
export type FileAttributes = Readonly<Record<string, string | number | boolean>>;

/** File that exists without an index. */
export interface StoredFile {
  readonly id: string;
  readonly organizationId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly purpose: string;
  readonly sizeBytes: number;
  /** Subject whose credential is restricted to indexes and uploaded the file; null for an unrestricted one. */
  readonly restrictedTo: string | null;
  /** Whether the object of the file is stored and counted. */
  readonly isStored: boolean;
  /** When the deletion of the file began; null if it did not. */
  readonly deletingAt: string | null;
}

/** Statuses of an upload. `completing` is shown as `pending`. */
type UploadStatus = 'pending' | 'completing' | 'completed' | 'cancelled' | 'expired';

/** File that arrives in parts. */
export interface Upload {
  readonly id: string;
  readonly organizationId: string;
  /** Id of the file that its completion creates. */
  readonly fileId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly purpose: string;
  readonly sizeBytes: number;
  readonly restrictedTo: string | null;
  readonly status: UploadStatus;
  readonly expiresAt: string;
}

/** Attachment of a file to an index by a file job. */
export interface Attachment {
  readonly fileId: string;
  readonly indexId: string;
  readonly jobId: string;
  readonly attributes: FileAttributes;
  readonly createdAt: string;
}

/** Files that were attached together. */
export interface FileBatch {
  readonly id: string;
  readonly indexId: string;
  readonly fileIds: readonly string[];
  readonly isCancelled: boolean;
}

/** Partition of an organization. File ids, links, stores and batches sort apart by their prefixes. */
export const openaiPartition = (organizationId: string): string => `OPENAI#${organizationId}`;

export const filePrefix = 'file_';

export const fileKey = (organizationId: string, fileId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: fileId,
});

export const linkPrefix = (fileId: string): string => `LINK#${fileId}#`;

export const linkKey = (organizationId: string, fileId: string, indexId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: `${linkPrefix(fileId)}${indexId}`,
});

export const storeKey = (organizationId: string, indexId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: `STORE#${indexId}`,
});

export const batchKeyOf = (organizationId: string, indexId: string, batchId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: `BATCH#${indexId}#${batchId}`,
});

export const uploadKeyOf = (organizationId: string, uploadId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: `UPLOAD#${uploadId}`,
});

export const partKeyOf = (organizationId: string, uploadId: string, partId: string): Key => ({
  pk: openaiPartition(organizationId),
  sk: `PART#${uploadId}#${partId}`,
});

export const toUpload = (organizationId: string, item: Item): Upload => ({
  id: item.sk.split('#').at(-1) ?? '',
  organizationId,
  fileId: textOf(item, 'file_id') ?? '',
  filename: textOf(item, 'filename') ?? '',
  contentType: textOf(item, 'content_type') ?? '',
  purpose: textOf(item, 'purpose') ?? '',
  sizeBytes: numberOf(item, 'size_bytes'),
  restrictedTo: textOf(item, 'restricted_to'),
  status: (textOf(item, 'status') ?? 'pending') as UploadStatus,
  expiresAt: textOf(item, 'expires_at') ?? '',
});

export const toStoredFile = (organizationId: string, item: Item): StoredFile => ({
  id: item.sk,
  organizationId,
  filename: textOf(item, 'filename') ?? '',
  contentType: textOf(item, 'content_type') ?? '',
  purpose: textOf(item, 'purpose') ?? '',
  sizeBytes: numberOf(item, 'size_bytes'),
  restrictedTo: textOf(item, 'restricted_to'),
  isStored: flagOf(item, 'stored'),
  deletingAt: textOf(item, 'deleting_at'),
});

export const toAttachment = (item: Item): Attachment => {
  const [, fileId = '', indexId = ''] = item.sk.split('#');
  return {
    fileId,
    indexId,
    jobId: textOf(item, 'job_id') ?? '',
    attributes: (item['attributes'] ?? {}) as FileAttributes,
    createdAt: textOf(item, 'created_at') ?? '',
  };
};

export const toFileBatch = (indexId: string, item: Item): FileBatch => ({
  id: item.sk.split('#').at(-1) ?? '',
  indexId,
  fileIds: (item['file_ids'] ?? []) as readonly string[],
  isCancelled: flagOf(item, 'cancelled'),
});

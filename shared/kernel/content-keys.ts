import { createHash } from 'node:crypto';

/*
 * Layout of the content bucket. IAM statements, lifecycle rules and notifications of the stacks depend on the prefixes.
 * Deletions depend on them too, so every key is built here.
 */

/**
 * Key prefixes: uploaded files, rows on their way to the log, recently computed vectors, files without an index, exported
 * rows, golden sets, and results of evaluations.
 */
export const contentPrefixes = {
  uploads: 'uploads/',
  batches: 'batches/',
  embeddings: 'embeddings/',
  originals: 'originals/',
  exported: 'exports/',
  golden: 'golden-sets/',
  evaluated: 'evaluations/',
} as const;

export type ContentPrefix = (typeof contentPrefixes)[keyof typeof contentPrefixes];

/** Tag of an upload that its job has not accepted yet. A lifecycle rule deletes objects that keep it. */
export const pendingUpload = { name: 'upload', value: 'pending' } as const;

/** Prefixes of objects that belong to a job or index. Embeddings belong to neither and expire. */
const owned = ['uploads', 'batches'] as const;
type Owned = (typeof owned)[number];
type OfIndex = Owned | 'golden' | 'evaluated';

interface IndexAddress {
  readonly organizationId: string;
  readonly indexId: string;
}

interface JobAddress extends IndexAddress {
  readonly jobId: string;
}

const ofIndex = (kind: OfIndex, { organizationId, indexId }: IndexAddress): string =>
  `${contentPrefixes[kind]}${organizationId}/${indexId}/`;

const ofJob = (kind: Owned, address: JobAddress): string => `${ofIndex(kind, address)}${address.jobId}/`;

/** Prefixes of all objects of an index and its jobs. */
export const indexPrefixes = (address: IndexAddress): readonly string[] =>
  ([...owned, 'golden', 'evaluated'] as const).map((kind) => ofIndex(kind, address));

/** Prefixes of all objects of a job. */
export const jobPrefixes = (address: JobAddress): readonly string[] => owned.map((kind) => ofJob(kind, address));

/** Key of a job's upload. It contains the whole address of the job. */
export const uploadKey = (address: JobAddress): string => `${ofJob('uploads', address)}source`;

/** Formats in which the text of a file is stored. */
export const textFormats = ['markdown', 'text'] as const;
export type TextFormat = (typeof textFormats)[number];

const textExtensions: Readonly<Record<TextFormat, string>> = { markdown: 'md', text: 'txt' };

/**
 * Key of the text of one part of a job's file. It begins with the key of the upload, so a deletion of the upload by prefix
 * deletes the text too.
 */
export const jobTextKey = (address: JobAddress, part: string, format: TextFormat): string =>
  `${uploadKey(address)}.text/${part}.${textExtensions[format]}`;

/** Key of the sections of one part of a job's file, by which it is cut again. Deletions reach it as they reach the text. */
export const jobSectionsKey = (address: JobAddress, part: string): string =>
  `${uploadKey(address)}.text/${part}.sections`;

/** Returns the job address in an upload key; null for any other key. */
export const parseUploadKey = (key: string): JobAddress | null => {
  const [, organizationId, indexId, jobId] = key.split('/');
  if (organizationId === undefined || indexId === undefined || jobId === undefined) return null;
  const address = { organizationId, indexId, jobId };
  return key === uploadKey(address) ? address : null;
};

/** Key of the rows of one part of a job that wait for the log of the index. */
export const jobBatchKey = (address: JobAddress, part: string): string => `${ofJob('batches', address)}${part}.json`;

/**
 * Key of the units of a job's file that planning has read. `digest` is that of the object, which is never overwritten.
 */
export const jobUnitsKey = (address: JobAddress, digest: string): string =>
  `${ofJob('batches', address)}units-${digest}`;

/** Key of the text of a job's file whose parts were joined for a download. */
export const wholeTextKey = (address: JobAddress, format: TextFormat): string =>
  `${ofJob('batches', address)}text.${textExtensions[format]}`;

/** Key of the picture of a page of a job's file, or of a file within it, drawn for a width in pixels. */
export const pagePictureKey = (
  address: JobAddress,
  {
    page,
    width,
    attachment,
  }: { readonly page: number; readonly width: number; readonly attachment: string | undefined },
): string => {
  const within = attachment === undefined ? '' : `${createHash('sha256').update(attachment).digest('hex')}/`;
  return `${ofJob('batches', address)}pages/${within}${page}-${width}.png`;
};

/** Key of a change that is too large for its message. */
export const changeKey = (address: IndexAddress, receiptId: string): string =>
  `${ofIndex('batches', address)}${receiptId}.json`;

/** Prefix of the lists of what an erasure has removed. */
export const erasedPrefix = (address: IndexAddress, erasureId: string): string =>
  `${ofIndex('batches', address)}erasures/${erasureId}`;

/** Key of a list of rows or files that an erasure has removed from an index. */
export const erasedKey = (address: IndexAddress, name: string): string => `${erasedPrefix(address, name)}.json`;

/** Prefix of the changes of an index that were too large for their messages. Objects of its jobs are below it. */
export const changesPrefix = (address: IndexAddress): string => ofIndex('batches', address);

/** Prefix of the cached vectors of an organization. */
export const embeddingsPrefix = (organizationId: string): string => `${contentPrefixes.embeddings}${organizationId}/`;

/** Prefix of the files of all exports of an index. */
export const exportsPrefix = ({ organizationId, indexId }: IndexAddress): string =>
  `${contentPrefixes.exported}${organizationId}/${indexId}/`;

/** Key of a file that belongs to no index. */
export const originalKey = (organizationId: string, fileId: string): string =>
  `${contentPrefixes.originals}${organizationId}/${fileId}/source`;

/** Prefix of the parts of an unfinished file. A lifecycle rule deletes what remains of them. */
export const partsPrefix = (organizationId: string, uploadId: string): string =>
  `${contentPrefixes.batches}${organizationId}/${uploadId}/`;

/** Key of cached vectors by their cache name. */
export const embeddingKey = (name: string): string => `${contentPrefixes.embeddings}${name}`;

/** Prefix of the files of an export. */
export const exportPrefix = (address: IndexAddress & { readonly exportId: string }): string =>
  `${contentPrefixes.exported}${address.organizationId}/${address.indexId}/${address.exportId}/`;

/** Prefix of all versions of a golden set. */
export const goldenSetPrefix = (address: IndexAddress, name: string): string => `${ofIndex('golden', address)}${name}/`;

/** Key of a version of a golden set. */
export const goldenSetKey = (address: IndexAddress, name: string, version: string): string =>
  `${goldenSetPrefix(address, name)}${version}.jsonl`;

/** Key of a part of the results of an evaluation, or of the results for each question. */
export const evaluatedKey = (address: IndexAddress & { readonly evaluationId: string }, part: string): string =>
  `${ofIndex('evaluated', address)}${address.evaluationId}/${part}`;

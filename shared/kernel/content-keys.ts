/*
 * Layout of the content bucket. Rights, lifecycle rules and notifications of the stacks hang on the prefixes, and whoever
 * deletes relies on them, so every key is made here or from what is made here.
 */

/** First parts of all keys: files on their way in, rows on their way to the log, and vectors that models gave lately. */
export const contentPrefixes = { uploads: 'uploads/', batches: 'batches/', embeddings: 'embeddings/' } as const;

export type ContentPrefix = (typeof contentPrefixes)[keyof typeof contentPrefixes];

/** The tag that an upload has until its job has accepted it; a lifecycle rule deletes what keeps it. */
export const pendingUpload = { name: 'upload', value: 'pending' } as const;

/** What goes with the job or index that it belongs to; embeddings belong to neither and expire. */
const owned = ['uploads', 'batches'] as const;
type Owned = (typeof owned)[number];

interface IndexAddress {
  readonly organizationId: string;
  readonly indexId: string;
}

interface JobAddress extends IndexAddress {
  readonly jobId: string;
}

const ofIndex = (kind: Owned, { organizationId, indexId }: IndexAddress): string =>
  `${contentPrefixes[kind]}${organizationId}/${indexId}/`;

const ofJob = (kind: Owned, address: JobAddress): string => `${ofIndex(kind, address)}${address.jobId}/`;

/** Wherever something lies that belongs to an index or to one of its jobs. */
export const indexPrefixes = (address: IndexAddress): readonly string[] => owned.map((kind) => ofIndex(kind, address));

/** Wherever something lies that belongs to a job. */
export const jobPrefixes = (address: JobAddress): readonly string[] => owned.map((kind) => ofJob(kind, address));

/** Where the upload of a job lands; the key carries the whole address of the job. */
export const uploadKey = (address: JobAddress): string => `${ofJob('uploads', address)}source`;

/** The address of the job that an object belongs to; null for an object of any other kind. */
export const parseUploadKey = (key: string): JobAddress | null => {
  const [, organizationId, indexId, jobId] = key.split('/');
  if (organizationId === undefined || indexId === undefined || jobId === undefined) return null;
  const address = { organizationId, indexId, jobId };
  return key === uploadKey(address) ? address : null;
};

/** Where the rows of one part of a job wait for the log of the index. */
export const jobBatchKey = (address: JobAddress, part: string): string => `${ofJob('batches', address)}${part}.json`;

/** Where the units of a job's file lie that planning has read; `digest` is that of the object, which is never written over. */
export const jobUnitsKey = (address: JobAddress, digest: string): string =>
  `${ofJob('batches', address)}units-${digest}`;

/** Where that waits which is too large for the message of a change. */
export const changeKey = (address: IndexAddress, receiptId: string): string =>
  `${ofIndex('batches', address)}${receiptId}.json`;

/** Where vectors of texts are kept under the name that the cache gives them. */
export const embeddingKey = (name: string): string => `${contentPrefixes.embeddings}${name}`;

import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { S3VectorsError, s3VectorsClient } from '../../../../shared/platform/aws/s3-vectors-client.ts';
import { InvalidCursor } from '../invalid-cursor.ts';
import type { TextLanguage } from '../text-language.ts';
import type { ChangeResult, FoundRow, IndexRef } from '../port.ts';
import { decodeRow, type StoredRow } from './encode-row.ts';
import { jobToken, metadataKey, originKey, textKey } from './row-keys.ts';

/** Place of the vector indexes of one organization. */
export interface VectorLocation {
  readonly region: string;
  readonly vectorBucketName: string;
  readonly organizationId: string;
}

type Client = ReturnType<typeof s3VectorsClient>;
export type StoredVersion = FoundRow & { readonly version: string };

/** State of an index, stored beside it before each change takes effect. */
export interface Journal {
  readonly version: number;
  readonly rows: number;
  readonly sparseBytes: number;
  /** Tokens of jobs whose rows are not visible because of a replacement. */
  readonly hidden: readonly string[];
  /** Results of the last changes, by key. */
  readonly results: readonly (readonly [key: string, result: ChangeResult])[];
  /** Replacement of the rows of a job that has begun; null if there is none. */
  readonly replacement: Replacement | null;
  /** Deleted jobs that may still have rows, with the keys of their deletions. Their rows are not visible. */
  readonly deleting: readonly { readonly key: string; readonly jobId: string }[];
  /** Changes with the jobs whose rows are visible. Reads in which it stays the same see one state of all files. */
  readonly view: number;
  /** Whether rows that a shown replacement overwrites may still have their former content. */
  readonly isSettling: boolean;
}

/** Replacement of the rows of a job by those of another. */
export interface Replacement {
  /** Key of the change. */
  readonly key: string;
  readonly oldJobId: string;
  /** Null: no rows replace those of the old job. */
  readonly newJobId: string | null;
}

const emptyJournal: Journal = {
  version: 1,
  rows: 0,
  sparseBytes: 0,
  hidden: [],
  results: [],
  replacement: null,
  deleting: [],
  view: 0,
  isSettling: false,
};
/** Key of the journal, and of the metadata of every record beside it. */
const journalKey = 'journal';
/** Opposite vectors, so that a query for the nearest finds the journal among any number of records. */
const [journalVector, recordVector] = [[1], [-1]];

const readBatch = 100;
const writeBatch = 500;
/** Source: Amazon S3 Vectors, 20 MiB. The rest is for the names of the index. */
const maxBodyBytes = 20_900_000;
/** Characters of the longest 32-bit number as JSON, such as -0.0000012345678806304932, and a comma. */
const maxNumberBytes = 26;
const parallelRequests = 4;
/** Parts into which a read of all rows divides an index. Source: Amazon S3 Vectors, at most 16. */
const segments = 8;
/** Vectors that one index takes or removes in a second. Source: Amazon S3 Vectors. */
const maxWritesPerSecond = 2_500;

/** Analyzers of the service by language; other languages get the standard analyzer. */
const analyzers: Partial<Readonly<Record<TextLanguage, string>>> = {
  english: 'en',
  french: 'fr',
  spanish: 'es',
  portuguese: 'pt',
  italian: 'it',
  german: 'de',
  dutch: 'nl',
  korean: 'ko',
};

/** Splits items into batches of one write. */
const writeBatches = <Item>(items: readonly Item[], bytesOf: (item: Item) => number): readonly (readonly Item[])[] => {
  const batches: Item[][] = [];
  let bytesLeft = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const last = batches.at(-1);
    if (last !== undefined && last.length < writeBatch && bytes <= bytesLeft) last.push(item);
    else {
      batches.push([item]);
      bytesLeft = maxBodyBytes;
    }
    bytesLeft -= bytes;
  }
  return batches;
};

/**
 * Runs writes a few at a time, no faster than the service takes vectors.
 * @param bytesOf Returns the bytes of an item in a request. Default: so few that 500 fit.
 */
const pacedWrites = async <Item>(
  items: readonly Item[],
  write: (batch: readonly Item[]) => Promise<unknown>,
  bytesOf: (item: Item) => number = () => 0,
): Promise<void> => {
  const perGroup = writeBatch * parallelRequests;
  for (const [at, group] of batchesOf(items, perGroup).entries()) {
    const pacedMs = at === 0 ? 0 : (perGroup / maxWritesPerSecond) * 1_000;
    await Promise.all([pause(pacedMs), inParallel(writeBatches(group, bytesOf), parallelRequests, write)]);
  }
};

/** Returns at least the bytes of a row in the JSON of a request. */
const bodyBytesOf = ({ key, data, metadata }: StoredRow): number =>
  data.float32.length * maxNumberBytes + Buffer.byteLength(JSON.stringify([key, metadata])) + 100;

/** Returns null if the service responds with an error of this name. */
const unlessError = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3VectorsError && error.name === name) return null;
    throw error;
  }
};

/** Returns null if the index does not exist: it is being created or removed, so it has no rows. */
const unlessAbsent = <Result>(work: () => Promise<Result>): Promise<Result | null> =>
  unlessError('NotFoundException', work);

/** Index of the service, with its journal in a second index. */
export interface VectorIndex {
  /** Name in the service. */
  readonly name: string;
  readonly create: (ref: IndexRef) => Promise<void>;
  readonly drop: () => Promise<void>;
  /** Returns the journal. Null if the index does not exist. */
  readonly readJournal: () => Promise<Journal | null>;
  /** Returns the same as `readJournal`, at the price of a query. */
  readonly queryJournal: () => Promise<Journal | null>;
  readonly writeJournal: (journal: Journal) => Promise<void>;
  /** Texts by key, stored beside the journal. One has at most 40 KB. */
  readonly records: {
    readonly get: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
    readonly put: (records: readonly (readonly [key: string, text: string])[]) => Promise<void>;
    readonly remove: (keys: readonly string[]) => Promise<void>;
  };
  readonly put: (rows: readonly StoredRow[]) => Promise<void>;
  /** Returns the stored rows among these ids. */
  readonly get: (ids: readonly string[], includeVector: boolean) => Promise<ReadonlyMap<string, StoredVersion>>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Returns a page of rows in the order of the service. */
  readonly list: (page: {
    readonly after: string | null;
    readonly limit: number;
    readonly includeVector: boolean;
    /** One of the parts of the index. Default: the whole index. */
    readonly segment?: number;
  }) => Promise<{ readonly rows: readonly StoredVersion[]; readonly next: string | null }>;
  readonly query: (
    input: { readonly topK: number; readonly filter: JsonObject } & (
      | { readonly vector: Float32Array }
      | { readonly text: string }
    ),
  ) => Promise<readonly { readonly row: StoredVersion; readonly distance: number; readonly bm25: number }[]>;
}

const createBoth = async (client: Client, index: Name, journal: Name, ref: IndexRef): Promise<void> => {
  const language = analyzers[ref.textLanguage ?? 'english'];
  const configuration = {
    nonFilterableMetadataKeys: [textKey, metadataKey, originKey],
    textSearchConfigurations: [{ metadataKey: textKey, ...(language === undefined ? {} : { language }) }],
  };
  const { dimensions: dimension, metric: distanceMetric } = ref;
  const create = (input: object) =>
    unlessError('ConflictException', () => client.call('CreateIndex', { dataType: 'float32', ...input } as never));
  await create({
    ...journal,
    dimension: 1,
    distanceMetric: 'cosine',
    metadataConfiguration: { nonFilterableMetadataKeys: [journalKey] },
  });
  await create({ ...index, dimension, distanceMetric, metadataConfiguration: configuration });
};

type Name = { readonly vectorBucketName: string; readonly indexName: string };

const toJournal = (vectors: readonly { readonly key: string; readonly metadata?: JsonObject }[]): Journal | null => {
  const state = vectors.find(({ key }) => key === journalKey)?.metadata?.[journalKey];
  return typeof state === 'string' ? (JSON.parse(state) as Journal) : null;
};

const getJournal = async (client: Client, journal: Name): Promise<Journal> => {
  const { vectors } = await client.call('GetVectors', { ...journal, keys: [journalKey], returnMetadata: true });
  return toJournal(vectors) ?? emptyJournal;
};

/** Reads the journal by a query, which costs a twentieth of a read by key. Both see every write. */
const queryJournal = async (client: Client, journal: Name): Promise<Journal> => {
  const query = { topK: 1, queryVector: { float32: journalVector }, returnMetadata: true };
  const { vectors } = await client.call('QueryVectors', { ...journal, ...query });
  return toJournal(vectors) ?? getJournal(client, journal);
};

const getVectors = async (
  client: Client,
  name: Name,
  keys: readonly string[],
  returned: { readonly returnData?: boolean; readonly returnMetadata: true },
) => {
  const pages = await inParallel(batchesOf([...new Set(keys)], readBatch), parallelRequests, (batch) =>
    unlessAbsent(() => client.call('GetVectors', { ...name, keys: batch, ...returned })),
  );
  return pages.flatMap((page) => page?.vectors ?? []);
};

type Query = Parameters<VectorIndex['query']>[0];

/** Returns the hits of all pages of a query. */
const queryAll = async (
  client: Client,
  index: Name,
  { topK, filter, ...side }: Query,
): ReturnType<VectorIndex['query']> => {
  const hits: { row: StoredVersion; distance: number; bm25: number }[] = [];
  const wanted =
    'vector' in side
      ? { queryVector: { float32: Array.from(side.vector) } }
      : { queryTexts: [{ metadataKey: textKey, text: side.text }] };
  let token: { readonly nextToken?: string } = {};
  do {
    const returned = { returnMetadata: true, returnDistance: true, returnScores: true };
    const page = await client.call('QueryVectors', { ...index, topK, filter, ...wanted, ...returned, ...token });
    for (const { distance = 0, scores, ...vector } of page.vectors)
      hits.push({ row: decodeRow(vector), distance, bm25: scores?.bm25Scores?.[0]?.score ?? 0 });
    token = page.nextToken === undefined ? {} : { nextToken: page.nextToken };
  } while (token.nextToken !== undefined);
  return hits;
};

const listPage = async (
  client: Client,
  index: Name,
  { after, limit, includeVector, segment }: Parameters<VectorIndex['list']>[0],
): ReturnType<VectorIndex['list']> => {
  const token = after === null ? {} : { nextToken: after };
  const part = segment === undefined ? {} : { segmentCount: segments, segmentIndex: segment };
  const input = { ...index, maxResults: limit, returnData: includeVector, returnMetadata: true, ...part, ...token };
  try {
    const page = await unlessAbsent(() => client.call('ListVectors', input));
    return { rows: page?.vectors.map(decodeRow) ?? [], next: page?.nextToken ?? null };
  } catch (error) {
    // Only the token comes from a caller.
    const isToken = after !== null && error instanceof S3VectorsError && error.name === 'ValidationException';
    throw isToken ? new InvalidCursor(error) : error;
  }
};

const openRecords = (client: Client, journal: Name): VectorIndex['records'] => ({
  get: async (keys) => {
    const vectors = await getVectors(client, journal, keys, { returnMetadata: true });
    return new Map(vectors.map(({ key, metadata }) => [key, metadata?.[journalKey] as string]));
  },
  put: (records) =>
    pacedWrites(records, (batch) => {
      const vectors = batch.map(([key, text]) => ({
        key,
        data: { float32: recordVector },
        metadata: { [journalKey]: text },
      }));
      return client.call('PutVectors', { ...journal, vectors });
    }),
  remove: (keys) => pacedWrites(keys, (batch) => client.call('DeleteVectors', { ...journal, keys: batch })),
});

/** Opens an index by its table name. Its physical name is a digest, since the service allows few characters. */
export const openVectorIndex = (location: VectorLocation, table: string): VectorIndex => {
  const { region, vectorBucketName, organizationId } = location;
  const client = s3VectorsClient(region);
  const indexName = `i-${hash('sha256', `${organizationId}/${table}`).slice(0, 40)}`;
  const index = { vectorBucketName, indexName };
  const journal = { vectorBucketName, indexName: `${indexName}.journal` };
  return {
    name: indexName,
    create: (ref) => createBoth(client, index, journal, ref),
    drop: async () => {
      for (const name of [index, journal]) await unlessAbsent(() => client.call('DeleteIndex', name));
    },
    readJournal: () => unlessAbsent(() => getJournal(client, journal)),
    queryJournal: () => unlessAbsent(() => queryJournal(client, journal)),
    writeJournal: async (state) => {
      const vector = { key: journalKey, data: { float32: journalVector } };
      const metadata = { [journalKey]: JSON.stringify(state) };
      await client.call('PutVectors', { ...journal, vectors: [{ ...vector, metadata }] });
    },
    records: openRecords(client, journal),
    put: (rows) => pacedWrites(rows, (vectors) => client.call('PutVectors', { ...index, vectors }), bodyBytesOf),
    get: async (ids, returnData) => {
      const vectors = await getVectors(client, index, ids, { returnData, returnMetadata: true });
      return new Map(vectors.map((vector) => [vector.key, decodeRow(vector)]));
    },
    remove: (ids) => pacedWrites(ids, (keys) => client.call('DeleteVectors', { ...index, keys })),
    list: (page) => listPage(client, index, page),
    query: async (input) => (await unlessAbsent(() => queryAll(client, index, input))) ?? [],
  };
};

const scanSegment = async (
  index: VectorIndex,
  segment: number,
  visit: (rows: readonly StoredVersion[]) => void,
): Promise<void> => {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<VectorIndex['list']>> = await index.list({
      after,
      limit: 1_000,
      includeVector: false,
      segment,
    });
    visit(page.rows);
    after = page.next;
  } while (after !== null);
};

/** Calls `visit` with every page of rows, hidden ones included, in no order. An index of one page is read by one request. */
export const scanRows = async (index: VectorIndex, visit: (rows: readonly StoredVersion[]) => void): Promise<void> => {
  const { rows, next } = await index.list({ after: null, limit: 1_000, includeVector: false });
  if (next === null) visit(rows);
  else await Promise.all(Array.from({ length: segments }, (_, segment) => scanSegment(index, segment, visit)));
};

/** Returns the tokens of all jobs whose rows are not visible. */
export const hiddenTokens = ({ hidden, deleting }: Journal): readonly string[] => [
  ...hidden,
  ...deleting.map(({ jobId }) => jobToken(jobId)),
];

/** Returns a predicate of visible rows. */
export const isVisible = (journal: Journal): ((row: Pick<FoundRow, 'jobId'>) => boolean) => {
  const hidden = hiddenTokens(journal);
  return ({ jobId }) => jobId === null || !hidden.includes(jobToken(jobId));
};

/** Journal of an index that does not exist. */
export const noJournal = emptyJournal;

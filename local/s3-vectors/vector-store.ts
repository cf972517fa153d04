import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../shared/kernel/clock.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { openDatabase, type Database } from '../object-store/database.ts';
import { openVectorFaults, type VectorFaults } from './vector-faults.ts';
import { VectorError } from './vector-error.ts';
import { analyze, openTextIndex, type TextIndex } from './text-index.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS buckets (
    region TEXT NOT NULL, name TEXT NOT NULL, createdMs INTEGER NOT NULL, encryption TEXT NOT NULL,
    PRIMARY KEY (region, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS indexes (
    region TEXT NOT NULL, bucket TEXT NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL UNIQUE, createdMs INTEGER NOT NULL,
    configuration TEXT NOT NULL, PRIMARY KEY (region, bucket, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS vectors (
    indexId TEXT NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, data BLOB NOT NULL, metadata TEXT NOT NULL,
    PRIMARY KEY (indexId, place, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tags (
    arn TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (arn, name)
  ) STRICT, WITHOUT ROWID;
`;

/** A vector bucket of the templates. */
export interface VectorBucketDefinition {
  readonly region: string;
  readonly name: string;
}

export interface TextSearchConfiguration {
  readonly metadataKey: string;
  readonly language?: string;
}

/** Settings of an index. */
export interface IndexConfiguration {
  readonly dimension: number;
  readonly distanceMetric: 'cosine' | 'euclidean';
  readonly nonFilterableKeys: readonly string[];
  readonly textSearch: readonly TextSearchConfiguration[];
  readonly encryption: JsonObject;
}

export interface BucketRow {
  readonly region: string;
  readonly name: string;
  readonly createdMs: number;
  /** JSON. */
  readonly encryption: string;
}

export interface IndexRow {
  readonly region: string;
  readonly bucket: string;
  readonly name: string;
  readonly id: string;
  readonly createdMs: number;
  /** An `IndexConfiguration` as JSON. */
  readonly configuration: string;
}

/** Row of the table of vectors. Rows are listed in order of `place`, a hash of the key. */
export interface VectorRow {
  readonly place: number;
  readonly key: string;
  readonly data: Uint8Array;
  /** JSON. */
  readonly metadata: string;
}

export interface StoredVector {
  readonly key: string;
  readonly data: Float32Array;
  readonly norm: number;
  readonly metadata: JsonObject;
}

/** Vectors and texts of one index in memory. */
export interface LoadedIndex {
  readonly vectors: Map<string, StoredVector>;
  readonly texts: Map<string, TextIndex>;
}

/** Vector buckets with their indexes and vectors in one file. */
export interface VectorStore {
  readonly database: Database;
  readonly clock: Clock;
  readonly faults: VectorFaults;
  /** Returns the index in memory, which is read from the file at its first use. */
  readonly load: (index: IndexRow) => Promise<LoadedIndex>;
  /** Stores vectors in one durable transaction. */
  readonly put: (index: IndexRow, vectors: readonly StoredVector[]) => Promise<void>;
  readonly remove: (index: IndexRow, keys: readonly string[]) => Promise<void>;
  /** Forgets what is in memory: the index was deleted, or has other settings. */
  readonly unload: (index: IndexRow) => void;
  readonly close: () => void;
}

/** Position of a key in lists: pseudorandom, since the service lists in no order. */
const placeOf = (key: string): number => Number.parseInt(hash('sha256', key).slice(0, 8), 16);

export const configurationOf = ({ configuration }: IndexRow): IndexConfiguration =>
  // Written by this store.
  JSON.parse(configuration) as IndexConfiguration;

/** Returns the euclidean length of a vector. */
export const normOf = (data: Float32Array): number => Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));

export const toStored = (key: string, data: Float32Array, metadata: JsonObject): StoredVector => ({
  key,
  data,
  norm: normOf(data),
  metadata,
});

/** Returns the numbers of a stored vector. */
export const numbersOf = (data: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(data).buffer);

const readTexts = async (
  { metadata }: StoredVector,
  textSearch: readonly TextSearchConfiguration[],
): Promise<readonly (readonly [metadataKey: string, terms: Awaited<ReturnType<typeof analyze>>])[]> =>
  Promise.all(
    textSearch.flatMap(({ metadataKey, language }) => {
      const text = metadata[metadataKey];
      return typeof text === 'string' ? [analyze(language, text).then((terms) => [metadataKey, terms] as const)] : [];
    }),
  );

const loadIndex = async ({ sql }: Database, index: IndexRow): Promise<LoadedIndex> => {
  const { textSearch } = configurationOf(index);
  const vectors = new Map<string, StoredVector>();
  const rows = sql.all`SELECT place, key, data, metadata FROM vectors WHERE indexId = ${index.id}`;
  for (const { key, data, metadata } of rows as readonly VectorRow[])
    vectors.set(key, toStored(key, numbersOf(data), JSON.parse(metadata) as JsonObject));
  const texts = new Map(textSearch.map(({ metadataKey }) => [metadataKey, openTextIndex()]));
  for (const vector of vectors.values())
    for (const [metadataKey, terms] of await readTexts(vector, textSearch))
      texts.get(metadataKey)?.set(vector.key, terms);
  return { vectors, texts };
};

/** Checks that an index was not deleted meanwhile. @throws VectorError */
const requireIndex = ({ sql }: Database, { id }: IndexRow): void => {
  if (sql.get`SELECT 1 FROM indexes WHERE id = ${id}` === undefined)
    throw new VectorError('NotFoundException', 'The specified index could not be found');
};

const saveVectors = (database: Database, index: IndexRow, vectors: readonly StoredVector[]): void =>
  database.transaction(() => {
    requireIndex(database, index);
    for (const { key, data, metadata } of vectors) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const row = { indexId: index.id, place: placeOf(key), key, data: bytes, metadata: JSON.stringify(metadata) };
      database.insert('vectors', row);
    }
  });

const createBuckets = (database: Database, buckets: readonly VectorBucketDefinition[], createdMs: number): void => {
  for (const { region, name } of buckets)
    if (database.sql.get`SELECT 1 FROM buckets WHERE region = ${region} AND name = ${name}` === undefined)
      database.insert('buckets', { region, name, createdMs, encryption: '{"sseType":"AES256"}' });
};

/** Opens the file of vector buckets and creates the buckets of the templates. */
export const openVectorStore = (options: {
  readonly file: string;
  readonly buckets: readonly VectorBucketDefinition[];
  readonly clock: Clock;
}): VectorStore => {
  mkdirSync(dirname(options.file), { recursive: true });
  const database = openDatabase(options.file, schema);
  const loaded = new Map<string, Promise<LoadedIndex>>();
  createBuckets(database, options.buckets, options.clock.now().getTime());
  const load = (index: IndexRow): Promise<LoadedIndex> => {
    const known = loaded.get(index.id) ?? loadIndex(database, index);
    loaded.set(index.id, known);
    return known;
  };
  return {
    database,
    clock: options.clock,
    faults: openVectorFaults(),
    load,
    put: async (index, vectors) => {
      const { textSearch } = configurationOf(index);
      const terms = await Promise.all(vectors.map((vector) => readTexts(vector, textSearch)));
      const { vectors: stored, texts } = await load(index);
      // From here on nothing waits, so that a query sees either none of the vectors or all of them.
      saveVectors(database, index, vectors);
      for (const [at, vector] of vectors.entries()) {
        stored.set(vector.key, vector);
        for (const text of texts.values()) text.remove(vector.key);
        for (const [metadataKey, read] of terms[at] ?? []) texts.get(metadataKey)?.set(vector.key, read);
      }
    },
    remove: async (index, keys) => {
      const { vectors, texts } = await load(index);
      database.transaction(() => {
        for (const key of keys) database.remove('vectors', { indexId: index.id, place: placeOf(key), key });
      });
      for (const key of keys) {
        vectors.delete(key);
        for (const text of texts.values()) text.remove(key);
      }
    },
    unload: ({ id }) => void loaded.delete(id),
    close: () => database.close(),
  };
};

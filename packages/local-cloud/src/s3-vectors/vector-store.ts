import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { TextTerms } from '../../../engine/src/index.ts';
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
    indexId TEXT NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (indexId, place, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS metadata (
    indexId TEXT NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, metadata TEXT NOT NULL,
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

/**
 * A stored vector. Its metadata is in a table of its own, which a scan of all vectors does not read. Vectors are listed
 * in order of `place`, a hash of the key.
 */
export interface VectorRow {
  readonly place: number;
  readonly key: string;
  readonly data: Uint8Array<ArrayBuffer>;
  /** JSON. */
  readonly metadata: string;
}

/** A vector to store. */
export interface StoredVector {
  readonly key: string;
  readonly data: Float32Array;
  readonly metadata: JsonObject;
}

/** Rows of a scan between which other requests are served. */
const scannedRows = 4_000;

/** Vector buckets with their indexes and vectors in one file. */
export interface VectorStore {
  readonly database: Database;
  readonly clock: Clock;
  readonly faults: VectorFaults;
  /** Returns the text index of a metadata key. */
  readonly text: (index: IndexRow, metadataKey: string) => TextIndex;
  /** Stores a new index, within a transaction. */
  readonly addIndex: (index: IndexRow) => void;
  /** Replaces the settings of text search, and indexes the texts of all vectors again. */
  readonly setTextSearch: (index: IndexRow, textSearch: IndexConfiguration['textSearch']) => Promise<void>;
  readonly removeIndex: (index: IndexRow) => void;
  /** Stores vectors in one durable transaction. */
  readonly put: (index: IndexRow, vectors: readonly StoredVector[]) => Promise<void>;
  readonly get: (index: IndexRow, key: string) => VectorRow | undefined;
  /** Returns the rows of a place: one, unless the hashes of two keys are equal. */
  readonly at: (index: IndexRow, place: number) => readonly VectorRow[];
  /** Reads all rows, without their metadata. */
  readonly scan: (index: IndexRow) => AsyncIterable<readonly Omit<VectorRow, 'metadata'>[]>;
  readonly remove: (index: IndexRow, keys: readonly string[]) => void;
  readonly close: () => void;
}

/** Bytes of a page of the file: some rows, so that a scan reads few pages. */
const pageBytes = 16_384;

/** Position of a key in lists: pseudorandom, since the service lists in no order. */
const placeOf = (key: string): number => Number.parseInt(hash('sha256', key).slice(0, 13), 16);

export const configurationOf = ({ configuration }: IndexRow): IndexConfiguration =>
  // Written by this store.
  JSON.parse(configuration) as IndexConfiguration;

/** Returns the numbers of a stored vector. */
export const numbersOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Float32Array =>
  byteOffset % 4 === 0
    ? new Float32Array(buffer, byteOffset, byteLength / 4)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));

/** Returns the terms of the texts of a vector by metadata key. */
const readTexts = async (
  metadata: JsonObject,
  textSearch: readonly TextSearchConfiguration[],
): Promise<ReadonlyMap<string, TextTerms>> => {
  const texts = textSearch.flatMap(({ metadataKey, language }) => {
    const text = metadata[metadataKey];
    return typeof text === 'string' ? [analyze(language, text).then((terms) => [metadataKey, terms] as const)] : [];
  });
  return new Map(await Promise.all(texts));
};

/** Checks that an index was not deleted meanwhile. @throws VectorError */
const requireIndex = ({ sql }: Database, { id }: IndexRow): void => {
  if (sql.get`SELECT 1 FROM indexes WHERE id = ${id}` === undefined)
    throw new VectorError('NotFoundException', 'The specified index could not be found');
};

const createBuckets = (database: Database, buckets: readonly VectorBucketDefinition[], createdMs: number): void => {
  for (const { region, name } of buckets)
    if (database.sql.get`SELECT 1 FROM buckets WHERE region = ${region} AND name = ${name}` === undefined)
      database.insert('buckets', { region, name, createdMs, encryption: '{"sseType":"AES256"}' });
};

type Rows = Pick<VectorStore, 'text' | 'get' | 'at' | 'scan'>;

const openRows = (database: Database): Rows => {
  const { sql } = database;
  return {
    text: ({ id }, metadataKey) => openTextIndex(database, id, metadataKey),
    get: ({ id }, key) =>
      sql.get`SELECT place, key, data, metadata FROM vectors JOIN metadata USING (indexId, place, key)
        WHERE indexId = ${id} AND place = ${placeOf(key)} AND key = ${key}` as VectorRow | undefined,
    at: ({ id }, place) =>
      sql.all`SELECT place, key, data, metadata FROM vectors JOIN metadata USING (indexId, place, key)
        WHERE indexId = ${id} AND place = ${place}` as readonly VectorRow[],
    scan: async function* ({ id }) {
      let last = { place: -1, key: '' };
      for (;;) {
        const rows = sql.all`
          SELECT place, key, data FROM vectors WHERE indexId = ${id} AND (place, key) > (${last.place}, ${last.key})
          ORDER BY place, key LIMIT ${scannedRows}` as readonly Omit<VectorRow, 'metadata'>[];
        yield rows;
        if (rows.length < scannedRows) return;
        last = rows.at(-1) ?? last;
        await setImmediate();
      }
    },
  };
};

type IndexChanges = Pick<VectorStore, 'addIndex' | 'setTextSearch' | 'removeIndex'>;

const openIndexChanges = (database: Database, { text, get, scan }: Rows): IndexChanges => {
  const addIndex = (index: IndexRow): void => {
    database.insert('indexes', { ...index });
    for (const { metadataKey } of configurationOf(index).textSearch) text(index, metadataKey).create();
  };
  const dropTexts = (index: IndexRow): void => {
    for (const { metadataKey } of configurationOf(index).textSearch) text(index, metadataKey).drop();
  };
  return {
    addIndex,
    setTextSearch: async (index, textSearch) => {
      const changed = { ...index, configuration: JSON.stringify({ ...configurationOf(index), textSearch }) };
      database.transaction(() => {
        dropTexts(index);
        addIndex(changed);
      });
      for await (const rows of scan(index))
        for (const { place, key } of rows) {
          const metadata = JSON.parse(get(index, key)?.metadata ?? '{}') as JsonObject;
          for (const [metadataKey, terms] of await readTexts(metadata, textSearch))
            text(index, metadataKey).set(place, terms);
        }
    },
    removeIndex: (index) =>
      database.transaction(() => {
        dropTexts(index);
        database.remove('indexes', { id: index.id });
        for (const table of ['vectors', 'metadata']) database.remove(table, { indexId: index.id });
      }),
  };
};

/** Opens the file of vector buckets and creates the buckets of the templates. */
export const openVectorStore = (options: {
  readonly file: string;
  readonly buckets: readonly VectorBucketDefinition[];
  readonly clock: Clock;
}): VectorStore => {
  mkdirSync(dirname(options.file), { recursive: true });
  const database = openDatabase(options.file, schema, pageBytes);
  createBuckets(database, options.buckets, options.clock.now().getTime());
  const rows = openRows(database);
  const { text } = rows;
  return {
    database,
    clock: options.clock,
    faults: openVectorFaults(),
    ...rows,
    ...openIndexChanges(database, rows),
    put: async (index, vectors) => {
      const { textSearch } = configurationOf(index);
      const terms = await Promise.all(vectors.map(({ metadata }) => readTexts(metadata, textSearch)));
      database.transaction(() => {
        requireIndex(database, index);
        for (const [at, { key, data, metadata }] of vectors.entries()) {
          const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
          const row = { indexId: index.id, place: placeOf(key), key };
          database.insert('vectors', { ...row, data: bytes });
          database.insert('metadata', { ...row, metadata: JSON.stringify(metadata) });
          for (const { metadataKey } of textSearch) {
            const read = terms[at]?.get(metadataKey);
            if (read === undefined) text(index, metadataKey).remove(row.place);
            else text(index, metadataKey).set(row.place, read);
          }
        }
      });
    },
    remove: (index, keys) =>
      database.transaction(() => {
        const { textSearch } = configurationOf(index);
        for (const key of keys) {
          const place = placeOf(key);
          for (const table of ['vectors', 'metadata']) database.remove(table, { indexId: index.id, place, key });
          for (const { metadataKey } of textSearch) text(index, metadataKey).remove(place);
        }
      }),
    close: () => database.close(),
  };
};

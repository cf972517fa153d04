import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isBusy } from '../data/data-lock.ts';
import { openError } from '../data/open-error.ts';

const objectSchema = `
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, eTag TEXT NOT NULL,
    modifiedMs INTEGER NOT NULL, headers TEXT NOT NULL, checksumHeader TEXT, checksum TEXT,
    PRIMARY KEY (bucket, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS segments (
    objectId TEXT NOT NULL, position INTEGER NOT NULL, blob TEXT NOT NULL, size INTEGER NOT NULL,
    PRIMARY KEY (objectId, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tags (
    objectId TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (objectId, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS segmentsByBlob ON segments (blob);
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT NOT NULL PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, startedMs INTEGER NOT NULL,
    headers TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parts (
    uploadId TEXT NOT NULL, number INTEGER NOT NULL, blob TEXT NOT NULL, size INTEGER NOT NULL, eTag TEXT NOT NULL,
    modifiedMs INTEGER NOT NULL, checksumHeader TEXT, checksum TEXT,
    PRIMARY KEY (uploadId, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS partsByBlob ON parts (blob);
  CREATE TABLE IF NOT EXISTS events (sequencer INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL) STRICT;
`;

/** Values by column. Column names come from the code, never from a client. */
type Row = Readonly<Record<string, SQLInputValue>>;

type Query<Result> = (text: TemplateStringsArray, ...values: readonly SQLInputValue[]) => Result;

/**
 * Queries as template literals, whose values are bound as parameters. The tables are STRICT, so a row can be cast to the
 * interface that describes it.
 */
export interface Sql {
  readonly get: Query<object | undefined>;
  readonly all: Query<readonly object[]>;
  /** Reads rows one by one; the caller may stop early. */
  readonly iterate: Query<Iterable<object>>;
}

export interface Database {
  readonly sql: Sql;
  /** Adds a row, or replaces that of the same primary key. */
  insert(table: string, row: Row): void;
  /** Deletes the rows with all of these values. */
  remove(table: string, where: Row): void;
  /** Runs a statement about a table whose name is not known before, and returns its rows. */
  readonly run: (text: string, ...values: readonly SQLInputValue[]) => readonly object[];
  /** Reads the rows of such a statement one by one; the caller may stop early. */
  readonly iterate: (text: string, ...values: readonly SQLInputValue[]) => Iterable<object>;
  /** Runs statements that are not prepared, such as pragmas. */
  readonly exec: (text: string) => void;
  /** Runs `work`, which must not await, as one durable transaction; a throw rolls it back. */
  transaction<Result>(work: () => Result): Result;
  /** Writes a copy to a file that does not exist. */
  copyTo(file: string): void;
  close(): void;
}

const runTransaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

/** Bytes of a file that are read without copying them. */
const mappedBytes = 2 ** 33;

/** Opens or creates a database file, by default that of the object store. It is locked until it is closed, so that no second process sweeps its blobs. */
export const openDatabase = (file: string, schema = objectSchema, pageBytes = 4_096): Database => {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA mmap_size = ${mappedBytes};`);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT;`);
  } catch (cause) {
    database.close();
    if (isBusy(cause)) throw new Error(`${file} is in use by another process`, { cause });
    throw openError(file, cause);
  }
  // Not `createTagStore()`: its statements outlive `close()`, and with them the lock.
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  return {
    sql: {
      get: (text, ...values) => prepare(text.join('?')).get(...values),
      all: (text, ...values) => prepare(text.join('?')).all(...values),
      iterate: (text, ...values) => prepare(text.join('?')).iterate(...values),
    },
    insert: (table, row) => {
      const columns = Object.keys(row);
      const marks = columns.map(() => '?');
      const text = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks.join(', ')})`;
      prepare(text).run(...Object.values(row));
    },
    remove: (table, where) => {
      const conditions = Object.keys(where).map((column) => `${column} = ?`);
      prepare(`DELETE FROM ${table} WHERE ${conditions.join(' AND ')}`).run(...Object.values(where));
    },
    run: (text, ...values) => prepare(text).all(...values),
    iterate: (text, ...values) => prepare(text).iterate(...values),
    exec: (text) => database.exec(text),
    transaction: (work) => runTransaction(database, work),
    copyTo: (file) => {
      database.prepare('VACUUM INTO ?').run(file);
    },
    close: () => {
      database.close();
    },
  };
};

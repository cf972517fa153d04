import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, type Item, orderedBytes } from './attribute-value.ts';
import { type Database, openDatabase } from '../object-store/database.ts';
import { type CommitMark, openCommitMark } from './commit-mark.ts';
import { openError } from '../data/open-error.ts';
import type { IndexDefinition, KeyPart, TableDefinition } from './table-definition.ts';

/** Names of the key attributes of a table or index. */
export interface KeyNames {
  readonly hash: string;
  readonly range: string | null;
}

/** Key of an item, or of an entry of an index, as bytes in DynamoDB's order. */
export interface KeyBytes {
  readonly hash: Buffer;
  /** Empty if the key has no second attribute. */
  readonly range: Buffer;
}

export interface StoredIndex extends KeyNames {
  readonly definition: IndexDefinition;
  /** Name of its SQL table, quoted. */
  readonly rows: string;
}

export interface StoredTable extends KeyNames {
  readonly definition: TableDefinition;
  readonly rows: string;
  readonly indexes: readonly StoredIndex[];
}

/** One change of an item; null if it does not exist. */
export interface Write {
  readonly table: StoredTable;
  readonly key: KeyBytes;
  readonly before: Item | null;
  readonly after: Item | null;
}

/** Range of one partition of a table or index. */
export interface KeyRange {
  readonly hash: Buffer;
  /** Bounds of the second attribute. */
  readonly bounds: readonly { readonly by: '=' | '<' | '<=' | '>' | '>='; readonly bytes: Buffer }[];
  readonly reverse: boolean;
}

/** Where a page starts, exclusive: the key of the entry, and for an index that of its item. */
export interface Position extends KeyBytes {
  readonly item: KeyBytes | null;
}

const none = Buffer.alloc(0);

const bytesOf = (value: AttributeValue | undefined): Buffer =>
  value === undefined ? none : (orderedBytes(value) ?? none);

/** Returns the key of an item as bytes. The item has been checked. */
export const keyBytes = (item: Item, { hash, range }: KeyNames): KeyBytes => ({
  hash: bytesOf(item[hash]),
  range: range === null ? none : bytesOf(item[range]),
});

const namesOf = (key: readonly KeyPart[]): KeyNames => ({
  hash: key[0]?.AttributeName ?? '',
  range: key[1]?.AttributeName ?? null,
});

/** Whether an index contains an item: it has all its key attributes. */
const isIn = (item: Item, { hash, range }: KeyNames): boolean =>
  item[hash] !== undefined && (range === null || item[range] !== undefined);

const describeTable = (definition: TableDefinition): StoredTable => ({
  definition,
  ...namesOf(definition.key),
  rows: `"items ${definition.name}"`,
  indexes: definition.indexes.map((index) => ({
    definition: index,
    ...namesOf(index.KeySchema),
    rows: `"index ${definition.name} ${index.IndexName}"`,
  })),
});

const schema = `
  CREATE TABLE IF NOT EXISTS definitions (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY, digest TEXT NOT NULL, usedMs INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS commits (id INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT;
  INSERT OR IGNORE INTO commits VALUES (1, 0);`;

const insertEntry = ({ run }: Database, index: StoredIndex, table: StoredTable, item: Item): void => {
  const [entry, key] = [keyBytes(item, index), keyBytes(item, table)];
  run(`INSERT OR REPLACE INTO ${index.rows} VALUES (?, ?, ?, ?)`, entry.hash, entry.range, key.hash, key.range);
};

const describeKey = ({ attributes, key }: TableDefinition): string =>
  key
    .map(({ AttributeName, KeyType }) => {
      const type = attributes.find((attribute) => attribute.AttributeName === AttributeName)?.AttributeType;
      return `${AttributeName} ${type} ${KeyType}`;
    })
    .join(', ');

/** Definition of an index as far as its entries follow from it. Its projection does not change them. */
const layoutOf = ({ attributes }: TableDefinition, { KeySchema }: IndexDefinition): unknown =>
  KeySchema.map((part) => [part, attributes.find(({ AttributeName }) => AttributeName === part.AttributeName)]);

const buildIndex = (database: Database, table: StoredTable, index: StoredIndex): void => {
  database.run(`CREATE TABLE ${index.rows} (
    hash BLOB NOT NULL, range BLOB NOT NULL, itemHash BLOB NOT NULL, itemRange BLOB NOT NULL,
    PRIMARY KEY (hash, range, itemHash, itemRange)) STRICT, WITHOUT ROWID`);
  for (const row of database.run(`SELECT item FROM ${table.rows}`)) {
    const item = itemOf(row);
    if (isIn(item, index)) insertEntry(database, index, table, item);
  }
};

const itemOf = (row: object): Item => JSON.parse((row as { readonly item: string }).item) as Item;

/** Creates a table, or changes the indexes of the stored one. */
const syncTable = (database: Database, table: StoredTable): void => {
  const { definition } = table;
  const { sql, run } = database;
  const stored = sql.get`SELECT definition FROM definitions WHERE name = ${definition.name}`;
  const former =
    stored === undefined ? null : (JSON.parse((stored as { definition: string }).definition) as TableDefinition);
  const [keyBefore, keyNow] = [former === null ? null : describeKey(former), describeKey(definition)];
  if (keyBefore === null)
    run(`CREATE TABLE ${table.rows} (
      hash BLOB NOT NULL, range BLOB NOT NULL, item TEXT NOT NULL, PRIMARY KEY (hash, range)) STRICT, WITHOUT ROWID`);
  else if (keyBefore !== keyNow)
    throw new Error(
      `table ${definition.name} holds data under the key ${keyBefore}, not ${keyNow}: use a new data directory`,
    );
  const formerIndexes = former === null ? [] : describeTable(former).indexes;
  const isSame = (one: StoredIndex, other: StoredIndex): boolean =>
    one.rows === other.rows &&
    isDeepStrictEqual(layoutOf(former ?? definition, one.definition), layoutOf(definition, other.definition));
  for (const index of formerIndexes)
    if (!table.indexes.some((now) => isSame(index, now))) run(`DROP TABLE ${index.rows}`);
  for (const index of table.indexes)
    if (!formerIndexes.some((before) => isSame(before, index))) buildIndex(database, table, index);
  database.insert('definitions', { name: definition.name, definition: JSON.stringify(definition) });
};

/** Opens the file. After a crash, whose log is still there, it is checked. */
const openFile = (file: string): Database => {
  const isAfterCrash = existsSync(`${file}-wal`);
  const database = openDatabase(file, schema);
  try {
    // Without a mapping, a file that is cut short meanwhile fails a read and does not end the process.
    database.exec('PRAGMA mmap_size = 0; PRAGMA cache_size = -32768;');
    const [found] = isAfterCrash ? database.run('PRAGMA quick_check(1)') : [];
    const problem = found === undefined ? 'ok' : String(Object.values(found)[0]);
    if (problem !== 'ok') throw new Error(problem.replaceAll('\n', ' '));
    return database;
  } catch (error) {
    database.close();
    throw openError(file, error);
  }
};

const rangeClauses = (range: KeyRange | null, position: Position | null) => {
  const clauses: string[] = [];
  const values: Buffer[] = [];
  const add = (clause: string, ...bound: readonly Buffer[]): void => {
    clauses.push(clause);
    values.push(...bound);
  };
  if (range !== null) add('entry.hash = ?', range.hash);
  for (const { by, bytes } of range?.bounds ?? []) add(`entry.range ${by} ?`, bytes);
  if (position !== null) {
    const after = range?.reverse === true ? '<' : '>';
    const { hash, range: from, item } = position;
    if (item === null) add(`(entry.hash, entry.range) ${after} (?, ?)`, hash, from);
    else add(`(entry.hash, entry.range, itemHash, itemRange) ${after} (?, ?, ?, ?)`, hash, from, item.hash, item.range);
  }
  return { where: clauses.length === 0 ? '' : `WHERE ${clauses.join(' AND ')}`, values };
};

const rangeQuery = (table: StoredTable, index: StoredIndex | null, isReverse: boolean, where: string): string => {
  const direction = isReverse ? 'DESC' : 'ASC';
  const columns = ['entry.hash', 'entry.range', ...(index === null ? [] : ['itemHash', 'itemRange'])];
  const source =
    index === null
      ? `SELECT item FROM ${table.rows} AS entry`
      : `SELECT item FROM ${index.rows} AS entry
        CROSS JOIN ${table.rows} AS items ON items.hash = itemHash AND items.range = itemRange`;
  return `${source} ${where} ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')} LIMIT ?`;
};

/** Items by table, in one SQLite file. */
export class ItemStore {
  private readonly tables: ReadonlyMap<string, StoredTable>;
  private readonly database: Database;
  private readonly mark: CommitMark | undefined;
  /** Items that could not be written yet, by their place. */
  private readonly waiting = new Map<string, Write>();

  /**
   * Opens or creates the file, creates missing tables and follows changed indexes.
   * @throws Error in one line for a damaged file, or a table whose key has changed.
   */
  constructor(file: string, definitions: readonly TableDefinition[]) {
    const tables = definitions.map(describeTable);
    this.tables = new Map(tables.map((table) => [table.definition.name, table]));
    this.database = openFile(file);
    try {
      const { number } = this.database.sql.get`SELECT number FROM commits` as { readonly number: number };
      this.mark = openCommitMark(file, number);
      this.database.transaction(() => {
        for (const table of tables) syncTable(this.database, table);
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  table(name: string): StoredTable | undefined {
    return this.tables.get(name);
  }

  get(table: StoredTable, { hash, range }: KeyBytes): Item | null {
    const kept = this.waiting.size === 0 ? undefined : this.waiting.get(placeOf({ table, key: { hash, range } }));
    if (kept !== undefined) return kept.after;
    const [row] = this.database.run(`SELECT item FROM ${table.rows} WHERE hash = ? AND range = ?`, hash, range);
    return row === undefined ? null : itemOf(row);
  }

  /** Returns items in the order of their keys, from one partition, or from all if `range` is null. */
  *range(
    table: StoredTable,
    index: StoredIndex | null,
    range: KeyRange | null,
    position: Position | null,
    limit: number | undefined,
  ): Generator<Item> {
    const { where, values } = rangeClauses(range, position);
    const query = rangeQuery(table, index, range?.reverse === true, where);
    for (const row of this.database.iterate(query, ...values, limit ?? -1)) yield itemOf(row);
  }

  /** Returns the digest of the transaction that used a token since a time; null if none did. */
  digestOf(token: string, sinceMs: number): string | null {
    const found = this.database.sql.get`SELECT digest FROM tokens WHERE token = ${token} AND usedMs >= ${sinceMs}`;
    return (found as { readonly digest: string } | undefined)?.digest ?? null;
  }

  rememberToken(token: string, digest: string, nowMs: number, sinceMs: number): void {
    this.database.run('DELETE FROM tokens WHERE usedMs < ?', sinceMs);
    this.database.insert('tokens', { token, digest, usedMs: nowMs });
  }

  /** Writes one item and its index entries. Call it within `transaction`. */
  write({ table, key, before, after }: Write): void {
    const { run } = this.database;
    if (after === null) run(`DELETE FROM ${table.rows} WHERE hash = ? AND range = ?`, key.hash, key.range);
    else run(`INSERT OR REPLACE INTO ${table.rows} VALUES (?, ?, ?)`, key.hash, key.range, JSON.stringify(after));
    for (const index of table.indexes) {
      const [old, now] = [before, after].map((item) =>
        item !== null && isIn(item, index) ? keyBytes(item, index) : null,
      );
      if (old != null && now != null && old.hash.equals(now.hash) && old.range.equals(now.range)) continue;
      if (old != null)
        run(
          `DELETE FROM ${index.rows} WHERE hash = ? AND range = ? AND itemHash = ? AND itemRange = ?`,
          old.hash,
          old.range,
          key.hash,
          key.range,
        );
      if (now != null && after !== null) insertEntry(this.database, index, table, after);
    }
  }

  /** Keeps a write in memory until a transaction succeeds, which contains it. */
  keep(write: Write): void {
    const place = placeOf(write);
    // Its index entries are those of the item that is written.
    const { before } = this.waiting.get(place) ?? write;
    this.waiting.set(place, { ...write, before });
  }

  /** Runs `work` as one transaction. If it is not durable, a loss of power can undo it. */
  transaction<Result>(isDurable: boolean, work: () => Result): Result {
    this.database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
    const kept = new Map(this.waiting);
    try {
      const result = this.database.transaction(() => {
        for (const write of kept.values()) this.write(write);
        this.waiting.clear();
        if (isDurable) this.database.run('UPDATE commits SET number = number + 1');
        return work();
      });
      if (isDurable) this.mark?.advance();
      return result;
    } catch (error) {
      for (const [place, write] of kept) this.waiting.set(place, write);
      throw error;
    }
  }

  /** Writes a copy to a file that does not exist. */
  copyTo(file: string): void {
    this.database.copyTo(file);
  }

  /** Closes the file. Writes that wait for a transaction are tried once more. */
  close(): void {
    try {
      if (this.waiting.size > 0) this.transaction(false, () => {});
    } catch {
      // The disk still takes no data.
    }
    this.database.close();
    this.mark?.close();
  }
}

const placeOf = ({ table, key }: Pick<Write, 'table' | 'key'>): string =>
  `${table.definition.name} ${key.hash.toString('base64')} ${key.range.toString('base64')}`;

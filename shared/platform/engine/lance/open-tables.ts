import type { Connection, Table } from '@lancedb/lancedb';

/** Open tables of one database, the least recently used closed by the garbage collector once nobody reads them. */
export interface OpenTables {
  /** The table as of exactly this version. Throws where either is gone. */
  exact(name: string, version: number): Promise<Table>;
  /** A fixed view of the table at this version or a newer one; null where the table does not exist. */
  atLeast(name: string, version: number): Promise<Table | null>;
  /** A fixed view of the newest version, asked from the store; null where the table does not exist. */
  newest(name: string): Promise<Table | null>;
  /** A handle for writing that stands on the newest version; null where the table does not exist. */
  writable(name: string): Promise<Table | null>;
  /** Drops all handles of a table. */
  forget(name: string): void;
}

/** Whether an error says that a table does not exist, as opposed to one of its versions. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && /^Table '[^']*' was not found/.test(error.message);

const isMissingVersion = (error: unknown): boolean => error instanceof Error && error.message.includes('was not found');

interface Current {
  readonly version: number;
  readonly table: Promise<Table | null>;
}

const remember = <Value>(entries: Map<string, Value>, key: string, value: Value, capacity: number): Value => {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= capacity) break;
    entries.delete(oldest);
  }
  return value;
};

/** @param capacity handles kept per kind: current tables, fixed versions, writers. */
export const openTables = (connection: () => Promise<Connection>, capacity: number): OpenTables => {
  const currents = new Map<string, Current>();
  const versions = new Map<string, Promise<Table>>();
  const writers = new Map<string, Table>();

  const open = async (name: string, version?: number): Promise<Table> =>
    (await connection()).openTable(name, undefined, version === undefined ? {} : { version });

  const orNull = (error: unknown): null => {
    if (isMissingTable(error)) return null;
    throw error;
  };

  const newest = async (name: string): Promise<Table | null> => {
    try {
      // Only a pinned handle stays what it is while several queries of one search read it.
      const table = await open(name);
      const version = await table.version();
      await table.checkout(version);
      remember(currents, name, { version, table: Promise.resolve(table) }, capacity);
      return table;
    } catch (error) {
      return orNull(error);
    }
  };

  const openCurrent = async (name: string, version: number): Promise<Table | null> => {
    if (version < 1) return newest(name);
    try {
      return await open(name, version);
    } catch (error) {
      if (isMissingTable(error)) return null;
      // A reader that comes late may name a version that maintenance has removed since.
      if (isMissingVersion(error)) return newest(name);
      throw error;
    }
  };

  const atLeast = async (name: string, version: number): Promise<Table | null> => {
    const known = currents.get(name);
    const current =
      known !== undefined && known.version >= version && version > 0
        ? known
        : { version, table: openCurrent(name, version) };
    remember(currents, name, current, capacity);
    try {
      const table = await current.table;
      if (table === null && currents.get(name) === current) currents.delete(name);
      return table;
    } catch (error) {
      if (currents.get(name) === current) currents.delete(name);
      throw error;
    }
  };

  const exact = (name: string, version: number): Promise<Table> => {
    const key = `${name}@${version}`;
    const known = versions.get(key) ?? open(name, version);
    known.catch(() => versions.delete(key));
    return remember(versions, key, known, capacity);
  };

  const writable = async (name: string): Promise<Table | null> => {
    try {
      const table = writers.get(name) ?? (await open(name));
      await table.checkoutLatest();
      return remember(writers, name, table, capacity);
    } catch (error) {
      writers.delete(name);
      return orNull(error);
    }
  };

  const forget = (name: string): void => {
    currents.delete(name);
    writers.delete(name);
    for (const key of versions.keys()) if (key.startsWith(`${name}@`)) versions.delete(key);
  };

  return { exact, atLeast, newest, writable, forget };
};

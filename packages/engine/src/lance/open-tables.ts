import type { Connection, Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../../../shared/kernel/memoize.ts';
import { standsOn, versionOf } from './table-version.ts';

/** Open tables of one database. The least recently used are evicted, and closed after their last reader. */
export interface OpenTables {
  /** Opens the table at exactly this version. Throws if the table or the version does not exist. */
  readonly exact: (name: string, version: number) => Promise<Table>;
  /** Runs a query once on the table at exactly this version. The handle is not kept. */
  readonly asOf: <Answer>(name: string, version: number, ask: (table: Table) => Promise<Answer>) => Promise<Answer>;
  /**
   * Returns a fixed view of the table at a version or a newer one. Null if the table does not exist. An older view, but
   * not older than `since`, is returned until the requested version is open and prepared.
   */
  readonly atLeast: (name: string, wanted: Wanted) => Promise<Table | null>;
  /** Returns a fixed view of the newest version, read from the store. Null if the table does not exist. */
  readonly newest: (name: string) => Promise<Table | null>;
  /** Returns a handle for writing at the newest version. Null if the table does not exist. */
  readonly writable: (name: string) => Promise<Table | null>;
  /** Releases all handles of a table. */
  readonly forget: (name: string) => void;
}

/** A requested version of a table. */
export interface Wanted {
  readonly version: number;
  /** Version since which no row has changed. */
  readonly since: number;
  /** Called with a view before it replaces an older one. */
  readonly prepare: (table: Table) => Promise<unknown>;
}

type Open = (name: string, version?: number) => Promise<Table>;

/** Returns whether an error reports that a table, and not only one of its versions, does not exist. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && /^Table '[^']*' was not found/.test(error.message);

const isMissingVersion = (error: unknown): boolean => error instanceof Error && error.message.includes('was not found');

const orNull = (error: unknown): null => {
  if (isMissingTable(error)) return null;
  throw error;
};

/** The current view of a table for readers. */
interface Current {
  readonly version: number;
  readonly table: Promise<Table | null>;
  /** Whether a newer view is being opened to replace it. */
  isLeft: boolean;
}

const currentOf = (version: number, table: Promise<Table | null>): Current => ({ version, table, isLeft: false });

const currentTables = (open: Open, max: number): Pick<OpenTables, 'atLeast' | 'newest' | 'forget'> => {
  const currents = new LRUCache<string, Current>({ max });

  const newest = async (name: string): Promise<Table | null> => {
    try {
      // Only a pinned handle stays at its version while several queries of one search read it.
      const table = await open(name);
      const { version } = await versionOf(table);
      await table.checkout(version);
      currents.set(name, currentOf(version, Promise.resolve(table)));
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
      // A delayed reader may name a version that maintenance has removed since.
      return isMissingVersion(error) && !isMissingTable(error) ? newest(name) : orNull(error);
    }
  };

  /** Opens a newer version while the current one is used, and then replaces it. */
  const moveOn = async (name: string, known: Current, { version, prepare }: Wanted): Promise<void> => {
    const table = await openCurrent(name, version);
    if (table === null) return;
    await prepare(table);
    if (currents.get(name) === known) currents.set(name, currentOf(version, Promise.resolve(table)));
  };

  const atLeast = async (name: string, wanted: Wanted): Promise<Table | null> => {
    const { version, since } = wanted;
    const known = currents.get(name);
    const fits = known !== undefined && version > 0 && known.version >= since;
    const current = fits ? known : currentOf(version, openCurrent(name, version));
    if (current.version < version && !current.isLeft) {
      current.isLeft = true;
      // If opening the newer version fails or finds nothing, the next call tries again.
      void moveOn(name, current, wanted)
        .catch(() => undefined)
        .finally(() => {
          current.isLeft = false;
        });
    }
    currents.set(name, current);
    const drop = (): void => {
      if (currents.get(name) === current) currents.delete(name);
    };
    current.table.then((table) => table ?? drop(), drop);
    return current.table;
  };

  return { atLeast, newest, forget: (name) => currents.delete(name) };
};

const fixedVersions = (open: Open, max: number): Pick<OpenTables, 'exact' | 'forget'> => {
  const versions = new LRUCache<string, Promise<Table>>({ max });
  return {
    exact: (name, version) => memoize(versions, `${name}@${version}`, () => open(name, version)),
    forget: (name) => {
      for (const key of versions.keys()) if (key.startsWith(`${name}@`)) versions.delete(key);
    },
  };
};

const writableTables = (open: Open, max: number): Pick<OpenTables, 'writable' | 'forget'> => {
  const writers = new LRUCache<string, Table>({ max });
  return {
    writable: async (name) => {
      try {
        const table = writers.get(name) ?? (await open(name));
        await table.checkoutLatest();
        writers.set(name, table);
        return table;
      } catch (error) {
        writers.delete(name);
        return orNull(error);
      }
    },
    forget: (name) => writers.delete(name),
  };
};

/** @param capacity Handles kept per kind: current tables, fixed versions, writers. */
export const openTables = (connection: () => Promise<Connection>, capacity: number): OpenTables => {
  const open: Open = async (name, version) => {
    const table = await (await connection()).openTable(name, undefined, version === undefined ? {} : { version });
    if (version !== undefined) standsOn(table, version);
    return table;
  };
  const current = currentTables(open, capacity);
  const fixed = fixedVersions(open, capacity);
  const writers = writableTables(open, capacity);
  const forget = (name: string): void => {
    for (const kind of [current, fixed, writers]) kind.forget(name);
  };
  return {
    ...current,
    ...fixed,
    ...writers,
    asOf: async (name, version, ask) => {
      const table = await open(name, version);
      try {
        return await ask(table);
      } finally {
        table.close();
      }
    },
    forget,
  };
};

import type { Connection, Table } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../../kernel/memoize.ts';
import { standsOn, versionOf } from './table-version.ts';

/** Open tables of one database; those used least recently are let go and closed once nobody reads them. */
export interface OpenTables {
  /** The table as of exactly this version. Throws where either is gone. */
  readonly exact: (name: string, version: number) => Promise<Table>;
  /** What the table as of exactly this version answers, once: the handle is not kept. */
  readonly asOf: <Answer>(name: string, version: number, ask: (table: Table) => Promise<Answer>) => Promise<Answer>;
  /**
   * A fixed view of the table at a version or a newer one; null where the table does not exist. One that is older, but not
   * than `since`, serves until the version is open and prepared.
   */
  readonly atLeast: (name: string, wanted: Wanted) => Promise<Table | null>;
  /** A fixed view of the newest version, asked from the store; null where the table does not exist. */
  readonly newest: (name: string) => Promise<Table | null>;
  /** A handle for writing that stands on the newest version; null where the table does not exist. */
  readonly writable: (name: string) => Promise<Table | null>;
  /** Lets all handles of a table go. */
  readonly forget: (name: string) => void;
}

/** Which version of a table is wanted. */
export interface Wanted {
  readonly version: number;
  /** The version since which no row has changed. */
  readonly since: number;
  /** Is called with a view that is about to take the place of an older one. */
  readonly prepare: (table: Table) => Promise<unknown>;
}

type Open = (name: string, version?: number) => Promise<Table>;

/** Whether an error says that a table does not exist, as opposed to one of its versions. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && /^Table '[^']*' was not found/.test(error.message);

const isMissingVersion = (error: unknown): boolean => error instanceof Error && error.message.includes('was not found');

const orNull = (error: unknown): null => {
  if (isMissingTable(error)) return null;
  throw error;
};

/** The view of a table that is read. */
interface Current {
  readonly version: number;
  readonly table: Promise<Table | null>;
  /** Whether a newer one is on its way to its place. */
  isLeft: boolean;
}

const currentOf = (version: number, table: Promise<Table | null>): Current => ({ version, table, isLeft: false });

const currentTables = (open: Open, max: number): Pick<OpenTables, 'atLeast' | 'newest' | 'forget'> => {
  const currents = new LRUCache<string, Current>({ max });

  const newest = async (name: string): Promise<Table | null> => {
    try {
      // Only a pinned handle stays what it is while several queries of one search read it.
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
      // A reader that comes late may name a version that maintenance has removed since.
      return isMissingVersion(error) && !isMissingTable(error) ? newest(name) : orNull(error);
    }
  };

  /** Opens a newer version beside the one that answers meanwhile, and puts it in its place. */
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
      // Whoever asks next tries again where it is still there, be it that the newer one failed or was not found.
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

/** @param capacity handles kept per kind: current tables, fixed versions, writers. */
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

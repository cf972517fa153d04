import type { Table } from '@lancedb/lancedb';
import { memoize } from '../../../../shared/kernel/memoize.ts';

/** Wrapped, because only objects can be remembered. */
interface Version {
  readonly version: number;
}

const versions = new WeakMap<Table, Promise<Version>>();

/** Returns the fixed version of a table handle. */
export const versionOf = (table: Table): Promise<Version> =>
  memoize(versions, table, async () => ({ version: await table.version() }));

/** Records the version at which a table handle was opened, which saves a lookup. */
export const standsOn = (table: Table, version: number): void => {
  versions.set(table, Promise.resolve({ version }));
};

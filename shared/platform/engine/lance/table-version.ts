import type { Table } from '@lancedb/lancedb';
import { memoize } from '../../../kernel/memoize.ts';

/** Wrapped, since only an object can be kept. */
interface Version {
  readonly version: number;
}

const versions = new WeakMap<Table, Promise<Version>>();

/** The version on which a table stands for good. */
export const versionOf = (table: Table): Promise<Version> =>
  memoize(versions, table, async () => ({ version: await table.version() }));

/** Notes that a table was opened to stand on a version for good, which then need not be asked. */
export const standsOn = (table: Table, version: number): void => {
  versions.set(table, Promise.resolve({ version }));
};

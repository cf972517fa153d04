import { numberOf } from '../db/read-item.ts';
import type { Key, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import type { IndexMonth, StoredFilesMonth } from './contracts.ts';
import { dayOf, monthOf } from './items.ts';
import { type Holding, nothingHeld, noUsage } from './usage-counters.ts';

/** Id under which the bytes of files without an index are summed beside those of indexes. */
export const storedFilesId = 'files';

/** Change of the bytes of files. The same id and time identify it in a repeat. */
interface StorageChange {
  readonly id: string;
  readonly at: Date;
}

/** Counts the bytes of files without an index, once for each change. */
interface StoredFilesLedger {
  /** Counts a change. A repeat before `forget` changes nothing. */
  count(organizationId: string, change: StorageChange, bytes: number): Promise<void>;
  /** Whether a change is counted and not forgotten. */
  isCounted(organizationId: string, change: StorageChange): Promise<boolean>;
  /** Forgets a change whose count the caller has recorded, so that the item stays small. */
  forget(organizationId: string, change: StorageChange): Promise<void>;
}

const partitionOf = (organizationId: string): string => `STORED_FILES#${organizationId}`;

const keyOf = (organizationId: string, { at }: StorageChange): Key => ({
  pk: partitionOf(organizationId),
  sk: monthOf(at.toISOString()),
});

export const openStoredFilesLedger = (runtime: Runtime): StoredFilesLedger => {
  const table = openTable(runtime, 'usage');
  return {
    count: async (organizationId, change, bytes) => {
      await table.update(keyOf(organizationId, change), {
        add: { [`day_${dayOf(change.at.toISOString())}`]: bytes },
        include: { counting: [change.id] },
        condition: { counting: { lacks: change.id } },
      });
    },
    isCounted: async (organizationId, change) => {
      const item = await table.get(keyOf(organizationId, change));
      return (item?.['counting'] as ReadonlySet<string> | undefined)?.has(change.id) === true;
    },
    forget: async (organizationId, change) => {
      await table.update(keyOf(organizationId, change), {
        exclude: { counting: [change.id] },
        condition: { counting: { contains: change.id } },
      });
    },
  };
};

/** Returns the changes of every month, oldest first. */
export const readStoredFiles = (table: Table, organizationId: string): Promise<readonly StoredFilesMonth[]> =>
  Array.fromAsync(table.all(partitionOf(organizationId)), (item) => ({
    month: item.sk,
    days: new Map(
      Object.keys(item)
        .filter((name) => name.startsWith('day_'))
        .map((name) => [name.slice('day_'.length), numberOf(item, name)]),
    ),
  }));

const holding = (bytes: number): Holding => ({ ...nothingHeld, originalBytes: bytes });

const bytesOf = (months: readonly StoredFilesMonth[]): number =>
  months.reduce((sum, { days }) => [...days.values()].reduce((total, bytes) => total + bytes, sum), 0);

/** Returns the month of files in the form of the month of an index, and what they hold at its end. */
export const storedFilesIn = (
  months: readonly StoredFilesMonth[],
  month: string,
): { readonly index: IndexMonth; readonly after: Holding } => {
  const before = bytesOf(months.filter((each) => each.month < month));
  const dayEnds = new Map<string, Holding & { readonly totals: typeof noUsage }>();
  let bytes = before;
  const changes = [...(months.find((each) => each.month === month)?.days ?? [])];
  for (const [day, change] of changes.toSorted(([one], [other]) => Number(one) - Number(other))) {
    bytes += change;
    dayEnds.set(day, { ...holding(bytes), totals: noUsage });
  }
  const index = {
    indexId: storedFilesId,
    used: noUsage,
    base: noUsage,
    start: holding(before),
    searches: { dense: 0, sparse: 0, hybrid: 0 },
    searchTokens: 0,
    rerankUnits: 0,
    dayEnds,
    daySearches: new Map(),
  };
  return { index, after: holding(bytes) };
};

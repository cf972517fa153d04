import { present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability } from '../kernel/capability.ts';
import {
  batchPrefix,
  entriesOf,
  feedbackAt,
  feedbackPrefix,
  type LoggedIndex,
  logPartition,
  timeOfSearch,
} from './record.ts';

/** Selection of an erasure from a log: searches that name one of these rows, and those whose question matches. */
export interface ErasedFromLog {
  readonly ids?: ReadonlySet<string>;
  readonly isErasedText?: (query: string) => boolean;
  /** Only searches from before. Default: all. */
  readonly before?: Date;
}

/** Entries and feedback that were erased. */
export interface ErasedCounts {
  readonly entries: number;
  readonly feedback: number;
}

/** Erases from the logs of searches. */
export interface QueryLogEraser {
  /**
   * Erases the entries of an index that name given rows or whose question matches, and the feedback on them. A repeat erases
   * what is left. A process may write entries of the last two seconds afterwards, so an erasure that must be whole is
   * repeated later than that.
   */
  erase(index: LoggedIndex, erased: ErasedFromLog): Promise<ErasedCounts>;
  /** Deletes the whole log of an index. */
  eraseAll(index: LoggedIndex): Promise<void>;
}

const isBefore = (searchId: string, before: Date | undefined): boolean =>
  before === undefined || timeOfSearch(searchId) < before;

const eraseBatch = async (
  table: Table,
  item: Item,
  { ids, isErasedText, before }: ErasedFromLog,
): Promise<readonly string[]> => {
  const entries = entriesOf(item);
  const gone = entries.filter(
    ({ id: search, query, hits }) =>
      isBefore(search, before) &&
      (hits.some(([id]) => ids?.has(id) === true) || (query !== null && isErasedText?.(query) === true)),
  );
  if (gone.length === 0) return [];
  const kept = entries.filter((entry) => !gone.includes(entry));
  if (kept.length === 0) await table.delete(item);
  else await table.update(item, { set: { entries: JSON.stringify(kept) }, condition: present });
  return gone.map(({ id }) => id);
};

const openEraser = (table: Table): QueryLogEraser => ({
  erase: async (index, erased) => {
    const pk = logPartition(index);
    const searches = new Set<string>();
    for await (const item of table.all(pk, { prefix: batchPrefix }))
      for (const id of await eraseBatch(table, item, erased)) searches.add(id);
    let feedback = 0;
    for await (const { sk } of table.all(pk, { prefix: feedbackPrefix })) {
      const { searchId, row } = feedbackAt(sk);
      const isOfRow = erased.ids?.has(row) === true && isBefore(searchId, erased.before);
      if (!searches.has(searchId) && !isOfRow) continue;
      if (await table.delete({ pk, sk })) feedback += 1;
    }
    return { entries: searches.size, feedback };
  },
  eraseAll: async (index) => {
    const pk = logPartition(index);
    for await (const { sk } of table.all(pk)) await table.delete({ pk, sk });
  },
});

/** Deletes the records of the log of an index. */
export const removeQueryLog = (table: Table, organizationId: string, id: string): Promise<void> =>
  openEraser(table).eraseAll({ organizationId, id });

/** Erasures of rows and subjects use it for the logs of their indexes. */
export const queryLogErase = capability<QueryLogEraser>(['evaluations.write'], (runtime) =>
  openEraser(openTable(runtime, 'evaluations')),
);

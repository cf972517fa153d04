import { holdingOf, type IndexRecord, type indexesWrite } from '../indexes/index.ts';
import { allSettled } from '../kernel/all-settled.ts';
import type { Deps } from '../kernel/capability.ts';
import { addUsage, type Holding, monthOf, nothingHeld, type UsageTotals, type usageWrite } from '../usage/index.ts';

/** Capabilities that counting usage needs. */
export type CountDeps = Deps<{ indexes: typeof indexesWrite; usage: typeof usageWrite }>;

/** Maximum retries of a count while other runs change the counters of the index. */
const maxRounds = 20;

/**
 * Returns the stored amounts of an index at the end of the month of its counters. A deleted index has none from the month of
 * its deletion on, even if its table still exists and its jobs are still counted.
 */
const storedBy = (index: IndexRecord): Holding =>
  index.status === 'deleting' && monthOf(index.deletedAt ?? '') <= index.usage.month ? nothingHeld : holdingOf(index);

const saveMonth = ({ usage }: Pick<CountDeps, 'usage'>, index: IndexRecord, at: string): Promise<void> =>
  usage.saveIndex(index, storedBy(index), index.usage, at, index.room);

/**
 * Changes the usage counters of an index by `save`, and copies them to the month of its organization. `save` returns null if
 * another run has changed the counters meanwhile, and then gets the new record. Before the first change of a month, the
 * month before is saved again, because the last run may have died before it saved that.
 * @param then Work that may run beside the copy.
 */
export const changeCounters = async (
  deps: CountDeps,
  index: IndexRecord,
  at: string,
  save: (index: IndexRecord) => Promise<IndexRecord | 'unneeded' | null>,
  then: () => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  let current = index;
  for (let round = 0; round < maxRounds; round += 1) {
    const { month } = current.usage;
    if (month !== '' && month < monthOf(at)) await saveMonth(deps, current, at);
    const saved = await save(current);
    if (saved === 'unneeded') return;
    if (saved !== null) {
      await allSettled([saveMonth(deps, saved, at), then()], 'a commit has not been followed up');
      return;
    }
    const next = await deps.indexes.get(index.organizationId, index.id);
    if (next === null) return then();
    current = next;
  }
  throw new Error('the usage counters of an index could not be changed: too many changes at a time');
};

/** Sets the stored amounts of a deleted index to nothing from the day of the request. Repeatable, also months later. */
export const releaseStorage = async (deps: CountDeps, index: IndexRecord): Promise<void> => {
  const { deletedAt } = index;
  if (deletedAt === null) return;
  await changeCounters(deps, index, deletedAt, (current) =>
    deps.indexes.saveUsage(current, addUsage({ usage: current.usage, held: storedBy(current) }, {}, deletedAt)),
  );
};

/** Usage that is not counted yet: of a job, a crawl or late tokens. */
interface Uncounted {
  readonly used?: Partial<UsageTotals>;
  /** Bytes of originals that are stored or, if negative, no longer stored. */
  readonly originalBytes?: number;
  /** Marks the item whose usage it is as counted. Repeatable. */
  readonly markCounted: () => Promise<void>;
}

/** Id that the counters remember, with the bytes that were counted. */
const countedItem = (id: string, originalBytes: number): string => `${id}+${originalBytes}`;

/** Returns the bytes that were counted last with an item; null if it is not among the remembered ones. */
const countedBytes = ({ usage }: IndexRecord, id: string): number | null => {
  const item = usage.countedItems.findLast((known) => known.startsWith(`${id}+`));
  return item === undefined ? null : Number(item.slice(id.length + 1));
};

/**
 * Counts the usage of an item once, by any process, if the index exists. The write that adds it to the counters remembers
 * the id of the item until that is marked. A repeat finds the id or the mark, because the write is refused if another run
 * has changed the counters since the mark was read. A repeat corrects the bytes of an original that was given up meanwhile.
 * @param read Returns the usage; null if it is counted. Called after the counters are read.
 */
export const countOnce = async (
  deps: CountDeps,
  { organizationId, indexId }: { readonly organizationId: string; readonly indexId: string },
  id: string,
  at: string,
  read: (index: IndexRecord) => Promise<Uncounted | null>,
): Promise<void> => {
  const index = await deps.indexes.get(organizationId, indexId);
  if (index === null) return;
  let found: Uncounted | null = null;
  await changeCounters(deps, index, at, async (current) => {
    found = await read(current);
    if (found === null) return 'unneeded';
    const { originalBytes = 0 } = found;
    const known = countedBytes(current, id);
    if (known === originalBytes) return current;
    const change = known === null ? found : { originalBytes: originalBytes - known };
    const itemId = countedItem(id, originalBytes);
    const usage = addUsage({ usage: current.usage, held: storedBy(current) }, { ...change, itemId }, at);
    return deps.indexes.saveUsage(current, usage);
  });
  // Cast: TypeScript does not see the assignment within the function.
  await (found as Uncounted | null)?.markCounted();
};

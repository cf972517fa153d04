import { numberOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import {
  dayOf,
  dayWithin,
  fileJobsKey,
  holdingKey,
  indexFileJobsKey,
  monthKey,
  monthOf,
  searchesKey,
  searchesPrefix,
} from './items.ts';
import { reserveFileJob } from './reserve-file-job.ts';
import { combineUsage, type Holding, nothingHeld, noUsage, sumOfHoldings, type UsageTotals } from './usage-counters.ts';
import type { DayEnd, IndexMonth, UsageReader, UsageWriter } from './contracts.ts';

const holdingAttributes = ({ vectors, denseBytes, sparseBytes, originalBytes }: Holding) => ({
  vectors,
  dense_bytes: denseBytes,
  sparse_bytes: sparseBytes,
  original_bytes: originalBytes,
});

const toHolding = (item: Item): Holding => ({
  vectors: numberOf(item, 'vectors'),
  denseBytes: numberOf(item, 'dense_bytes'),
  sparseBytes: numberOf(item, 'sparse_bytes'),
  originalBytes: numberOf(item, 'original_bytes'),
});

/** Returns the stored amounts of a month. Earlier versions stored them without originals. */
const keptHolding = (kept: unknown): Holding => ({ ...nothingHeld, ...(kept as Holding | undefined) });

/** Returns the daily attributes of an item, by day. */
const daily = <Kept>(item: Item | null, prefix: string): ReadonlyMap<string, Kept> =>
  new Map(
    Object.entries(item ?? {})
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value as Kept]),
  );

/**
 * Returns the searches of an index. Earlier versions counted them in the usage item, so a month in which the version changed
 * has them in both items.
 */
const searchesOf = (
  ...items: readonly (Item | null)[]
): Pick<IndexMonth, 'searches' | 'searchTokens' | 'daySearches'> => {
  const sumOf = (name: string): number => items.reduce((sum, item) => sum + numberOf(item, name), 0);
  const days = new Set(items.flatMap((item) => [...daily(item, 'searched_').keys()]));
  return {
    searches: { dense: sumOf('searches_dense'), sparse: sumOf('searches_sparse'), hybrid: sumOf('searches_hybrid') },
    searchTokens: sumOf('search_tokens'),
    daySearches: new Map(Array.from(days, (day) => [day, sumOf(`searched_${day}`)])),
  };
};

/** Either item may be missing: an index may have been only searched, or only changed. */
const toIndexMonth = (indexId: string, account: Item | null, searched: Item | null): IndexMonth => {
  const totals = (account?.['totals'] as unknown as UsageTotals | undefined) ?? noUsage;
  const base = (account?.['base'] as unknown as UsageTotals | undefined) ?? noUsage;
  return {
    indexId,
    used: combineUsage(totals, base, (now, before) => now - before),
    base,
    start: keptHolding(account?.['start']),
    ...searchesOf(account, searched),
    dayEnds: new Map(Array.from(daily<DayEnd>(account, 'end_'), ([day, end]) => [day, { ...nothingHeld, ...end }])),
  };
};

const readsOf = (table: Table): UsageReader => ({
  month: async (organizationId, month) => {
    const { pk } = monthKey(organizationId, month, '');
    const [accounts, searched] = await Promise.all([
      Array.fromAsync(table.all(pk, { prefix: 'idx_' })),
      Array.fromAsync(table.all(pk, { prefix: searchesPrefix })),
    ]);
    const accountOf = new Map(accounts.map((item) => [item.sk, item]));
    const searchedOf = new Map(searched.map((item) => [item.sk.slice(searchesPrefix.length), item]));
    return [...new Set([...accountOf.keys(), ...searchedOf.keys()])]
      .toSorted()
      .map((indexId) => toIndexMonth(indexId, accountOf.get(indexId) ?? null, searchedOf.get(indexId) ?? null));
  },
  indexMonth: async (organizationId, month, indexId) => {
    const [account, searched] = await Promise.all([
      table.get(monthKey(organizationId, month, indexId)),
      table.get(searchesKey(organizationId, month, indexId)),
    ]);
    return account === null && searched === null ? null : toIndexMonth(indexId, account, searched);
  },
  heldBefore: async (organizationId, month) => {
    const { pk } = monthKey(organizationId, month, '');
    const accounts = await Array.fromAsync(table.all(pk, { prefix: 'idx_', only: ['start'] }));
    // Earlier versions stored searches under the same key, even if the index was not changed.
    return new Map(
      accounts.filter(({ start }) => start !== undefined).map(({ sk, start }) => [sk, keptHolding(start)]),
    );
  },
  fileJobs: async (organizationId, month) => numberOf(await table.get(fileJobsKey(organizationId, month)), 'file_jobs'),
  indexFileJobs: async (organizationId, month, indexId) =>
    numberOf(await table.get(indexFileJobsKey(organizationId, month, indexId)), 'file_jobs'),
  stored: async (organizationId) => {
    const byIndex = new Map<string, Holding>();
    for await (const item of table.all(`STORED#${organizationId}`)) byIndex.set(item.sk, toHolding(item));
    return { ...sumOfHoldings(byIndex.values()), byIndex };
  },
});

const indexEntries = (table: Table): Pick<UsageWriter, 'saveIndex' | 'releaseIndex'> => ({
  saveIndex: async ({ organizationId, id }, holding, { totals, month, base, start }, at) => {
    const day = { ...holding, totals: { ...totals } };
    await Promise.all([
      table.update(monthKey(organizationId, month, id), {
        set: { totals: { ...totals }, base: { ...base }, start: { ...start }, [`end_${dayWithin(month, at)}`]: day },
      }),
      table.update(holdingKey(organizationId, id), { set: holdingAttributes(holding) }),
    ]);
  },
  releaseIndex: async (organizationId, indexId) => {
    await table.delete(holdingKey(organizationId, indexId));
  },
});

const openLedger = (runtime: Runtime): UsageWriter => {
  const table = openTable(runtime, 'usage');
  const now = (): string => runtime.clock.now().toISOString();
  return {
    ...readsOf(table),
    ...indexEntries(table),
    countSearch: async (organizationId, indexId, mode, tokens, searches = 1) => {
      const at = now();
      const key = searchesKey(organizationId, monthOf(at), indexId);
      const add = async (sign: 1 | -1, failure: string): Promise<boolean> => {
        const counts = { [`searches_${mode}`]: searches, search_tokens: tokens, [`searched_${dayOf(at)}`]: searches };
        const signed = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, sign * count]));
        try {
          await table.update(key, { add: signed });
          return true;
        } catch (error) {
          if (!isTransientSdkError(error)) throw error;
          runtime.log.warn(failure, { index_id: indexId, error });
          return false;
        }
      };
      const isCounted = await add(1, 'usage.search.count.failed');
      return async () => {
        if (isCounted) await add(-1, 'usage.search.uncount.failed');
      };
    },
    reserveFileJob: (organizationId, plan, job) => reserveFileJob(table, organizationId, plan, job),
  };
};

export const usageRead = capability<UsageReader>(['usage.read'], (runtime) => readsOf(openTable(runtime, 'usage')));
export const usageWrite = capability<UsageWriter>(['usage.read', 'usage.write'], openLedger);

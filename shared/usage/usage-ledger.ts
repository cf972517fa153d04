import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import type { Item, Page, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import {
  dayWithin,
  fileJobsKey,
  holdingKey,
  indexFileJobsKey,
  indexFileJobsPrefix,
  monthKey,
  recallKey,
  searchesKey,
  searchesPrefix,
} from './items.ts';
import { bucketOf, type LatencyHistogram } from './latency-histogram.ts';
import { reserveFileJob } from './reserve-file-job.ts';
import { readStoredFiles } from './stored-files.ts';
import {
  combineUsage,
  type Holding,
  nothingHeld,
  noUsage,
  type Room,
  sumOfHoldings,
  type UsageTotals,
} from './usage-counters.ts';
import type { DayEnd, DaySearches, IndexMonth, SearchMode, UsageReader, UsageWriter } from './contracts.ts';

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

/** Returns the daily attributes of an item, by day. */
const daily = <Kept>(item: Item | null, prefix: string): ReadonlyMap<string, Kept> =>
  new Map(
    Object.entries(item ?? {})
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value as Kept]),
  );

/** Initials of the attributes of a mode's latencies. Short names keep the item of a day within one write unit. */
const latencyInitials = { dense: 'd', sparse: 's', hybrid: 'h' } as const;

/** Returns the attribute that counts latencies of a bucket. */
const latencyAttribute = (mode: SearchMode, bucket: number): string =>
  `${latencyInitials[mode]}${String(bucket).padStart(2, '0')}`;

const latenciesIn = (item: Item, mode: SearchMode): LatencyHistogram =>
  new Map(
    Object.keys(item)
      .filter((name) => name.startsWith(latencyInitials[mode]) && /^.\d\d$/.test(name))
      .map((name) => [Number(name.slice(1)), numberOf(item, name)]),
  );

const searchesIn = (item: Item | null): IndexMonth['searches'] => ({
  dense: numberOf(item, 'searches_dense'),
  sparse: numberOf(item, 'searches_sparse'),
  hybrid: numberOf(item, 'searches_hybrid'),
});

const totalOf = ({ dense, sparse, hybrid }: IndexMonth['searches']): number => dense + sparse + hybrid;

const toDaySearches = (item: Item): DaySearches => ({
  searches: totalOf(searchesIn(item)),
  tokens: numberOf(item, 'search_tokens'),
  rerankUnits: numberOf(item, 'rerank_units'),
  latencies: {
    dense: latenciesIn(item, 'dense'),
    sparse: latenciesIn(item, 'sparse'),
    hybrid: latenciesIn(item, 'hybrid'),
  },
});

/** Returns the searches of an index in a month, from its items of one day each. */
const searchesOf = (
  items: readonly Item[],
): Pick<IndexMonth, 'searches' | 'searchTokens' | 'rerankUnits' | 'daySearches'> => {
  const sum = (mode: SearchMode): number => items.reduce((total, item) => total + searchesIn(item)[mode], 0);
  return {
    searches: { dense: sum('dense'), sparse: sum('sparse'), hybrid: sum('hybrid') },
    searchTokens: items.reduce((total, item) => total + numberOf(item, 'search_tokens'), 0),
    rerankUnits: items.reduce((total, item) => total + numberOf(item, 'rerank_units'), 0),
    daySearches: new Map(items.map((item) => [item.sk.split('#')[2] ?? '', toDaySearches(item)])),
  };
};

/** Either item may be missing: an index may have been only searched, or only changed. */
const toIndexMonth = (indexId: string, account: Item | null, searched: readonly Item[]): IndexMonth => {
  const totals = (account?.['totals'] as unknown as UsageTotals | undefined) ?? noUsage;
  const base = (account?.['base'] as unknown as UsageTotals | undefined) ?? noUsage;
  return {
    indexId,
    used: combineUsage(totals, base, (now, before) => now - before),
    base,
    start: (account?.['start'] as Holding | undefined) ?? nothingHeld,
    ...searchesOf(searched),
    dayEnds: daily<DayEnd>(account, 'end_'),
  };
};

/** Reads all items of a range from both of its ends at once, which halves the time for thousands of indexes. */
const readFromBothEnds = async (table: Table, pk: string, prefix: string): Promise<readonly Item[]> => {
  const first = await table.query(pk, { prefix });
  const items = new Map(first.items.map((item) => [item.sk, item]));
  let [low, high]: [string | null, string | null] = [first.next, null];
  while (low !== null && (high === null || low < high)) {
    const [up, down]: readonly [Page, Page] = await Promise.all([
      table.query(pk, { prefix, after: low }),
      table.query(pk, { prefix, after: high, newestFirst: true }),
    ]);
    for (const item of [...up.items, ...down.items]) items.set(item.sk, item);
    low = down.next === null ? null : up.next;
    high = down.next;
  }
  return [...items.values()];
};

export const readsOf = (table: Table): UsageReader => ({
  month: async (organizationId, month) => {
    const { pk } = monthKey(organizationId, month, '');
    const [accounts, searched] = await Promise.all([
      readFromBothEnds(table, pk, 'idx_'),
      readFromBothEnds(table, pk, searchesPrefix),
    ]);
    const accountOf = new Map(accounts.map((item) => [item.sk, item]));
    const searchedOf = Map.groupBy(searched, ({ sk }) => sk.split('#')[1] ?? '');
    return [...new Set([...accountOf.keys(), ...searchedOf.keys()])]
      .toSorted()
      .map((indexId) => toIndexMonth(indexId, accountOf.get(indexId) ?? null, searchedOf.get(indexId) ?? []));
  },
  indexMonth: async (organizationId, month, indexId) => {
    const [account, searched] = await Promise.all([
      table.get(monthKey(organizationId, month, indexId)),
      Array.fromAsync(table.all(monthKey(organizationId, month, '').pk, { prefix: `${searchesPrefix}${indexId}` })),
    ]);
    return account === null && searched.length === 0 ? null : toIndexMonth(indexId, account, searched);
  },
  heldBefore: async (organizationId, month) => {
    const { pk } = monthKey(organizationId, month, '');
    const accounts = await Array.fromAsync(table.all(pk, { prefix: 'idx_', only: ['start'] }));
    return new Map(accounts.map(({ sk, start }) => [sk, start as unknown as Holding]));
  },
  fileJobs: async (organizationId, month) => numberOf(await table.get(fileJobsKey(organizationId, month)), 'file_jobs'),
  indexFileJobs: async (organizationId, month, indexId) =>
    numberOf(await table.get(indexFileJobsKey(organizationId, month, indexId)), 'file_jobs'),
  dayFileJobs: async (organizationId, month) => {
    const { pk } = monthKey(organizationId, month, '');
    const jobs = await Array.fromAsync(table.all(pk, { prefix: indexFileJobsPrefix }));
    return new Map(jobs.map((item) => [item.sk.slice(indexFileJobsPrefix.length), daily<number>(item, 'file_jobs_')]));
  },
  stored: async (organizationId) => {
    const byIndex = new Map<string, Holding & { readonly room: Room | null }>();
    for (const item of await readFromBothEnds(table, `STORED#${organizationId}`, 'idx_'))
      byIndex.set(item.sk, { ...toHolding(item), room: (item['room'] as unknown as Room | undefined) ?? null });
    return { ...sumOfHoldings(byIndex.values()), byIndex };
  },
  storedFiles: (organizationId) => readStoredFiles(table, organizationId),
});

const indexEntries = (table: Table): Pick<UsageWriter, 'saveIndex' | 'releaseIndex'> => ({
  saveIndex: async ({ organizationId, id }, holding, { totals, month, base, start, revision }, at, room = null) => {
    const day = { ...holding, totals: { ...totals } };
    const figures = { totals: { ...totals }, base: { ...base }, start: { ...start } };
    // Another run may have saved newer figures meanwhile.
    const condition = { revision: { either: [[{ exists: false }], [{ lte: revision }]] } };
    await Promise.all([
      table.update(monthKey(organizationId, month, id), {
        set: { ...figures, [`end_${dayWithin(month, at)}`]: day, revision },
        condition,
      }),
      table.update(holdingKey(organizationId, id), {
        set: { ...holdingAttributes(holding), ...(room === null ? {} : { room: { ...room } }), revision },
        condition,
      }),
    ]);
  },
  releaseIndex: async (organizationId, indexId) => {
    await Promise.all([
      table.delete(holdingKey(organizationId, indexId)),
      table.delete(recallKey(organizationId, indexId)),
    ]);
  },
});

/** Maximum indexes whose recorded latencies a process keeps until the next count. */
const maxRecorded = 1_000;

const openLedger = (runtime: Runtime): UsageWriter => {
  const table = openTable(runtime, 'usage');
  const now = (): string => runtime.clock.now().toISOString();
  const recorded = new LRUCache<string, Record<string, number>>({ max: maxRecorded });
  /** Returns the recorded latencies of an index by attribute, and forgets them. */
  const takeRecorded = (name: string): Readonly<Record<string, number>> => {
    const latencies = recorded.get(name) ?? {};
    recorded.delete(name);
    return latencies;
  };
  return {
    ...readsOf(table),
    ...indexEntries(table),
    recordLatency: (organizationId, indexId, mode, ms) => {
      const name = `${organizationId} ${indexId}`;
      const latencies = recorded.get(name) ?? {};
      const attribute = latencyAttribute(mode, bucketOf(ms));
      latencies[attribute] = (latencies[attribute] ?? 0) + 1;
      recorded.set(name, latencies);
    },
    countSearch: async (organizationId, indexId, mode, tokens, searches = 1, rerankUnits = 0) => {
      const key = searchesKey(organizationId, now(), indexId);
      const add = async (
        sign: 1 | -1,
        further: Readonly<Record<string, number>>,
        failure: string,
      ): Promise<boolean> => {
        const counts = {
          [`searches_${mode}`]: sign * searches,
          search_tokens: sign * tokens,
          ...(rerankUnits === 0 ? {} : { rerank_units: sign * rerankUnits }),
        };
        try {
          await table.update(key, { add: { ...counts, ...further } });
          return true;
        } catch (error) {
          if (!isTransientSdkError(error)) throw error;
          runtime.log.warn(failure, { index_id: indexId, error });
          return false;
        }
      };
      const isCounted = await add(1, takeRecorded(`${organizationId} ${indexId}`), 'usage.search.count.failed');
      return async () => {
        if (isCounted) await add(-1, {}, 'usage.search.uncount.failed');
      };
    },
    reserveFileJob: (organizationId, plan, job) => reserveFileJob(table, organizationId, plan, job),
  };
};

export const usageRead = capability<UsageReader>(['usage.read'], (runtime) => readsOf(openTable(runtime, 'usage')));
export const usageWrite = capability<UsageWriter>(['usage.read', 'usage.write'], openLedger);

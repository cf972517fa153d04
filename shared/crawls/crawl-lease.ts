import { flagOf, textOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { type Condition, present } from '../db/condition.ts';
import { dueBy } from '../db/due.ts';
import { type Clock, laterBy } from '../kernel/clock.ts';
import type { Ending } from './frontier-record.ts';
import type { FrontierCache } from './frontier-cache.ts';
import { siteOf } from './page-address.ts';
import { type CrawlAddress, crawlKey, crawlPartition, type CrawlRecord, toCrawlRecord } from './record.ts';
import type { CrawlUpdate, CrawlState, CrawlStore, CrawlLease } from './crawl-store.ts';

/** Duration of a lease, in milliseconds. It is longer than any step of a run between two renewals. */
const leaseMs = 165_000;

/** Time after the end of a lease at which the sweep resumes a crawl. */
const graceMs = 60_000;

/** Value of `held_until` without a lease. Attributes are compared as texts, and this one sorts before every time. */
const unleasedValue = '0';

/** Attributes of a new crawl, which no run has leased. */
export const newWork = ({ organizationId }: Pick<CrawlAddress, 'organizationId'>, at: string) => ({
  held_until: unleasedValue,
  last_page: '',
  ...dueBy('CRAWLS', organizationId, laterBy(at, graceMs)),
});

export const toCrawlState = (item: Item): CrawlState => {
  const record = toCrawlRecord(item);
  const hash = item['last_page'] as string;
  return {
    ...record,
    holder: textOf(item, 'holder'),
    site: textOf(item, 'site') ?? siteOf(record.url),
    last: hash === '' ? null : { hash, ...(item['last_ending'] as unknown as Ending) },
    fetching: textOf(item, 'visiting'),
    seeded: flagOf(item, 'seeded'),
    revisited: flagOf(item, 'revisited'),
    externalNext: textOf(item, 'outside_next') ?? '',
    counted: flagOf(item, 'counted'),
  };
};

const stateOrNull = (item: Item | null): CrawlState | null => (item === null ? null : toCrawlState(item));

const crawlAddressAt = ({ pk, sk }: { readonly pk: string; readonly sk: string }): CrawlAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, crawlId: sk };
};

const heldBy = ({ holder }: CrawlLease) => ({ holder: { eq: holder }, counted: { exists: false } }) satisfies Condition;

/** Condition: no run has a lease of the crawl. */
export const unleased = (now: Date) => ({ held_until: { lt: now.toISOString() } }) satisfies Condition;

const isKept = ({ outcome }: Ending): boolean => outcome === 'stored' || outcome === 'unchanged';

/** Operations that acquire, use and release the lease of a crawl. */
export type CrawlLeases = Pick<
  CrawlStore,
  'claim' | 'renew' | 'update' | 'countPage' | 'end' | 'fail' | 'release' | 'overdue' | 'postpone'
>;

/** Returns due times and lease attributes by a clock. */
const timesOf = (clock: Clock) => {
  const after = (ms: number): string => laterBy(clock.now(), ms).toISOString();
  const dueAfter = ({ organizationId }: CrawlAddress, ms: number) =>
    dueBy('CRAWLS', organizationId, laterBy(clock.now(), ms));
  const held = (address: CrawlAddress) => ({ held_until: after(leaseMs), ...dueAfter(address, leaseMs + graceMs) });
  return { after, dueAfter, held };
};

const claiming = (table: Table, clock: Clock, lefts: FrontierCache): Pick<CrawlLeases, 'claim' | 'release'> => {
  const { held } = timesOf(clock);
  const take = ({ address, holder }: CrawlLease, now: Date, condition: Condition = {}): Promise<Item | null> =>
    table.update(crawlKey(address), {
      set: { holder, ...held(address) },
      condition: { ...present, ...unleased(now), counted: { exists: false }, ...condition },
    });
  /** Claims a crawl whose last lease was of this process, so that the cached frontier is valid. */
  const takeAgain = async (lease: CrawlLease, now: Date): Promise<Item | null> => {
    const left = lefts.take(lease.address.crawlId);
    const item = left === null ? null : await take(lease, now, { holder: { eq: left.holder } });
    if (left !== null && item !== null) lefts.put(lease, left.entries);
    return item;
  };
  return {
    claim: async (lease) => {
      const { address, holder } = lease;
      const now = clock.now();
      const item = (await takeAgain(lease, now)) ?? (await take(lease, now));
      if (item?.['status'] !== 'queued') return stateOrNull(item);
      const begun = await table.update(crawlKey(address), {
        set: { status: 'running' },
        setOnce: { started_at: now.toISOString() },
        condition: { holder: { eq: holder }, status: { eq: 'queued' } },
      });
      // It was cancelled in the meantime.
      return stateOrNull(begun ?? (await table.get(crawlKey(address))));
    },
    release: async (lease, dueAt) => {
      await table.update(crawlKey(lease.address), {
        set: { held_until: unleasedValue, ...dueBy('CRAWLS', lease.address.organizationId, dueAt) },
        remove: ['visiting'],
        condition: heldBy(lease),
      });
    },
  };
};

const changing = (table: Table, clock: Clock): Pick<CrawlLeases, 'renew' | 'update' | 'countPage' | 'end'> => {
  const { held, after } = timesOf(clock);
  const update = async (lease: CrawlLease, changed: CrawlUpdate): Promise<CrawlState | null> => {
    const { providerJobId, externalNext, fetching, ...others } = changed;
    const stored = { ...others, provider_job_id: providerJobId, outside_next: externalNext, visiting: fetching };
    const item = await table.update(crawlKey(lease.address), {
      set: { ...held(lease.address), ...stored },
      condition: { ...heldBy(lease), status: { eq: 'running' } },
    });
    return stateOrNull(item);
  };
  return {
    renew: (lease, fetching) => update(lease, { fetching }),
    update,
    countPage: async (lease, hash, ending) => {
      const item = await table.update(crawlKey(lease.address), {
        set: { ...held(lease.address), last_page: hash, last_ending: { ...ending } },
        add: { pages_found: isKept(ending) ? 1 : 0 },
        condition: { ...heldBy(lease), last_page: { ne: hash } },
      });
      return stateOrNull(item);
    },
    end: async (lease, { status, error, skipped }) =>
      stateOrNull(
        await table.update(crawlKey(lease.address), {
          set: { ...held(lease.address), status, error: error ?? undefined, skipped, completed_at: after(0) },
          condition: { ...heldBy(lease), status: { eq: 'running' } },
        }),
      ),
  };
};

const recovering = (table: Table, clock: Clock): Pick<CrawlLeases, 'fail' | 'overdue' | 'postpone'> => {
  const { after, dueAfter } = timesOf(clock);
  return {
    fail: async (address, error) => {
      await table.update(crawlKey(address), {
        set: { status: 'failed', error, completed_at: after(0), ...dueAfter(address, 0) },
        condition: { ...present, status: { in: ['queued', 'running'] } },
      });
    },
    overdue: async (limit) => (await table.due('CRAWLS', after(0), limit)).map(crawlAddressAt),
    postpone: async (address): Promise<CrawlRecord | null> => {
      const item = await table.update(crawlKey(address), {
        set: dueAfter(address, graceMs),
        condition: { ...present, due_pk: { exists: true } },
      });
      return item === null ? null : toCrawlRecord(item);
    },
  };
};

/** Opens the lease operations: claim, renew, update, release, and finding overdue crawls. */
export const crawlLeases = (table: Table, clock: Clock, lefts: FrontierCache): CrawlLeases => ({
  ...claiming(table, clock, lefts),
  ...changing(table, clock),
  ...recovering(table, clock),
});

/** Yields all crawls of an index. */
export const crawlsOf = (table: Table, organizationId: string, indexId: string): AsyncIterable<Item> =>
  table.all(crawlPartition(organizationId, indexId));

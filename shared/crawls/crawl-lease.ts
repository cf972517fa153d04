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

/** Longer than anything that a run does between two changes of its crawl. */
const leaseMs = 165_000;

/** How long after that a sweep looks after a crawl that nobody let go. */
const graceMs = 60_000;

/** Nobody holds it. Attributes are compared as texts, and this one comes before every time. */
const unleasedValue = '0';

/** Attributes of a crawl that nobody has begun. */
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

/** That no run holds a crawl. */
export const unleased = (now: Date) => ({ held_until: { lt: now.toISOString() } }) satisfies Condition;

const isKept = ({ outcome }: Ending): boolean => outcome === 'stored' || outcome === 'unchanged';

/** What takes a crawl, moves it and lets it go. */
export type CrawlLeases = Pick<
  CrawlStore,
  'claim' | 'renew' | 'update' | 'countPage' | 'end' | 'fail' | 'release' | 'overdue' | 'postpone'
>;

/** When things are due, by a clock. */
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
  /** Takes a crawl that no other run has taken since one of this process left it, whose knowledge then holds. */
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
      // It was cancelled in between.
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

/** Taking crawls, changing them while they are held, and finding those that nobody looks after. */
export const crawlLeases = (table: Table, clock: Clock, lefts: FrontierCache): CrawlLeases => ({
  ...claiming(table, clock, lefts),
  ...changing(table, clock),
  ...recovering(table, clock),
});

/** Whose crawls lie in a partition. */
export const crawlsOf = (table: Table, organizationId: string, indexId: string): AsyncIterable<Item> =>
  table.all(crawlPartition(organizationId, indexId));

import { flagOf, textOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { type Condition, present } from '../db/condition.ts';
import { dueBy } from '../db/due.ts';
import { type Clock, laterBy } from '../kernel/clock.ts';
import type { Ending } from './frontier-record.ts';
import type { LeftFrontiers } from './left-frontiers.ts';
import { siteOf } from './page-address.ts';
import { type CrawlAddress, crawlKey, crawlPartition, type CrawlRecord, toCrawlRecord } from './record.ts';
import type { CrawlNote, CrawlState, CrawlWork, Hold } from './work.ts';

/** Longer than anything that a run does between two changes of its crawl. */
const holdMs = 165_000;

/** How long after that a sweep looks after a crawl that nobody let go. */
const graceMs = 60_000;

/** Nobody holds it. Attributes are compared as texts, and this one comes before every time. */
const unheld = '0';

/** Attributes of a crawl that nobody has begun. */
export const newWork = ({ organizationId }: Pick<CrawlAddress, 'organizationId'>, at: string) => ({
  held_until: unheld,
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
    visiting: textOf(item, 'visiting'),
    seeded: flagOf(item, 'seeded'),
    revisited: flagOf(item, 'revisited'),
    outsideNext: textOf(item, 'outside_next') ?? '',
    counted: flagOf(item, 'counted'),
  };
};

const stateOrNull = (item: Item | null): CrawlState | null => (item === null ? null : toCrawlState(item));

const crawlAddressAt = ({ pk, sk }: { readonly pk: string; readonly sk: string }): CrawlAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, crawlId: sk };
};

const mine = ({ holder }: Hold) => ({ holder: { eq: holder }, counted: { exists: false } }) satisfies Condition;

/** That no run holds a crawl. */
export const free = (now: Date) => ({ held_until: { lt: now.toISOString() } }) satisfies Condition;

const isKept = ({ outcome }: Ending): boolean => outcome === 'stored' || outcome === 'unchanged';

/** What takes a crawl, moves it and lets it go. */
export type Holding = Pick<
  CrawlWork,
  'claim' | 'renew' | 'note' | 'countPage' | 'end' | 'fail' | 'release' | 'overdue' | 'remind'
>;

/** When things are due, by a clock. */
const timesOf = (clock: Clock) => {
  const after = (ms: number): string => laterBy(clock.now(), ms).toISOString();
  const dueAfter = ({ organizationId }: CrawlAddress, ms: number) =>
    dueBy('CRAWLS', organizationId, laterBy(clock.now(), ms));
  const held = (address: CrawlAddress) => ({ held_until: after(holdMs), ...dueAfter(address, holdMs + graceMs) });
  return { after, dueAfter, held };
};

const takingOf = (table: Table, clock: Clock, lefts: LeftFrontiers): Pick<Holding, 'claim' | 'release'> => {
  const { held } = timesOf(clock);
  const take = ({ address, holder }: Hold, now: Date, condition: Condition = {}): Promise<Item | null> =>
    table.update(crawlKey(address), {
      set: { holder, ...held(address) },
      condition: { ...present, ...free(now), counted: { exists: false }, ...condition },
    });
  /** Takes a crawl that no other run has taken since one of this process left it, whose knowledge then holds. */
  const takeAgain = async (hold: Hold, now: Date): Promise<Item | null> => {
    const left = lefts.take(hold.address.crawlId);
    const item = left === null ? null : await take(hold, now, { holder: { eq: left.holder } });
    if (left !== null && item !== null) lefts.leave(hold, left.entries);
    return item;
  };
  return {
    claim: async (hold) => {
      const { address, holder } = hold;
      const now = clock.now();
      const item = (await takeAgain(hold, now)) ?? (await take(hold, now));
      if (item?.['status'] !== 'queued') return stateOrNull(item);
      const begun = await table.update(crawlKey(address), {
        set: { status: 'running' },
        setOnce: { started_at: now.toISOString() },
        condition: { holder: { eq: holder }, status: { eq: 'queued' } },
      });
      // It was cancelled in between.
      return stateOrNull(begun ?? (await table.get(crawlKey(address))));
    },
    release: async (hold, dueAt) => {
      await table.update(crawlKey(hold.address), {
        set: { held_until: unheld, ...dueBy('CRAWLS', hold.address.organizationId, dueAt) },
        remove: ['visiting'],
        condition: mine(hold),
      });
    },
  };
};

const changingOf = (table: Table, clock: Clock): Pick<Holding, 'renew' | 'note' | 'countPage' | 'end'> => {
  const { held, after } = timesOf(clock);
  const note = async (hold: Hold, { providerJobId, outsideNext, ...noted }: CrawlNote): Promise<CrawlState | null> =>
    stateOrNull(
      await table.update(crawlKey(hold.address), {
        set: { ...held(hold.address), ...noted, provider_job_id: providerJobId, outside_next: outsideNext },
        condition: { ...mine(hold), status: { eq: 'running' } },
      }),
    );
  return {
    renew: (hold, visiting) => note(hold, { visiting }),
    note,
    countPage: async (hold, hash, ending) => {
      const item = await table.update(crawlKey(hold.address), {
        set: { ...held(hold.address), last_page: hash, last_ending: { ...ending } },
        add: { pages_found: isKept(ending) ? 1 : 0 },
        condition: { ...mine(hold), last_page: { ne: hash } },
      });
      return stateOrNull(item);
    },
    end: async (hold, { status, error, skipped }) =>
      stateOrNull(
        await table.update(crawlKey(hold.address), {
          set: { ...held(hold.address), status, error: error ?? undefined, skipped, completed_at: after(0) },
          condition: { ...mine(hold), status: { eq: 'running' } },
        }),
      ),
  };
};

const lookingAfterOf = (table: Table, clock: Clock): Pick<Holding, 'fail' | 'overdue' | 'remind'> => {
  const { after, dueAfter } = timesOf(clock);
  return {
    fail: async (address, error) => {
      await table.update(crawlKey(address), {
        set: { status: 'failed', error, completed_at: after(0), ...dueAfter(address, 0) },
        condition: { ...present, status: { in: ['queued', 'running'] } },
      });
    },
    overdue: async (limit) => (await table.due('CRAWLS', after(0), limit)).map(crawlAddressAt),
    remind: async (address): Promise<CrawlRecord | null> => {
      const item = await table.update(crawlKey(address), {
        set: dueAfter(address, graceMs),
        condition: { ...present, due_pk: { exists: true } },
      });
      return item === null ? null : toCrawlRecord(item);
    },
  };
};

/** Taking crawls, changing them while they are held, and finding those that nobody looks after. */
export const holdingOf = (table: Table, clock: Clock, lefts: LeftFrontiers): Holding => ({
  ...takingOf(table, clock, lefts),
  ...changingOf(table, clock),
  ...lookingAfterOf(table, clock),
});

/** Whose crawls lie in a partition. */
export const crawlsOf = (table: Table, organizationId: string, indexId: string): AsyncIterable<Item> =>
  table.all(crawlPartition(organizationId, indexId));

import { gunzipSync, gzipSync } from 'node:zlib';
import { absent } from '../db/condition.ts';
import { epochSeconds } from '../db/due.ts';
import { membersOf, textOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { type Clock, laterBy } from '../kernel/clock.ts';
import { daySeconds } from '../kernel/durations.ts';
import type { StoredCookie } from '../platform/crawl/cookie-jar.ts';
import {
  entryKey,
  entryPrefix,
  type FrontierEntry,
  frontierPartition,
  toEntry,
  toEntryAttributes,
} from './frontier-record.ts';
import type { CrawlLeases } from './crawl-lease.ts';
import type { FrontierCache } from './frontier-cache.ts';
import { joinStarts, memoryPartition, toRemembered, toRememberedAttributes, toStartMembers } from './site-memory.ts';
import type { CrawlStore, CrawlLease, MemoryAddress } from './crawl-store.ts';

/** Retention of frontier entries, robots.txt and cookies, in days from the last write. */
const keptDays = 14;

/** Maximum length of a stored robots.txt, which is compressed. A longer one is cut after a line. */
const maxRobotsLength = 300_000;

/** Maximum attempts of a conditional write; more crawls than that never find one page at once. */
const maxTries = 20;

const robotsKey = (crawlId: string, origin: string) => ({ pk: frontierPartition(crawlId), sk: `ROBOTS#${origin}` });

/** Cookies belong to one crawl and expire with its frontier. */
const cookiesKey = (crawlId: string) => ({ pk: frontierPartition(crawlId), sk: 'COOKIES' });

const hostKey = (organizationId: string, host: string) => ({ pk: `HOST#${organizationId}`, sk: host });

const pageKey = ({ organizationId, indexId, site }: MemoryAddress, hash: string) => ({
  pk: memoryPartition(organizationId, indexId, site),
  sk: hash,
});

const optional = ['etag', 'last_modified', 'title', 'canonical', 'disputed', 'checked_at'] as const;

const packed = (text: string): string => {
  const whole = gzipSync(text).toString('base64');
  return whole.length <= maxRobotsLength ? whole : packed(text.slice(0, text.lastIndexOf('\n', text.length / 2) + 1));
};

type FrontierStore = Omit<CrawlStore, keyof CrawlLeases>;

/** Expiry of an item that is written now. */
const expiry = (clock: Clock): { readonly expires_at_epoch: number } => ({
  expires_at_epoch: epochSeconds(clock.now()) + keptDays * daySeconds,
});

const storedEntries = (
  table: Table,
  clock: Clock,
  lefts: FrontierCache,
): Pick<FrontierStore, 'entries' | 'cacheEntries' | 'addEntry' | 'saveEntry'> => {
  const itemOf = (crawlId: string, entry: FrontierEntry) => ({
    ...entryKey(crawlId, entry.hash),
    ...toEntryAttributes(entry),
    ...expiry(clock),
  });
  return {
    entries: async function* ({ address: { crawlId }, holder }) {
      const left = lefts.take(crawlId);
      if (left?.holder === holder) {
        yield* left.entries;
        return;
      }
      for await (const item of table.all(frontierPartition(crawlId), { prefix: entryPrefix })) yield toEntry(item);
    },
    cacheEntries: (lease, entries) => {
      lefts.put(lease, entries);
    },
    addEntry: async (crawlId, entry) => {
      await table.put(itemOf(crawlId, entry), absent);
    },
    saveEntry: async (crawlId, entry) => {
      await table.put(itemOf(crawlId, entry));
    },
  };
};

/** Stores robots.txt and cookies of a crawl. */
const storedSiteState = (
  table: Table,
  clock: Clock,
): Pick<FrontierStore, 'robots' | 'saveRobots' | 'cookies' | 'saveCookies'> => ({
  robots: async (crawlId, origin) => {
    const item = await table.get(robotsKey(crawlId, origin));
    if (item === null) return null;
    const bytes = Buffer.from(item['text'] as string, 'base64');
    return { url: item['url'] as string, text: gunzipSync(bytes).toString('utf8') };
  },
  saveRobots: async (crawlId, origin, { url, text }) => {
    const item = { ...robotsKey(crawlId, origin), url, text: packed(text), ...expiry(clock) };
    await table.put(item);
  },
  cookies: async (crawlId) => {
    const item = await table.get(cookiesKey(crawlId));
    return item === null ? [] : (JSON.parse(item['cookies'] as string) as StoredCookie[]);
  },
  saveCookies: async (crawlId, cookies) => {
    await table.put({ ...cookiesKey(crawlId), cookies: JSON.stringify(cookies), ...expiry(clock) });
  },
});

/** Time for which the next crawl in the queue of a host has priority; then the one behind it may go first. */
const lineGraceMs = 1_000;

/** Queue of crawls that wait for a host, oldest first. Each entry is a time and a crawl id. */
const lineOf = (item: Item): readonly string[] => [...membersOf(item, 'line')].toSorted();

const hostSlots = (
  table: Table,
  clock: Clock,
): Pick<FrontierStore, 'acquireHost' | 'leaveHostQueue' | 'releaseHost'> => {
  const now = (plusMs = 0): string => laterBy(clock.now(), plusMs).toISOString();
  const placeOf = (line: readonly string[], { address }: CrawlLease): string | undefined =>
    line.find((place) => place.endsWith(`#${address.crawlId}`));
  return {
    acquireHost: async (lease, host, busyMs) => {
      const { organizationId, crawlId } = lease.address;
      const key = hostKey(organizationId, host);
      const set = { next_at: now(busyMs), holder: lease.holder, crawl_id: crawlId, ...expiry(clock) };
      const item = await table.get(key);
      if (item === null)
        return (await table.put({ ...key, ...set }, absent)) ? { state: 'taken' } : { state: 'busy', waitMs: busyMs };
      const nextAt = item['next_at'] as string;
      const line = lineOf(item);
      const place = placeOf(line, lease);
      const ahead = place === undefined ? line : line.filter((other) => other < place);
      const waitMs = Date.parse(nextAt) - clock.now().getTime();
      if (waitMs <= 0 && (ahead.length === 0 || waitMs <= -lineGraceMs)) {
        const exclude = { line: place === undefined ? ahead : [...ahead, place] };
        const taken = await table.update(key, { set, exclude, condition: { next_at: { eq: nextAt } } });
        return taken === null ? { state: 'busy', waitMs: busyMs } : { state: 'taken' };
      }
      const isShared = line.length > 0 || item['crawl_id'] !== crawlId;
      if (isShared && place === undefined) await table.update(key, { include: { line: [`${now()}#${crawlId}`] } });
      const isBusy = waitMs <= 0 || textOf(item, 'holder') !== null;
      return { state: isBusy ? 'busy' : 'resting', waitMs: Math.max(waitMs, 1) };
    },
    leaveHostQueue: async (lease, host) => {
      const key = hostKey(lease.address.organizationId, host);
      const item = await table.get(key);
      const place = item === null ? undefined : placeOf(lineOf(item), lease);
      if (place !== undefined) await table.update(key, { exclude: { line: [place] } });
    },
    releaseHost: async ({ address: { organizationId }, holder }, host, pauseMs) => {
      await table.update(hostKey(organizationId, host), {
        set: { next_at: now(pauseMs), ...expiry(clock) },
        remove: ['holder'],
        condition: { holder: { eq: holder } },
      });
    },
  };
};

const storedSiteMemory = (
  table: Table,
): Pick<FrontierStore, 'remembered' | 'allRemembered' | 'remember' | 'forget'> => ({
  remembered: async (site, hash) => {
    const item = await table.get(pageKey(site, hash));
    return item === null ? null : toRemembered(item);
  },
  allRemembered: async function* ({ organizationId, indexId, site }, place = '') {
    const partition = memoryPartition(organizationId, indexId, site);
    for await (const item of table.all(partition, { after: place })) yield toRemembered(item);
    if (place === '') return;
    for await (const item of table.all(partition)) {
      if (item.sk > place) break;
      yield toRemembered(item);
    }
  },
  remember: async (site, page) => {
    const attributes = toRememberedAttributes(page);
    const remove = optional.filter((name) => attributes[name] === undefined);
    // Another crawl may write the page at the same time. Its first page must not be lost.
    for (let tries = 0; tries < maxTries; tries += 1) {
      const item = await table.get(pageKey(site, page.hash));
      const members = membersOf(item, 'starts');
      const known = item === null ? new Map<string, number>() : toRemembered(item).starts;
      const set = { ...attributes, starts: toStartMembers(joinStarts(known, page.starts)) };
      const condition = { starts: members.size === 0 ? { exists: false } : { eq: members } };
      if ((await table.update(pageKey(site, page.hash), { set, remove, condition })) !== null) return;
    }
    throw new Error('a page could not be stored in the site memory: too many crawls write it at once');
  },
  forget: async (site, hash) => {
    await table.delete(pageKey(site, hash));
  },
});

/** Opens the store of frontier entries, site state, host slots and site memory. */
export const frontierStore = (table: Table, clock: Clock, lefts: FrontierCache): FrontierStore => ({
  ...storedEntries(table, clock, lefts),
  ...storedSiteState(table, clock),
  ...hostSlots(table, clock),
  ...storedSiteMemory(table),
});

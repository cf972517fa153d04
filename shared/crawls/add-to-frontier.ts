import type { FrontierIndex } from './frontier-index.ts';
import type { FrontierEntry } from './frontier-record.ts';
import type { PageAddress } from './page-address.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { type CrawlLease, type CrawlStore, LeaseLost } from './crawl-store.ts';
import type { SkipReason } from './skip-reason.ts';
import { patternCounter, trapReason } from './trap-detection.ts';

/** Entries that are written in parallel, and entries that are written before the lease is renewed. */
const parallelWrites = 16;
const writesPerLease = 320;

/** Store, lease and page limit of the crawl whose frontier changes. */
interface FrontierContext {
  readonly store: CrawlStore;
  readonly lease: CrawlLease;
  readonly pageLimit: number;
}

/**
 * Writes frontier entries and renews the lease meanwhile. Throws `LeaseLost`.
 * @param put `addEntry` writes new entries alone; `saveEntry` overwrites.
 */
const writeEntries = async (
  { store, lease }: FrontierContext,
  entries: readonly FrontierEntry[],
  put: 'addEntry' | 'saveEntry' = 'addEntry',
): Promise<void> => {
  for (let at = 0; at < entries.length; at += writesPerLease) {
    if (at > 0 && (await store.renew(lease)) === null) throw new LeaseLost();
    await inParallel(entries.slice(at, at + writesPerLease), parallelWrites, (entry) =>
      store[put](lease.address.crawlId, entry),
    );
  }
};

/** An address that the crawl found. */
export interface Discovery {
  readonly address: PageAddress;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  /** Latest time at which it may have changed, as a sitemap states. */
  readonly modifiedAt?: string;
  /** The page that links to it. Addresses without it, from a sitemap, a redirect or the caller, skip trap detection. */
  readonly from?: FrontierEntry;
}

/** Adds addresses to the frontier of a crawl. */
export interface FrontierWriter {
  /** Number of URL patterns whose limit is reached, because too many of their pages link to each other. */
  readonly exhaustedPatterns: () => number;
  /** Whether the frontier has reached the maximum for this page limit. */
  readonly isFull: () => boolean;
  /** Adds new addresses in order until the frontier is full. Addresses that look like traps are skipped. */
  readonly add: (found: readonly Discovery[]) => Promise<void>;
  /** Records the first links that are not followed, for the report. */
  readonly skip: (found: readonly Discovery[], reason: SkipReason) => Promise<void>;
  /** Adds a redirect target or canonical page, in the position of the address that names it. */
  readonly follow: (from: FrontierEntry, address: PageAddress) => Promise<void>;
  /** Adds pages of earlier crawls until the frontier is full, and marks those that wait already. */
  readonly addRemembered: (found: readonly Discovery[]) => Promise<void>;
}

/** Addresses that a crawl stores for each page of its limit: enough to find its pages. */
const addressesPerPage = 4;
const minAddresses = 400;
const maxAddresses = 200_000;

/** Maximum number of skipped links that are stored for the report. */
const maxPassedOver = 400;

const maxAddressesFor = (pageLimit: number): number =>
  Math.min(maxAddresses, addressesPerPage * pageLimit + minAddresses);

/** Returns the sort key of an address: by depth, sitemaps first, then in the order found. */
const rankOf = ({ kind, depth }: Discovery, number: number): string =>
  `${String(depth).padStart(3, '0')}.${kind === 'sitemap' ? 0 : 1}.${String(number).padStart(7, '0')}`;

const newEntry = (
  { address: { hash, key, url }, kind, depth, modifiedAt }: Discovery,
  placed: Pick<FrontierEntry, 'foundAs' | 'rank' | 'redirects'>,
): FrontierEntry => {
  const fresh = { attempts: 0, notBefore: '', outcome: null, textHash: null, gaveWayTo: null, stands: false };
  const unskipped = { original: null, fingerprint: null, reason: null, detail: null };
  const stated = modifiedAt === undefined ? {} : { modifiedAt };
  return { hash, key, url, kind, depth, ...placed, ...fresh, ...unskipped, ...stated };
};

type Placed = Pick<FrontierEntry, 'foundAs' | 'rank' | 'redirects'>;

/** Collects new addresses in memory, and writes them. */
const notingOf = (context: FrontierContext, { entries, passedOver, note }: FrontierIndex) => {
  const kinds = patternCounter(context.pageLimit);
  for (const entry of entries.values()) if (entry.foundAs === 'kin') kinds.note(entry);
  // Addresses that are read after all replace their entry in the report.
  const replacing = new Set<string>();
  const noteNew = (found: Discovery, placed: Placed): FrontierEntry => {
    if (passedOver.has(found.address.hash)) replacing.add(found.address.hash);
    return note(newEntry(found, placed));
  };
  const noteNext = (found: Discovery, foundAs: FrontierEntry['foundAs']): FrontierEntry =>
    noteNew(found, { foundAs, rank: rankOf(found, entries.size), redirects: 0 });
  const notePassed = (found: Discovery, reason: SkipReason): readonly FrontierEntry[] => {
    const { hash } = found.address;
    if (entries.has(hash) || passedOver.has(hash) || passedOver.size >= maxPassedOver) return [];
    const placed = { foundAs: 'named', rank: rankOf(found, entries.size), redirects: 0 } as const;
    return [note({ ...newEntry(found, placed), outcome: 'passed_over', reason })];
  };
  /** Adds a link, or skips it as a trap. */
  const noteFound = (discovery: Discovery): readonly FrontierEntry[] => {
    const { address, from } = discovery;
    if (entries.has(address.hash)) return [];
    const isKin = from !== undefined && kinds.isSamePattern(address, from);
    const trap = from === undefined ? null : trapReason(address, from);
    if (trap !== null) return notePassed(discovery, trap);
    if (isKin && kinds.isExhausted(address)) return notePassed(discovery, 'too_many_alike');
    if (isKin) kinds.note(address);
    return [noteNext(discovery, isKin ? 'kin' : 'named')];
  };
  return {
    kinds,
    noteNew,
    noteNext,
    notePassed,
    noteFound,
    putNew: async (added: readonly FrontierEntry[]): Promise<void> => {
      const isReplaced = ({ hash }: FrontierEntry): string => String(replacing.delete(hash));
      const { true: replaced = [], false: fresh = [] } = Object.groupBy(added, isReplaced);
      await writeEntries(context, replaced, 'saveEntry');
      await writeEntries(context, fresh);
    },
  };
};

/** Opens the writer of a crawl's frontier. */
export const frontierWriter = (context: FrontierContext, index: FrontierIndex): FrontierWriter => {
  const { entries, successors, note } = index;
  const { pageLimit } = context;
  const { kinds, noteNew, noteNext, notePassed, noteFound, putNew } = notingOf(context, index);
  const room = maxAddressesFor(pageLimit);
  const isFull = (): boolean => entries.size - successors.size >= room;
  return {
    exhaustedPatterns: () => kinds.exhausted(),
    isFull,
    add: async (found) => {
      const added: FrontierEntry[] = [];
      for (const discovery of found) {
        if (isFull()) break;
        added.push(...noteFound(discovery));
      }
      await putNew(added);
    },
    skip: (found, reason) =>
      writeEntries(
        context,
        found.flatMap((discovery) => notePassed(discovery, reason)),
      ),
    addRemembered: async (found) => {
      const added: FrontierEntry[] = [];
      const marked: FrontierEntry[] = [];
      for (const discovery of found) {
        const known = entries.get(discovery.address.hash);
        if (known !== undefined && known.foundAs !== 'remembered')
          marked.push(note({ ...known, foundAs: 'remembered' }));
        else if (known === undefined && entries.size < room + pageLimit) added.push(noteNext(discovery, 'remembered'));
      }
      await writeEntries(context, marked, 'saveEntry');
      await putNew(added);
    },
    follow: async ({ rank, redirects, kind, depth }, address) => {
      if (entries.has(address.hash)) return;
      const placed = { foundAs: 'successor', rank: `${rank}+`, redirects: redirects + 1 } as const;
      await putNew([noteNew({ address, kind, depth }, placed)]);
    },
  };
};

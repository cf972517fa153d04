import type { FrontierIndex } from './frontier-index.ts';
import type { FrontierEntry } from './frontier-record.ts';
import type { PageAddress } from './page-address.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { type CrawlLease, type CrawlStore, LeaseLost } from './crawl-store.ts';
import type { SkipReason } from './skip-reason.ts';
import { patternCounter, trapReason } from './trap-detection.ts';

/** Addresses that are put side by side, and as many of them as take a small part of the time of a lease. */
const parallelWrites = 16;
const writesPerLease = 320;

/** What adding addresses to a crawl takes. */
interface FrontierContext {
  readonly store: CrawlStore;
  readonly lease: CrawlLease;
  readonly pageLimit: number;
}

/**
 * Adds addresses that nobody has put yet, or changes those that are there, and keeps the lease meanwhile. Throws `LeaseLost`
 * where it is lost.
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

/** An address that was found. */
export interface Discovery {
  readonly address: PageAddress;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  /** The page whose link it is; what a sitemap, a redirect or a person names is no trap. */
  readonly from?: FrontierEntry;
}

/** What adds addresses to those that a crawl knows of. */
export interface FrontierWriter {
  /** Number of kinds of addresses that may not be known in full, because too many of them led to one another. */
  readonly exhaustedPatterns: () => number;
  /** Whether there may be more addresses than a crawl of this limit remembers. */
  readonly isFull: () => boolean;
  /** Adds what is new and no trap, in order, as far as there is room. */
  readonly add: (found: readonly Discovery[]) => Promise<void>;
  /** Remembers links that are not followed, the first of them. */
  readonly skip: (found: readonly Discovery[], reason: SkipReason) => Promise<void>;
  /** Adds what an address leads to or names as its original: it takes that one's place, in order and in number. */
  readonly follow: (from: FrontierEntry, address: PageAddress) => Promise<void>;
  /** Adds what an earlier crawl has found, as far as there is room, and marks what waits already. */
  readonly addRemembered: (found: readonly Discovery[]) => Promise<void>;
}

/** Addresses that a crawl remembers for each page that it may read: enough to find its pages, too few to be a burden. */
const addressesPerPage = 4;
const minAddresses = 400;
const maxAddresses = 200_000;

/** Links that are remembered for the report alone. */
const maxPassedOver = 400;

const maxAddressesFor = (pageLimit: number): number =>
  Math.min(maxAddresses, addressesPerPage * pageLimit + minAddresses);

/** Sitemaps come first among the addresses of their depth. */
const rankOf = ({ kind, depth }: Discovery, number: number): string =>
  `${String(depth).padStart(3, '0')}.${kind === 'sitemap' ? 0 : 1}.${String(number).padStart(7, '0')}`;

const newEntry = (
  { address: { hash, key, url }, kind, depth }: Discovery,
  placed: Pick<FrontierEntry, 'foundAs' | 'rank' | 'redirects'>,
): FrontierEntry => {
  const fresh = { attempts: 0, notBefore: '', outcome: null, textHash: null, gaveWayTo: null, stands: false };
  const unskipped = { original: null, fingerprint: null, reason: null, detail: null };
  return { hash, key, url, kind, depth, ...placed, ...fresh, ...unskipped };
};

type Placed = Pick<FrontierEntry, 'foundAs' | 'rank' | 'redirects'>;

/** Notes new addresses in memory, and writes them. */
const notingOf = (putting: FrontierContext, { entries, passedOver, note }: FrontierIndex) => {
  const kinds = patternCounter(putting.pageLimit);
  for (const entry of entries.values()) if (entry.foundAs === 'kin') kinds.note(entry);
  // Addresses that are read after all replace what was remembered of them for the report.
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
  /** A link as it is read, or passed over as a trap. */
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
      await writeEntries(putting, replaced, 'saveEntry');
      await writeEntries(putting, fresh);
    },
  };
};

/** Adding to what a crawl knows of. */
export const frontierWriter = (putting: FrontierContext, catalogue: FrontierIndex): FrontierWriter => {
  const { entries, successors, note } = catalogue;
  const { pageLimit } = putting;
  const { kinds, noteNew, noteNext, notePassed, noteFound, putNew } = notingOf(putting, catalogue);
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
        putting,
        found.flatMap((discovery) => notePassed(discovery, reason)),
      ),
    addRemembered: async (found) => {
      const added: FrontierEntry[] = [];
      const told: FrontierEntry[] = [];
      for (const discovery of found) {
        const known = entries.get(discovery.address.hash);
        if (known !== undefined && known.foundAs !== 'remembered') told.push(note({ ...known, foundAs: 'remembered' }));
        else if (known === undefined && entries.size < room + pageLimit) added.push(noteNext(discovery, 'remembered'));
      }
      await writeEntries(putting, told, 'saveEntry');
      await putNew(added);
    },
    follow: async ({ rank, redirects, kind, depth }, address) => {
      if (entries.has(address.hash)) return;
      const placed = { foundAs: 'successor', rank: `${rank}+`, redirects: redirects + 1 } as const;
      await putNew([noteNew({ address, kind, depth }, placed)]);
    },
  };
};

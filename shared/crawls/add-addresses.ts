import type { Catalogue } from './catalogue.ts';
import type { FrontierEntry } from './frontier-record.ts';
import type { PageAddress } from './page-address.ts';
import { putAll, type Putting } from './put-addresses.ts';
import type { SkipReason } from './skip-reason.ts';
import { countKinds, trapReason } from './traps.ts';

/** An address that was found. */
export interface Discovery {
  readonly address: PageAddress;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  /** The page whose link it is; what a sitemap, a redirect or a person names is no trap. */
  readonly from?: FrontierEntry;
}

/** What adds addresses to those that a crawl knows of. */
export interface Adding {
  /** Number of kinds of addresses that may not be known in full, because too many of them led to one another. */
  readonly fullKinds: () => number;
  /** Whether there may be more addresses than a crawl of this limit remembers. */
  readonly isFull: () => boolean;
  /** Adds what is new and no trap, in order, as far as there is room. */
  readonly add: (found: readonly Discovery[]) => Promise<void>;
  /** Remembers links that are not followed, the first of them. */
  readonly passOver: (found: readonly Discovery[], reason: SkipReason) => Promise<void>;
  /** Adds what an address leads to or names as its original: it takes that one's place, in order and in number. */
  readonly follow: (from: FrontierEntry, address: PageAddress) => Promise<void>;
  /** Adds what an earlier crawl has found, as far as there is room, and marks what waits already. */
  readonly recall: (found: readonly Discovery[]) => Promise<void>;
}

/** Addresses that a crawl remembers for each page that it may read: enough to find its pages, too few to be a burden. */
const addressesPerPage = 4;
const fewestAddresses = 400;
const mostAddresses = 200_000;

/** Links that are remembered for the report alone. */
const maxPassedOver = 400;

const roomFor = (pageLimit: number): number => Math.min(mostAddresses, addressesPerPage * pageLimit + fewestAddresses);

/** Sitemaps come first among the addresses of their depth. */
const rankOf = ({ kind, depth }: Discovery, number: number): string =>
  `${String(depth).padStart(3, '0')}.${kind === 'sitemap' ? 0 : 1}.${String(number).padStart(7, '0')}`;

const newEntry = (
  { address: { hash, key, url }, kind, depth }: Discovery,
  placed: Pick<FrontierEntry, 'foundAs' | 'rank' | 'hops'>,
): FrontierEntry => {
  const fresh = { attempts: 0, notBefore: '', outcome: null, textHash: null, gaveWayTo: null, stands: false };
  const unskipped = { original: null, fingerprint: null, reason: null, detail: null };
  return { hash, key, url, kind, depth, ...placed, ...fresh, ...unskipped };
};

type Placed = Pick<FrontierEntry, 'foundAs' | 'rank' | 'hops'>;

/** Notes new addresses in memory, and writes them. */
const notingOf = (putting: Putting, { entries, passedOver, note }: Catalogue) => {
  const kinds = countKinds(putting.pageLimit);
  for (const entry of entries.values()) if (entry.foundAs === 'kin') kinds.note(entry);
  // Addresses that are read after all replace what was remembered of them for the report.
  const replacing = new Set<string>();
  const noteNew = (found: Discovery, placed: Placed): FrontierEntry => {
    if (passedOver.has(found.address.hash)) replacing.add(found.address.hash);
    return note(newEntry(found, placed));
  };
  const noteNext = (found: Discovery, foundAs: FrontierEntry['foundAs']): FrontierEntry =>
    noteNew(found, { foundAs, rank: rankOf(found, entries.size), hops: 0 });
  const notePassed = (found: Discovery, reason: SkipReason): readonly FrontierEntry[] => {
    const { hash } = found.address;
    if (entries.has(hash) || passedOver.has(hash) || passedOver.size >= maxPassedOver) return [];
    const placed = { foundAs: 'named', rank: rankOf(found, entries.size), hops: 0 } as const;
    return [note({ ...newEntry(found, placed), outcome: 'passed_over', reason })];
  };
  /** A link as it is read, or passed over as a trap. */
  const noteFound = (discovery: Discovery): readonly FrontierEntry[] => {
    const { address, from } = discovery;
    if (entries.has(address.hash)) return [];
    const isKin = from !== undefined && kinds.isKin(address, from);
    const trap = from === undefined ? null : trapReason(address, from);
    if (trap !== null) return notePassed(discovery, trap);
    if (isKin && kinds.isFull(address)) return notePassed(discovery, 'too_many_alike');
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
      await putAll(putting, replaced, 'saveEntry');
      await putAll(putting, fresh);
    },
  };
};

/** Adding to what a crawl knows of. */
export const addingOf = (putting: Putting, catalogue: Catalogue): Adding => {
  const { entries, successors, note } = catalogue;
  const { pageLimit } = putting;
  const { kinds, noteNew, noteNext, notePassed, noteFound, putNew } = notingOf(putting, catalogue);
  const room = roomFor(pageLimit);
  const isFull = (): boolean => entries.size - successors.size >= room;
  return {
    fullKinds: () => kinds.full(),
    isFull,
    add: async (found) => {
      const added: FrontierEntry[] = [];
      for (const discovery of found) {
        if (isFull()) break;
        added.push(...noteFound(discovery));
      }
      await putNew(added);
    },
    passOver: (found, reason) =>
      putAll(
        putting,
        found.flatMap((discovery) => notePassed(discovery, reason)),
      ),
    recall: async (found) => {
      const added: FrontierEntry[] = [];
      const told: FrontierEntry[] = [];
      for (const discovery of found) {
        const known = entries.get(discovery.address.hash);
        if (known !== undefined && known.foundAs !== 'remembered') told.push(note({ ...known, foundAs: 'remembered' }));
        else if (known === undefined && entries.size < room + pageLimit) added.push(noteNext(discovery, 'remembered'));
      }
      await putAll(putting, told, 'saveEntry');
      await putNew(added);
    },
    follow: async ({ rank, hops, kind, depth }, address) => {
      if (entries.has(address.hash)) return;
      const placed = { foundAs: 'successor', rank: `${rank}+`, hops: hops + 1 } as const;
      await putNew([noteNew({ address, kind, depth }, placed)]);
    },
  };
};

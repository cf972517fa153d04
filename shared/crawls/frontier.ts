import { type Catalogue, catalogueOf, endOf } from './catalogue.ts';
import type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
import type { PageAddress } from './page-address.ts';
import { putAll, type Putting } from './put-addresses.ts';
import type { CrawlWork, Hold } from './work.ts';
import { countKinds, leadsNowhere } from './traps.ts';

/** An address that was found. */
export interface Discovery {
  readonly address: PageAddress;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  /** The page whose link it is; what a sitemap, a redirect or a person names is no trap. */
  readonly from?: FrontierEntry;
}

/** Everything that one crawl knows of, as it stands in the table. Whoever holds the crawl is alone with it. */
export interface Frontier {
  get(hash: string): FrontierEntry | null;
  /** All addresses; null where a change of them has failed, which may not have been written. */
  all(): readonly FrontierEntry[] | null;
  /** The next to be read by `now`, of all or of those from earlier crawls; null where nothing waits, or only for later. */
  next(now: string, rememberedOnly: boolean): FrontierEntry | null;
  /** When the first of those comes up that wait for later; null where none do. */
  soonest(rememberedOnly: boolean): string | null;
  /** How many are still to be read, now or later. */
  waiting(rememberedOnly: boolean): number;
  /** The address under which a content was stored; null where it is new. */
  holderOf(textHash: string): FrontierEntry | null;
  /** Pages that gave way to originals of which it is now known what became. */
  settled(): readonly { readonly entry: FrontierEntry; readonly originalStands: boolean }[];
  sitemaps(): number;
  /** Addresses that gave no answer, however often they were asked. */
  unanswered(): number;
  /** Addresses whose content could not be parsed. */
  unreadable(): number;
  /** Kinds of addresses of which not all may be known, as too many of them led to one another. */
  fullKinds(): number;
  /** Whether there may be more addresses than a crawl of this limit remembers. */
  isFull(): boolean;
  /** The last of the addresses that the first page led to by redirects alone, and what became of it. */
  lastOfFirst(): FrontierEntry | null;
  firstOutcome(): Outcome | null;
  /** Adds what is new and no trap, in order, as far as there is room. */
  add(found: readonly Discovery[]): Promise<void>;
  /** Adds what an address leads to or names as its original: it takes that one's place, in order and in number. */
  follow(from: FrontierEntry, address: PageAddress): Promise<void>;
  /** Adds what an earlier crawl has found, as far as there is room, and tells so of what waits already. */
  recall(found: readonly Discovery[]): Promise<void>;
  finish(entry: FrontierEntry, ending: Ending): Promise<void>;
  /** Puts an address off that could not be read for a passing reason, or that goes on under another spelling. */
  change(entry: FrontierEntry, change: Partial<FrontierEntry>): Promise<FrontierEntry>;
}

/** Of originals to which others give way: another page has the content of a duplicate, and a site's wishes hold for copies. */
const originals: ReadonlySet<Outcome | null> = new Set<Outcome>([
  'stored',
  'unchanged',
  'duplicate',
  'disallowed',
  'noindex',
]);

/** Addresses that a crawl remembers for each page that it may read: enough to find its pages, too few to be a burden. */
const addressesPerPage = 4;
const fewestAddresses = 400;
const mostAddresses = 200_000;

const roomFor = (pageLimit: number): number => Math.min(mostAddresses, addressesPerPage * pageLimit + fewestAddresses);

/** Sitemaps come first among the addresses of their depth. */
const rankOf = ({ kind, depth }: Discovery, number: number): string =>
  `${String(depth).padStart(3, '0')}.${kind === 'sitemap' ? 0 : 1}.${String(number).padStart(7, '0')}`;

const newEntry = (
  { address: { hash, key, url }, kind, depth }: Discovery,
  placed: Pick<FrontierEntry, 'foundAs' | 'rank' | 'hops'>,
): FrontierEntry => {
  const fresh = { attempts: 0, notBefore: '', outcome: null, textHash: null, gaveWayTo: null, stands: false };
  return { hash, key, url, kind, depth, ...placed, ...fresh };
};

const first = (entries: Iterable<FrontierEntry>, by: (entry: FrontierEntry) => string): FrontierEntry | null => {
  let best: FrontierEntry | null = null;
  for (const entry of entries) if (best === null || by(entry) < by(best)) best = entry;
  return best;
};

const questionsOf = ({
  entries,
  waiting,
  holders,
  unanswered,
  unreadable,
  givenWay,
}: Catalogue): Omit<Frontier, 'all' | 'fullKinds' | 'isFull' | 'add' | 'follow' | 'recall' | 'finish' | 'change'> => {
  const waitingOf = (rememberedOnly: boolean): readonly FrontierEntry[] =>
    [...waiting.values()].filter(({ foundAs }) => !rememberedOnly || foundAs === 'remembered');
  const lastOfFirst = (): FrontierEntry | null =>
    [...entries.values()]
      .filter(({ depth, kind }) => depth === 0 && kind === 'page')
      .toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0] ?? null;
  return {
    get: (hash) => entries.get(hash) ?? null,
    next: (now, rememberedOnly) =>
      first(
        waitingOf(rememberedOnly).filter(({ notBefore }) => notBefore <= now),
        ({ rank }) => rank,
      ),
    soonest: (rememberedOnly) => first(waitingOf(rememberedOnly), ({ notBefore }) => notBefore)?.notBefore ?? null,
    waiting: (rememberedOnly) => waitingOf(rememberedOnly).length,
    settled: () =>
      [...givenWay.values()].flatMap((entry) => {
        const end = endOf(entries, entry);
        if (end !== null && end.outcome === null) return [];
        return [{ entry, originalStands: originals.has(end?.outcome ?? null) }];
      }),
    holderOf: (textHash) => holders.get(textHash) ?? null,
    lastOfFirst,
    firstOutcome: () => lastOfFirst()?.outcome ?? null,
    unanswered: () => unanswered.size,
    unreadable: () => unreadable.size,
    sitemaps: () => [...entries.values()].filter(({ kind }) => kind === 'sitemap').length,
  };
};

const addingOf = (
  putting: Putting,
  { entries, successors, note }: Catalogue,
): Pick<Frontier, 'fullKinds' | 'isFull' | 'add' | 'follow' | 'recall'> => {
  const { pageLimit } = putting;
  const room = roomFor(pageLimit);
  const kinds = countKinds(pageLimit);
  for (const entry of entries.values()) if (entry.foundAs === 'kin') kinds.note(entry);
  const isFull = (): boolean => entries.size - successors.size >= room;
  const noteNext = (found: Discovery, foundAs: FrontierEntry['foundAs']): FrontierEntry =>
    note(newEntry(found, { foundAs, rank: rankOf(found, entries.size), hops: 0 }));
  return {
    fullKinds: () => kinds.full(),
    isFull,
    add: async (found) => {
      const added: FrontierEntry[] = [];
      for (const discovery of found) {
        if (isFull()) break;
        const { address, from } = discovery;
        if (entries.has(address.hash) || (from !== undefined && leadsNowhere(address, from))) continue;
        const isKin = from !== undefined && kinds.isKin(address, from);
        if (isKin && kinds.isFull(address)) continue;
        if (isKin) kinds.note(address);
        added.push(noteNext(discovery, isKin ? 'kin' : 'named'));
      }
      await putAll(putting, added);
    },
    recall: async (found) => {
      const added: FrontierEntry[] = [];
      const told: FrontierEntry[] = [];
      for (const discovery of found) {
        const known = entries.get(discovery.address.hash);
        if (known !== undefined && known.foundAs !== 'remembered') told.push(note({ ...known, foundAs: 'remembered' }));
        else if (known === undefined && entries.size < room + pageLimit) added.push(noteNext(discovery, 'remembered'));
      }
      await putAll(putting, told, 'saveEntry');
      await putAll(putting, added);
    },
    follow: async ({ rank, hops, kind, depth }, address) => {
      if (entries.has(address.hash)) return;
      const placed = { foundAs: 'successor', rank: `${rank}+`, hops: hops + 1 } as const;
      await putAll(putting, [note(newEntry({ address, kind, depth }, placed))]);
    },
  };
};

/** Reads all that a crawl knows of. */
export const openFrontier = async (work: CrawlWork, hold: Hold, pageLimit: number): Promise<Frontier> => {
  const catalogue = catalogueOf(await Array.fromAsync(work.entries(hold)));
  const { entries, note } = catalogue;
  // A change that fails stays counted, since it may be known here and not be written.
  let unfinished = 0;
  const counted =
    <Args extends readonly unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      unfinished += 1;
      const result = await act(...args);
      unfinished -= 1;
      return result;
    };
  const change = counted(async (entry: FrontierEntry, changed: Partial<FrontierEntry>): Promise<FrontierEntry> => {
    const next = { ...entry, ...changed };
    await work.saveEntry(hold.address.crawlId, next);
    return note(next);
  });
  const { add, follow, recall, ...room } = addingOf({ work, hold, pageLimit }, catalogue);
  return {
    ...questionsOf(catalogue),
    ...room,
    all: () => (unfinished === 0 ? [...entries.values()] : null),
    add: counted(add),
    follow: counted(follow),
    recall: counted(recall),
    finish: async (entry, { outcome, textHash, gaveWayTo = null }) => {
      await change(entry, { outcome, textHash, gaveWayTo });
    },
    change,
  };
};

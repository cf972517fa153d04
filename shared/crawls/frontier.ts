import type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
import { looksLikePage, type PageAddress } from './page-address.ts';
import type { CrawlWork } from './work.ts';
import { isWinding, kindOf } from './traps.ts';

/** An address that was found. */
export interface Discovery {
  readonly address: PageAddress;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  readonly hops?: number;
}

/** Everything that one crawl knows of, as it stands in the table. Whoever holds the crawl is alone with it. */
export interface Frontier {
  get(hash: string): FrontierEntry | null;
  /** The next to be read by `now`; null where nothing waits, or only for later. */
  next(now: string): FrontierEntry | null;
  /** When the first of those comes up that wait for later; null where none do. */
  soonest(): string | null;
  /** The address under which a content was stored; null where it is new. */
  holderOf(textHash: string): FrontierEntry | null;
  sitemaps(): number;
  /** Addresses that gave no answer, however often they were asked. */
  unanswered(): number;
  /** The last of the addresses that the first page led to by redirects alone, and what became of it. */
  lastOfFirst(): FrontierEntry | null;
  firstOutcome(): Outcome | null;
  /** Adds what is new and no trap, in order, as far as there is room. */
  add(found: readonly Discovery[]): Promise<void>;
  finish(entry: FrontierEntry, ending: Ending): Promise<void>;
  /** Puts an address off that could not be read for a passing reason, or that goes on under another spelling. */
  change(entry: FrontierEntry, change: Partial<FrontierEntry>): Promise<FrontierEntry>;
}

const kept: ReadonlySet<Outcome | null> = new Set<Outcome>(['stored', 'unchanged']);

/** Addresses that a crawl remembers for each page that it may read: enough to find its pages, too few to be a burden. */
const addressesPerPage = 4;
const fewestAddresses = 400;
const mostAddresses = 200_000;

const roomFor = (pageLimit: number): number => Math.min(mostAddresses, addressesPerPage * pageLimit + fewestAddresses);

/** Sitemaps come first among the addresses of their depth. */
const rankOf = ({ kind, depth }: Discovery, number: number): string =>
  `${String(depth).padStart(3, '0')}.${kind === 'sitemap' ? 0 : 1}.${String(number).padStart(7, '0')}`;

const isTrap = (known: Map<string, number>, { address, kind }: Discovery): boolean => {
  if (kind === 'sitemap') return false;
  if (isWinding(address) || !looksLikePage(address)) return true;
  const family = kindOf(address);
  if (family === null) return false;
  const members = known.get(family.name) ?? 0;
  if (members >= family.most) return true;
  known.set(family.name, members + 1);
  return false;
};

const newEntry = (found: Discovery, number: number): FrontierEntry => ({
  hash: found.address.hash,
  key: found.address.key,
  url: found.address.url,
  kind: found.kind,
  depth: found.depth,
  rank: rankOf(found, number),
  hops: found.hops ?? 0,
  attempts: 0,
  notBefore: '',
  outcome: null,
  textHash: null,
});

const countKinds = (entries: Iterable<FrontierEntry>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const family = kindOf(entry);
    if (family !== null) counts.set(family.name, (counts.get(family.name) ?? 0) + 1);
  }
  return counts;
};

const first = (entries: Iterable<FrontierEntry>, by: (entry: FrontierEntry) => string): FrontierEntry | null => {
  let best: FrontierEntry | null = null;
  for (const entry of entries) if (best === null || by(entry) < by(best)) best = entry;
  return best;
};

/** The same addresses by what is asked of them. */
const catalogueOf = (known: readonly FrontierEntry[]) => {
  const entries = new Map<string, FrontierEntry>();
  const waiting = new Map<string, FrontierEntry>();
  const holders = new Map<string, FrontierEntry>();
  const unanswered = new Set<string>();
  const note = (entry: FrontierEntry): FrontierEntry => {
    entries.set(entry.hash, entry);
    if (entry.outcome === null) waiting.set(entry.hash, entry);
    else waiting.delete(entry.hash);
    if (entry.outcome === 'failed') unanswered.add(entry.hash);
    if (entry.textHash !== null && kept.has(entry.outcome)) holders.set(entry.textHash, entry);
    return entry;
  };
  for (const entry of known) note(entry);
  return { entries, waiting, holders, unanswered, note };
};

type Catalogue = ReturnType<typeof catalogueOf>;

const questionsOf = ({
  entries,
  waiting,
  holders,
  unanswered,
}: Catalogue): Omit<Frontier, 'add' | 'finish' | 'change'> => {
  const lastOfFirst = (): FrontierEntry | null =>
    [...entries.values()]
      .filter(({ depth, kind }) => depth === 0 && kind === 'page')
      .toSorted((a, b) => (a.rank < b.rank ? 1 : -1))[0] ?? null;
  return {
    get: (hash) => entries.get(hash) ?? null,
    next: (now) =>
      first(
        [...waiting.values()].filter(({ notBefore }) => notBefore <= now),
        ({ rank }) => rank,
      ),
    soonest: () => first(waiting.values(), ({ notBefore }) => notBefore)?.notBefore ?? null,
    holderOf: (textHash) => holders.get(textHash) ?? null,
    lastOfFirst,
    firstOutcome: () => lastOfFirst()?.outcome ?? null,
    unanswered: () => unanswered.size,
    sitemaps: () => [...entries.values()].filter(({ kind }) => kind === 'sitemap').length,
  };
};

/** Reads all that a crawl knows of. */
export const openFrontier = async (work: CrawlWork, crawlId: string, pageLimit: number): Promise<Frontier> => {
  const catalogue = catalogueOf(await Array.fromAsync(work.entries(crawlId)));
  const { entries, note } = catalogue;
  const kinds = countKinds(entries.values());
  const change = async (entry: FrontierEntry, changed: Partial<FrontierEntry>): Promise<FrontierEntry> => {
    const next = { ...entry, ...changed };
    await work.saveEntry(crawlId, next);
    return note(next);
  };
  return {
    ...questionsOf(catalogue),
    add: async (found) => {
      const room = roomFor(pageLimit);
      for (const discovery of found) {
        if (entries.size >= room) return;
        if (entries.has(discovery.address.hash) || isTrap(kinds, discovery)) continue;
        const entry = newEntry(discovery, entries.size);
        await work.addEntry(crawlId, entry);
        note(entry);
      }
    },
    finish: async (entry, { outcome, textHash }) => {
      await change(entry, { outcome, textHash });
    },
    change,
  };
};

import { type Adding, addingOf } from './add-addresses.ts';
import { type Catalogue, catalogueOf, endOf } from './catalogue.ts';
import type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
import { addressesBefore, countSkipped, leadsTo, reportOf } from './frontier-report.ts';
import type { SkipCounts, SkipReason } from './skip-reason.ts';
import type { CrawlWork, Hold } from './work.ts';

/** Everything that one crawl knows of, as it stands in the table. Whoever holds the crawl is alone with it. */
export interface Frontier extends Adding {
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
  /** Pages that have named another as their original. */
  naming(original: string): readonly FrontierEntry[];
  sitemaps(): number;
  /** Addresses that gave no answer, however often they were asked. */
  unanswered(): number;
  /** Addresses whose content could not be parsed. */
  unreadable(): number;
  /** The last of the addresses that the first page led to by redirects alone, and what became of it. */
  lastOfFirst(): FrontierEntry | null;
  firstOutcome(): Outcome | null;
  /** How many addresses were left out, and why. `unreadReason`: of those that wait; null leaves them out of the count. */
  skipped(unreadReason: SkipReason | null): SkipCounts;
  /** Whether an address leads to another by redirects. */
  leadsTo(from: string, to: string): boolean;
  /** Marks the addresses that led to one whose redirects have no end. */
  markEndless(entry: FrontierEntry): Promise<void>;
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

const first = (entries: Iterable<FrontierEntry>, by: (entry: FrontierEntry) => string): FrontierEntry | null => {
  let best: FrontierEntry | null = null;
  for (const entry of entries) if (best === null || by(entry) < by(best)) best = entry;
  return best;
};

const questionsOf = (
  catalogue: Catalogue,
): Omit<Frontier, 'all' | 'finish' | 'change' | 'markEndless' | keyof Adding> => {
  const { entries, waiting, holders, unanswered, unreadable, givenWay, naming } = catalogue;
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
    leadsTo: (from, to) => leadsTo(catalogue, from, to),
    skipped: (unreadReason) => countSkipped(catalogue, unreadReason),
    naming: (original) => [...(naming.get(original)?.values() ?? [])],
    holderOf: (textHash) => holders.get(textHash) ?? null,
    lastOfFirst,
    firstOutcome: () => lastOfFirst()?.outcome ?? null,
    unanswered: () => unanswered.size,
    unreadable: () => unreadable.size,
    sitemaps: () => [...entries.values()].filter(({ kind }) => kind === 'sitemap').length,
  };
};

/** Reads all that a crawl knows of. */
export const openFrontier = async (work: CrawlWork, hold: Hold, pageLimit: number): Promise<Frontier> => {
  const catalogue = catalogueOf(await Array.fromAsync(work.entries(hold)));
  const { entries, passedOver, note } = catalogue;
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
  const { add, passOver, follow, recall, ...room } = addingOf({ work, hold, pageLimit }, catalogue);
  return {
    ...questionsOf(catalogue),
    ...room,
    all: () => (unfinished === 0 ? [...entries.values(), ...passedOver.values()] : null),
    add: counted(add),
    passOver: counted(passOver),
    follow: counted(follow),
    recall: counted(recall),
    finish: async (entry, ending) => {
      const { outcome, textHash, gaveWayTo = null, original = null, fingerprint = null } = ending;
      await change(entry, { outcome, textHash, gaveWayTo, original, fingerprint, ...reportOf(entry, ending) });
    },
    markEndless: async (last) => {
      for (const entry of addressesBefore(catalogue, last)) await change(entry, { reason: 'too_many_redirects' });
    },
    change,
  };
};

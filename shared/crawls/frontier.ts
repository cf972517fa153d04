import { type FrontierWriter, frontierWriter } from './add-to-frontier.ts';
import { type FrontierIndex, indexFrontier, finalTarget } from './frontier-index.ts';
import type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
import { addressesBefore, countSkipped, leadsTo, reportOf } from './frontier-report.ts';
import type { SkipCounts, SkipReason } from './skip-reason.ts';
import type { CrawlStore, CrawlLease } from './crawl-store.ts';

/** Everything that one crawl knows of, as it stands in the table. Whoever holds the crawl is alone with it. */
export interface Frontier extends FrontierWriter {
  get(hash: string): FrontierEntry | null;
  /** All addresses; null where a change of them has failed, which may not have been written. */
  all(): readonly FrontierEntry[] | null;
  /** The next to be read by `now`, of all or of those from earlier crawls; null where nothing waits, or only for later. */
  next(now: string, rememberedOnly: boolean): FrontierEntry | null;
  /** When the first of those comes up that wait for later; null where none do. */
  nextDueAt(rememberedOnly: boolean): string | null;
  /** How many are still to be read, now or later. */
  waiting(rememberedOnly: boolean): number;
  /** The address under which a content was stored; null where it is new. */
  holderOf(textHash: string): FrontierEntry | null;
  /** Pages that gave way to originals of which it is now known what became. */
  resolvedCanonicals(): readonly { readonly entry: FrontierEntry; readonly originalStands: boolean }[];
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
  markRedirectLoop(entry: FrontierEntry): Promise<void>;
  finish(entry: FrontierEntry, ending: Ending): Promise<void>;
  /** Puts an address off that could not be read for a passing reason, or that goes on under another spelling. */
  change(entry: FrontierEntry, change: Partial<FrontierEntry>): Promise<FrontierEntry>;
}

/** Of originals to which others give way: another page has the content of a duplicate, and a site's wishes lease for copies. */
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

const queriesOf = (
  catalogue: FrontierIndex,
): Omit<Frontier, 'all' | 'finish' | 'change' | 'markRedirectLoop' | keyof FrontierWriter> => {
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
    nextDueAt: (rememberedOnly) => first(waitingOf(rememberedOnly), ({ notBefore }) => notBefore)?.notBefore ?? null,
    waiting: (rememberedOnly) => waitingOf(rememberedOnly).length,
    resolvedCanonicals: () =>
      [...givenWay.values()].flatMap((entry) => {
        const end = finalTarget(entries, entry);
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
export const openFrontier = async (store: CrawlStore, lease: CrawlLease, pageLimit: number): Promise<Frontier> => {
  const catalogue = indexFrontier(await Array.fromAsync(store.entries(lease)));
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
    await store.saveEntry(lease.address.crawlId, next);
    return note(next);
  });
  const {
    add,
    skip: passOver,
    follow,
    addRemembered: recall,
    ...room
  } = frontierWriter({ store, lease, pageLimit }, catalogue);
  return {
    ...queriesOf(catalogue),
    ...room,
    all: () => (unfinished === 0 ? [...entries.values(), ...passedOver.values()] : null),
    add: counted(add),
    skip: counted(passOver),
    follow: counted(follow),
    addRemembered: counted(recall),
    finish: async (entry, ending) => {
      const { outcome, textHash, gaveWayTo = null, original = null, fingerprint = null } = ending;
      await change(entry, { outcome, textHash, gaveWayTo, original, fingerprint, ...reportOf(entry, ending) });
    },
    markRedirectLoop: async (last) => {
      for (const entry of addressesBefore(catalogue, last)) await change(entry, { reason: 'too_many_redirects' });
    },
    change,
  };
};

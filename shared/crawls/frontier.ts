import { type FrontierWriter, frontierWriter } from './add-to-frontier.ts';
import { type FrontierIndex, indexFrontier, finalTarget } from './frontier-index.ts';
import type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
import { addressesBefore, countSkipped, leadsTo, reportOf } from './frontier-report.ts';
import type { SkipCounts, SkipReason } from './skip-reason.ts';
import type { CrawlStore, CrawlLease } from './crawl-store.ts';

/** All addresses of one crawl, as stored. Only the run with the lease changes them. */
export interface Frontier extends FrontierWriter {
  get(hash: string): FrontierEntry | null;
  /** All addresses; null if a write has failed, since memory and table may then differ. */
  all(): readonly FrontierEntry[] | null;
  /** The next address to fetch at `now`, of all or of those from earlier crawls; null if none is due. */
  next(now: string, rememberedOnly: boolean): FrontierEntry | null;
  /** When the first waiting address is due; null if none waits. */
  nextDueAt(rememberedOnly: boolean): string | null;
  /** Number of addresses that wait, due or not. */
  waiting(rememberedOnly: boolean): number;
  /** The address under which a content was stored; null for new content. */
  holderOf(textHash: string): FrontierEntry | null;
  /** Pages that were left out for a canonical page whose outcome is now known. */
  resolvedCanonicals(): readonly { readonly entry: FrontierEntry; readonly isOriginalKept: boolean }[];
  /** Pages that named an address as their canonical. */
  naming(original: string): readonly FrontierEntry[];
  sitemaps(): number;
  /** Number of addresses that did not respond after all attempts. */
  unanswered(): number;
  /** Number of addresses that responded to all attempts with an error of the server. */
  failing(): number;
  /** Number of addresses whose content could not be parsed. */
  unreadable(): number;
  /** The last redirect target of the first page. */
  lastOfFirst(): FrontierEntry | null;
  firstOutcome(): Outcome | null;
  /** Counts skipped addresses by reason. `unreadReason`: reason of waiting addresses; null excludes them. */
  skipped(unreadReason: SkipReason | null): SkipCounts;
  /** Whether an address redirects to another, directly or not. */
  leadsTo(from: string, to: string): boolean;
  /** Marks the addresses that led to a redirect loop. */
  markRedirectLoop(entry: FrontierEntry): Promise<void>;
  finish(entry: FrontierEntry, ending: Ending): Promise<void>;
  /** Updates an address: postpones it after a transient error, or changes its spelling. */
  change(entry: FrontierEntry, change: Partial<FrontierEntry>): Promise<FrontierEntry>;
}

/**
 * Outcomes of a canonical page for which the pages that name it stay out.
 * A duplicate's content is stored elsewhere, and a site's rules apply to copies too.
 */
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
  index: FrontierIndex,
): Omit<Frontier, 'all' | 'finish' | 'change' | 'markRedirectLoop' | keyof FrontierWriter> => {
  const { entries, waiting, holders, unanswered, failing, unreadable, givenWay, naming } = index;
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
        return [{ entry, isOriginalKept: originals.has(end?.outcome ?? null) }];
      }),
    leadsTo: (from, to) => leadsTo(index, from, to),
    skipped: (unreadReason) => countSkipped(index, unreadReason),
    naming: (original) => [...(naming.get(original)?.values() ?? [])],
    holderOf: (textHash) => holders.get(textHash) ?? null,
    lastOfFirst,
    firstOutcome: () => lastOfFirst()?.outcome ?? null,
    unanswered: () => unanswered.size,
    failing: () => failing.size,
    unreadable: () => unreadable.size,
    sitemaps: () => [...entries.values()].filter(({ kind }) => kind === 'sitemap').length,
  };
};

/** Loads the frontier of a crawl. */
export const openFrontier = async (store: CrawlStore, lease: CrawlLease, pageLimit: number): Promise<Frontier> => {
  const index = indexFrontier(await Array.fromAsync(store.entries(lease)));
  const { entries, passedOver, note } = index;
  // A failed write stays counted, since memory may then differ from the table.
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
  const { add, skip, follow, addRemembered, ...room } = frontierWriter({ store, lease, pageLimit }, index);
  return {
    ...queriesOf(index),
    ...room,
    all: () => (unfinished === 0 ? [...entries.values(), ...passedOver.values()] : null),
    add: counted(add),
    skip: counted(skip),
    follow: counted(follow),
    addRemembered: counted(addRemembered),
    finish: async (entry, ending) => {
      const { outcome, textHash, gaveWayTo = null, original = null, fingerprint = null } = ending;
      await change(entry, { outcome, textHash, gaveWayTo, original, fingerprint, ...reportOf(entry, ending) });
    },
    markRedirectLoop: async (last) => {
      for (const entry of addressesBefore(index, last)) await change(entry, { reason: 'too_many_redirects' });
    },
    change,
  };
};

import {
  type Ending,
  type FrontierEntry,
  type Outcome,
  openFrontier,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import { removeDocument } from '../../../../shared/documents/index.ts';
import { seedSitemaps } from './list-sitemap.ts';
import { visit } from './visit.ts';
import { again, type Crawling, endCrawl, lost, memoryOf, sourceOf, type TurnEnd, type Working } from './working.ts';
import type { CrawlState } from '../../../../shared/crawls/index.ts';

/** Visits that one run makes before it lets others have a turn. */
const visitsPerTurn = 50;

/** Longer than one visit takes: robots.txt, a page that comes as slowly as it may, and what is written after it. */
const visitMs = 115_000;

/** Waits that are no reason to give a crawl out of hands. */
const shortWaitMs = 5_000;

/** Between two requests to a host that asks for no other pause, and the longest pause that a host can ask for. */
const pauseMs = 500;
const longestPauseMs = 60_000;

/** How long a host's turn lasts where nobody gives it back. */
const busyMs = 120_000;

/** Addresses without an answer, beyond as many as there are pages, after which the rest of the site is not asked for. */
const mostUnanswered = 20;
/** Longer than the slowest site takes for the most pages, and less than addresses are remembered. */
const longestCrawlMs = 10 * 24 * 3_600_000;

/** Whether it would go on for days without coming further, since each address is tried several times. */
const isPointless = ({ state, frontier, run }: Crawling): boolean =>
  frontier.unanswered() > mostUnanswered + state.pagesFound ||
  run.clock.now().getTime() - Date.parse(state.createdAt) > longestCrawlMs;

/** What became of a page that has no place in the index any more, if it had one. */
const withoutContent: ReadonlySet<Outcome> = new Set<Outcome>([
  'duplicate', 'redirected', 'gone', 'disallowed', 'noindex', 'offsite', 'unsupported', 'too_large', 'empty',
]); // prettier-ignore

/** Why a crawl that found no page failed, by what became of its first. */
const reasons: Partial<Record<Outcome, string>> = {
  gone: 'The first page does not exist',
  disallowed: "The site's robots.txt does not allow the first page to be read",
  noindex: 'The first page asks not to be indexed',
  offsite: 'The first page leads to another site',
  redirected: 'The first page leads on without an end',
  not_public: 'The first page is not on the public internet',
  refused: 'The site refused the first page',
  unsupported: 'The first page is neither a web page nor a PDF or text file',
  too_large: 'The first page is too large',
  empty: 'The first page has no text',
  duplicate: 'The first page names another page as its original, which could not be read',
  failed: 'The site did not answer, however often it was asked',
};

/** What ends a crawl before it has begun, because nothing can be said of the rest of the site. */
const hopeless: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'refused', 'disallowed', 'not_public']);

const finish = async (crawling: Crawling, entry: FrontierEntry, ending: Ending): Promise<boolean> => {
  const { deps, hold, run, state } = crawling;
  const memory = memoryOf(hold.address, state);
  if (withoutContent.has(ending.outcome) && (await deps.work.remembered(memory, entry.hash)) !== null) {
    await removeDocument(deps, sourceOf(crawling, state), entry.key, run.clock);
    await deps.work.forget(memory, entry.hash);
  }
  if (ending.outcome === 'stored' || ending.outcome === 'unchanged') {
    const counted = await deps.work.countPage(hold, entry.hash, ending);
    if (counted === null) return false;
    crawling.state = counted;
  }
  await crawling.frontier.finish(entry, ending);
  return true;
};

/** Takes the host's turn and visits; false where another run has the crawl. */
const visitInTurn = async (crawling: Crawling, entry: FrontierEntry): Promise<boolean> => {
  const { deps, hold, robots, run } = crawling;
  const { host, origin } = new URL(entry.url);
  const result = await visit(crawling, entry);
  const delayMs = (robots.get(origin)?.crawlDelaySeconds ?? 0) * 1000;
  const restMs = result.kind === 'later' && result.wholeHost ? result.afterMs : 0;
  const nextMs = Math.max(restMs, Math.min(longestPauseMs, Math.max(pauseMs, delayMs)));
  await deps.work.endTurn(hold.address.organizationId, host, nextMs);
  if (result.kind === 'ended') return finish(crawling, entry, result.ending);
  if (result.kind === 'moved') {
    await crawling.frontier.change(entry, { url: result.to.url, hops: entry.hops + 1 });
    return true;
  }
  const notBefore = new Date(run.clock.now().getTime() + result.afterMs).toISOString();
  await crawling.frontier.change(entry, { attempts: entry.attempts + 1, notBefore });
  return true;
};

/** Adds the pages that earlier crawls from the same first page have found: what has vanished is not linked any more. */
const revisit = async (crawling: Crawling): Promise<void> => {
  const { deps, hold, state, frontier } = crawling;
  const start = toPageAddress(state.url)?.hash ?? '';
  for await (const page of deps.work.allRemembered(memoryOf(hold.address, state))) {
    const address = page.starts.has(start) && page.depth <= state.maxDepth ? toPageAddress(page.url) : null;
    if (address !== null) await frontier.add([{ address, kind: 'page', depth: page.depth }]);
  }
};

const conclude = (crawling: Crawling): Promise<TurnEnd> => {
  const { state, frontier } = crawling;
  if (state.pagesFound > 0) return endCrawl(crawling, 'completed');
  const outcome = frontier.firstOutcome();
  const reason = (outcome === null ? undefined : reasons[outcome]) ?? 'The first page could not be read';
  return endCrawl(crawling, 'failed', reason);
};

/** What is to be done before the next page; null where a page is next. */
const prepare = async (crawling: Crawling, entry: FrontierEntry | null): Promise<TurnEnd | 'prepared' | null> => {
  const { deps, hold, run, state, frontier } = crawling;
  const waitsForLater = entry === null ? frontier.soonest() : null;
  if (!state.seeded && waitsForLater === null && (entry === null || entry.depth > 0)) {
    const outcome = frontier.firstOutcome();
    if (state.pagesFound === 0 && outcome !== null && hopeless.has(outcome)) return conclude(crawling);
    const address = toPageAddress(frontier.lastOfFirst()?.url ?? state.url);
    if (state.maxDepth > 0 && address !== null) await seedSitemaps(crawling, address.url);
    const seeded = await deps.work.note(hold, { seeded: true });
    if (seeded === null) return lost;
    crawling.state = seeded;
    return 'prepared';
  }
  if (entry !== null) return null;
  if (waitsForLater !== null) return again(Math.max(1, Date.parse(waitsForLater) - run.clock.now().getTime()));
  if (state.revisited) return conclude(crawling);
  await revisit(crawling);
  const revisited = await deps.work.note(hold, { revisited: true });
  if (revisited === null) return lost;
  crawling.state = revisited;
  return 'prepared';
};

const step = async (crawling: Crawling): Promise<TurnEnd | null> => {
  const { deps, hold, run, state, frontier } = crawling;
  if (state.pagesFound >= state.pageLimit) return endCrawl(crawling, 'completed');
  if (isPointless(crawling)) return conclude(crawling);
  const entry = frontier.next(run.clock.now().toISOString());
  const prepared = await prepare(crawling, entry);
  if (prepared !== null) return prepared === 'prepared' ? null : prepared;
  if (entry === null) return null;
  const noted = await deps.work.note(hold, {});
  if (noted === null) return lost;
  crawling.state = noted;
  const waitMs = await deps.work.takeTurn(hold.address.organizationId, new URL(entry.url).host, busyMs);
  if (waitMs > shortWaitMs) return again(waitMs);
  if (waitMs > 0) await deps.web.wait(waitMs);
  else if (!(await visitInTurn(crawling, entry))) return lost;
  return null;
};

const begin = async (working: Working, state: CrawlState): Promise<Crawling> => {
  const { deps, hold } = working;
  const frontier = await openFrontier(deps.work, hold.address.crawlId, state.pageLimit);
  const { last } = state;
  const counted = last === null ? null : frontier.get(last.hash);
  // A run died between counting a page and writing down that it is done.
  if (last !== null && counted?.outcome === null) await frontier.finish(counted, last);
  return { ...working, state, frontier, robots: new Map() };
};

/** One run's part of a crawl: some pages, in order, one at a time. */
export const crawlSite = async (working: Working, state: CrawlState): Promise<TurnEnd> => {
  const start = toPageAddress(state.url);
  if (start === null) return endCrawl(working, 'failed', 'The address is too long');
  const crawling = await begin(working, state);
  await crawling.frontier.add([{ address: start, kind: 'page', depth: 0 }]);
  for (let visits = 0; visits < 2 * visitsPerTurn; visits += 1) {
    if (working.run.remainingMs() < visitMs) break;
    const end = await step(crawling);
    if (end !== null) return end;
  }
  return again(0);
};

import { laterBy } from '../../../../shared/kernel/clock.ts';
import { type FrontierEntry, LeaseLost, toPageAddress } from '../../../../shared/crawls/index.ts';
import { conclude, isFirstPageUnreadable, isPastDeadline } from './conclude.ts';
import { finishPage, resolveCanonicals } from './finish-page.ts';
import { revisit } from './revisit.ts';
import { seedSitemaps } from './read-sitemap.ts';
import { crashedAttempt, type FetchResult, fetchPage } from './fetch-page.ts';
import {
  again,
  type SiteCrawl,
  endCrawl,
  isFull,
  cacheFrontier,
  lost,
  openSiteCrawl,
  reportSkipped,
  type BatchEnd,
  type CrawlContext,
} from './crawl-context.ts';
import type { CrawlState } from '../../../../shared/crawls/index.ts';

/** Visits that one run makes before it lets others have a turn. */
const pagesPerBatch = 50;

/** Longer than one visit takes: its turn, robots.txt and a page that come and are parsed as slowly as they may, and what is written then. */
const maxPageMs = 160_000;

/** Waits that are no reason to give a crawl out of hands. */
const shortWaitMs = 5_000;

/** Between two looks at a host that another crawl is at: shorter than any pause, so that each of them sees its end. */
const hostPollMs = 250;

/** Between two requests to a host that asks for no other pause, and the longest pause that a host can ask for. */
const pauseMs = 500;
const maxPauseMs = 60_000;

/** How long a host's turn lasts where nobody gives it back. */
const busyMs = 160_000;

/** Addresses without an answer, or with one that cannot be parsed, beyond as many as there are pages, after which the rest of the site is not asked for. */
const maxUnanswered = 20;

/** Whether it would go on for days without coming further, since each address is tried several times. */
const hasTooManyFailures = (crawl: SiteCrawl): boolean =>
  crawl.frontier.unanswered() + crawl.frontier.unreadable() > maxUnanswered + crawl.state.pagesFound ||
  isPastDeadline(crawl);

/** Applies what an attempt came to; false where another run has the crawl. */
const applyResult = async (crawl: SiteCrawl, entry: FrontierEntry, result: FetchResult): Promise<boolean> => {
  if (result.kind === 'ended') return finishPage(crawl, entry, result.ending);
  if (result.kind === 'moved') {
    await crawl.frontier.change(entry, { url: result.url, redirects: entry.redirects + 1 });
    return true;
  }
  const notBefore = laterBy(crawl.run.clock.now(), result.afterMs).toISOString();
  await crawl.frontier.change(entry, { attempts: entry.attempts + 1, notBefore });
  return true;
};

/** Visits while it has the host's turn, and gives that back; false where another run has the crawl. */
const fetchWithHostSlot = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<boolean> => {
  const { deps, lease, robots } = crawl;
  const { host, origin } = new URL(entry.url);
  let restMs = 0;
  let result: FetchResult;
  try {
    result = await fetchPage(crawl, entry);
    if (result.kind === 'later' && result.wholeHost) restMs = result.afterMs;
  } finally {
    const delayMs = (robots.get(origin)?.crawlDelaySeconds ?? 0) * 1000;
    const nextMs = Math.max(restMs, Math.min(maxPauseMs, Math.max(pauseMs, delayMs)));
    await deps.store.releaseHost(lease, host, nextMs);
  }
  return applyResult(crawl, entry, result);
};

/**
 * Takes the turn of a host, and waits a while for it. While another crawl is at the host it looks again and again, so that
 * crawls of one host take turns from page to page.
 * @returns 0 where it has the turn, else the milliseconds after which another run is to try.
 */
const acquireHostSlot = async ({ deps, lease }: SiteCrawl, host: string): Promise<number> => {
  for (let waitedMs = 0; ;) {
    const turn = await deps.store.acquireHost(lease, host, busyMs);
    if (turn.state === 'taken') return 0;
    const isBusy = turn.state === 'busy';
    const waitMs = isBusy ? hostPollMs : turn.waitMs;
    if (waitedMs + waitMs > shortWaitMs) {
      await deps.store.leaveHostQueue(lease, host);
      return isBusy ? shortWaitMs : turn.waitMs;
    }
    await deps.web.wait(waitMs);
    waitedMs += waitMs;
  }
};

/** What is to be done before the next page; null where a page is next. */
const prepare = async (crawl: SiteCrawl, entry: FrontierEntry | null): Promise<BatchEnd | 'prepared' | null> => {
  const { deps, lease, run, state, frontier } = crawl;
  const waitsForLater = entry === null ? frontier.nextDueAt(isFull(crawl)) : null;
  if (!state.seeded && !isFull(crawl) && waitsForLater === null && (entry === null || entry.depth > 0)) {
    const hopeless = isFirstPageUnreadable(crawl);
    // What may not be read any more leaves the index, which takes no request.
    if (hopeless && frontier.firstOutcome() !== 'disallowed') return conclude(crawl);
    const address = toPageAddress(frontier.lastOfFirst()?.url ?? state.url);
    if (!hopeless && state.maxDepth > 0 && address !== null) await seedSitemaps(crawl, address.url);
    const seeded = await deps.store.update(lease, { seeded: true });
    if (seeded === null) return lost;
    crawl.state = seeded;
    return 'prepared';
  }
  if (entry !== null) return null;
  if (waitsForLater !== null) return again(Math.max(1, Date.parse(waitsForLater) - run.clock.now().getTime()));
  if (state.revisited) return conclude(crawl);
  await revisit(crawl);
  const revisited = await deps.store.update(lease, { revisited: true });
  if (revisited === null) return lost;
  crawl.state = revisited;
  return 'prepared';
};

const step = async (crawl: SiteCrawl): Promise<BatchEnd | null> => {
  const { deps, lease, run, frontier } = crawl;
  await resolveCanonicals(crawl);
  if (hasTooManyFailures(crawl)) return conclude(crawl);
  const entry = frontier.next(run.clock.now().toISOString(), isFull(crawl));
  const prepared = await prepare(crawl, entry);
  if (prepared !== null) return prepared === 'prepared' ? null : prepared;
  if (entry === null) return null;
  const renewed = await deps.store.renew(lease, entry.hash);
  if (renewed === null) return lost;
  crawl.state = renewed;
  const waitMs = await acquireHostSlot(crawl, new URL(entry.url).host);
  if (waitMs > 0) return again(waitMs);
  return (await fetchWithHostSlot(crawl, entry)) ? null : lost;
};

const stepWhileLeased = async (crawl: SiteCrawl): Promise<BatchEnd | null> => {
  try {
    return await step(crawl);
  } catch (error) {
    if (error instanceof LeaseLost) return lost;
    throw error;
  }
};

/** Some pages, in order, one at a time. */
const readPages = async (crawl: SiteCrawl): Promise<BatchEnd> => {
  for (let visits = 0; visits < pagesPerBatch; visits += 1) {
    if (crawl.run.remainingMs() < maxPageMs) break;
    const end = await stepWhileLeased(crawl);
    if (end !== null) return end;
  }
  return again(0);
};

/** The same, with a report of what has been left out so far, also where the plan or the index ends the crawl. */
const readBatch = async (crawl: SiteCrawl): Promise<BatchEnd> => {
  try {
    const end = await readPages(crawl);
    if (end.kind === 'again') await reportSkipped(crawl);
    return end;
  } catch (error) {
    // Why it stopped says more than that the report could not be written.
    await reportSkipped(crawl).catch(() => undefined);
    throw error;
  }
};

/**
 * Counts the attempt of a run that died during it, so that a page which kills every run stops no crawl. Returns whether
 * there was one.
 */
const countCrashedAttempt = async (crawl: SiteCrawl): Promise<boolean> => {
  const { fetching: visiting } = crawl.state;
  const entry = visiting === null ? null : crawl.frontier.get(visiting);
  if (entry === null || entry.outcome !== null) return false;
  await applyResult(crawl, entry, crashedAttempt(entry));
  return true;
};

/** One run's part of a crawl. */
export const crawlSite = async (context: CrawlContext, state: CrawlState): Promise<BatchEnd> => {
  const start = toPageAddress(state.url);
  if (start === null) return endCrawl(context, 'failed', 'The address is too long');
  const crawl = await openSiteCrawl(context, state);
  // The next message has all its attempts again.
  if (await countCrashedAttempt(crawl)) return cacheFrontier(crawl, again(0));
  await crawl.frontier.add([{ address: start, kind: 'page', depth: 0 }]);
  return cacheFrontier(crawl, await readBatch(crawl));
};

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

/** Pages that one batch fetches before other crawls get a worker. */
const pagesPerBatch = 50;

/** Maximum time of one page: waiting for the host, robots.txt, a slow page, slow parsing and the writes after it. */
const maxPageMs = 160_000;

/** Longest wait that a batch makes itself; for a longer one it releases the lease. */
const shortWaitMs = 5_000;

/**
 * Poll interval of a host that another crawl is using. It is shorter than any pause, so that each waiting crawl sees
 * its end.
 */
const hostPollMs = 250;

/** Default pause between two requests to a host, and the longest pause that a site can request. */
const pauseMs = 500;
const maxPauseMs = 60_000;

/** Time after which a host slot expires if its run does not release it. */
const busyMs = 160_000;

/** Maximum number of failed addresses beyond the number of pages found. More of them end the crawl. */
const maxUnanswered = 20;

/**
 * Whether most addresses fail or the deadline has passed. Each address is retried several times, so the crawl would
 * take days.
 */
const hasTooManyFailures = (crawl: SiteCrawl): boolean =>
  crawl.frontier.unanswered() + crawl.frontier.failing() + crawl.frontier.unreadable() >
    maxUnanswered + crawl.state.pagesFound || isPastDeadline(crawl);

/** Stores the result of an attempt. Returns false if another run has the lease. */
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

/**
 * Fetches a page while the crawl has the host slot, and releases the slot. Returns false if another run has the lease.
 */
const fetchWithHostSlot = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<boolean> => {
  const { deps, lease, robots } = crawl;
  const { host, origin } = new URL(entry.url);
  let restMs = 0;
  let isRequested = true;
  let result: FetchResult;
  try {
    result = await fetchPage(crawl, entry);
    if (result.kind === 'ended') isRequested = result.isRequested ?? true;
    if (result.kind === 'retry' && result.wholeHost) restMs = result.afterMs;
  } finally {
    const delayMs = (robots.get(origin)?.crawlDelaySeconds ?? 0) * 1000;
    const nextMs = isRequested ? Math.max(restMs, Math.min(maxPauseMs, Math.max(pauseMs, delayMs))) : 0;
    await deps.store.releaseHost(lease, host, nextMs);
  }
  return applyResult(crawl, entry, result);
};

/**
 * Acquires the slot of a host, and waits a short time for it. While another crawl uses the host, it polls.
 * Crawls of one host therefore alternate after each page.
 * @returns 0 if it has the slot, else the milliseconds after which another batch should try.
 */
const acquireHostSlot = async ({ deps, lease }: SiteCrawl, host: string): Promise<number> => {
  for (let waitedMs = 0; ;) {
    const slot = await deps.store.acquireHost(lease, host, busyMs);
    if (slot.state === 'taken') return 0;
    const isBusy = slot.state === 'busy';
    const waitMs = isBusy ? hostPollMs : slot.waitMs;
    if (waitedMs + waitMs > shortWaitMs) {
      await deps.store.leaveHostQueue(lease, host);
      return isBusy ? shortWaitMs : slot.waitMs;
    }
    await deps.web.wait(waitMs);
    waitedMs += waitMs;
  }
};

/** Adds sitemaps, and then pages of earlier crawls, when no other address is next. Returns null if a page is next. */
const prepare = async (crawl: SiteCrawl, entry: FrontierEntry | null): Promise<BatchEnd | 'prepared' | null> => {
  const { deps, lease, run, state, frontier } = crawl;
  const waitsForLater = entry === null ? frontier.nextDueAt(isFull(crawl)) : null;
  if (!state.seeded && !isFull(crawl) && waitsForLater === null && (entry === null || entry.depth > 0)) {
    const hopeless = isFirstPageUnreadable(crawl);
    // Pages that robots.txt now disallows leave the index, which takes no request.
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

/** Fetches up to `pagesPerBatch` pages in order, one at a time. */
const readPages = async (crawl: SiteCrawl): Promise<BatchEnd> => {
  for (let pages = 0; pages < pagesPerBatch; pages += 1) {
    if (crawl.run.remainingMs() < maxPageMs) break;
    const end = await stepWhileLeased(crawl);
    if (end !== null) return end;
  }
  return again(0);
};

/** Fetches a batch and stores the skip counts, also if the plan or the index ends the crawl. */
const readBatch = async (crawl: SiteCrawl): Promise<BatchEnd> => {
  try {
    const end = await readPages(crawl);
    if (end.kind === 'again') await reportSkipped(crawl);
    return end;
  } catch (error) {
    // The original error matters more than a failed report.
    await reportSkipped(crawl).catch(() => undefined);
    throw error;
  }
};

/**
 * Counts the attempt of a run that crashed during it, so that a page which crashes every run does not stop the crawl.
 * Returns whether there was one.
 */
const countCrashedAttempt = async (crawl: SiteCrawl): Promise<boolean> => {
  const { fetching } = crawl.state;
  const entry = fetching === null ? null : crawl.frontier.get(fetching);
  if (entry === null || entry.outcome !== null) return false;
  await applyResult(crawl, entry, crashedAttempt(entry));
  return true;
};

/** Runs one batch of a crawl of this deployment's own crawler. */
export const crawlSite = async (context: CrawlContext, state: CrawlState): Promise<BatchEnd> => {
  const start = toPageAddress(state.url);
  if (start === null) return endCrawl(context, 'failed', 'The address is too long');
  const headers = await context.deps.headers.read(state);
  if (headers === null)
    return endCrawl(context, 'failed', 'The headers of the crawl were deleted, such as with its schedule');
  const crawl = await openSiteCrawl(context, state, headers);
  // The next message starts with all its attempts.
  if (await countCrashedAttempt(crawl)) return cacheFrontier(crawl, again(0));
  await crawl.frontier.add([{ address: start, kind: 'page', depth: 0 }]);
  return cacheFrontier(crawl, await readBatch(crawl));
};

import { laterBy } from '../../../../shared/kernel/clock.ts';
import { type FrontierEntry, HoldLost, toPageAddress } from '../../../../shared/crawls/index.ts';
import { conclude, isHopeless, isOverdue } from './conclude.ts';
import { finish, settle } from './finish-visit.ts';
import { revisit } from './revisit.ts';
import { seedSitemaps } from './list-sitemap.ts';
import { attemptThatDied, type Visit, visit } from './visit.ts';
import {
  again,
  type Crawling,
  endCrawl,
  isFull,
  leave,
  lost,
  open,
  reportSkipped,
  type TurnEnd,
  type Working,
} from './working.ts';
import type { CrawlState } from '../../../../shared/crawls/index.ts';

/** Visits that one run makes before it lets others have a turn. */
const visitsPerTurn = 50;

/** Longer than one visit takes: its turn, robots.txt and a page that come and are parsed as slowly as they may, and what is written then. */
const visitMs = 160_000;

/** Waits that are no reason to give a crawl out of hands. */
const shortWaitMs = 5_000;

/** Between two looks at a host that another crawl is at: shorter than any pause, so that each of them sees its end. */
const lookMs = 250;

/** Between two requests to a host that asks for no other pause, and the longest pause that a host can ask for. */
const pauseMs = 500;
const longestPauseMs = 60_000;

/** How long a host's turn lasts where nobody gives it back. */
const busyMs = 160_000;

/** Addresses without an answer, or with one that cannot be parsed, beyond as many as there are pages, after which the rest of the site is not asked for. */
const mostUnanswered = 20;

/** Whether it would go on for days without coming further, since each address is tried several times. */
const isPointless = (crawling: Crawling): boolean =>
  crawling.frontier.unanswered() + crawling.frontier.unreadable() > mostUnanswered + crawling.state.pagesFound ||
  isOverdue(crawling);

/** Applies what an attempt came to; false where another run has the crawl. */
const applyVisit = async (crawling: Crawling, entry: FrontierEntry, result: Visit): Promise<boolean> => {
  if (result.kind === 'ended') return finish(crawling, entry, result.ending);
  if (result.kind === 'moved') {
    await crawling.frontier.change(entry, { url: result.url, hops: entry.hops + 1 });
    return true;
  }
  const notBefore = laterBy(crawling.run.clock.now(), result.afterMs).toISOString();
  await crawling.frontier.change(entry, { attempts: entry.attempts + 1, notBefore });
  return true;
};

/** Visits while it has the host's turn, and gives that back; false where another run has the crawl. */
const visitInTurn = async (crawling: Crawling, entry: FrontierEntry): Promise<boolean> => {
  const { deps, hold, robots } = crawling;
  const { host, origin } = new URL(entry.url);
  let restMs = 0;
  let result: Visit;
  try {
    result = await visit(crawling, entry);
    if (result.kind === 'later' && result.wholeHost) restMs = result.afterMs;
  } finally {
    const delayMs = (robots.get(origin)?.crawlDelaySeconds ?? 0) * 1000;
    const nextMs = Math.max(restMs, Math.min(longestPauseMs, Math.max(pauseMs, delayMs)));
    await deps.work.endTurn(hold, host, nextMs);
  }
  return applyVisit(crawling, entry, result);
};

/**
 * Takes the turn of a host, and waits a while for it. While another crawl is at the host it looks again and again, so that
 * crawls of one host take turns from page to page.
 * @returns 0 where it has the turn, else the milliseconds after which another run is to try.
 */
const takeTurnSoon = async ({ deps, hold }: Crawling, host: string): Promise<number> => {
  for (let waitedMs = 0; ;) {
    const turn = await deps.work.takeTurn(hold, host, busyMs);
    if (turn.state === 'taken') return 0;
    const isBusy = turn.state === 'busy';
    const waitMs = isBusy ? lookMs : turn.waitMs;
    if (waitedMs + waitMs > shortWaitMs) {
      await deps.work.leaveLine(hold, host);
      return isBusy ? shortWaitMs : turn.waitMs;
    }
    await deps.web.wait(waitMs);
    waitedMs += waitMs;
  }
};

/** What is to be done before the next page; null where a page is next. */
const prepare = async (crawling: Crawling, entry: FrontierEntry | null): Promise<TurnEnd | 'prepared' | null> => {
  const { deps, hold, run, state, frontier } = crawling;
  const waitsForLater = entry === null ? frontier.soonest(isFull(crawling)) : null;
  if (!state.seeded && !isFull(crawling) && waitsForLater === null && (entry === null || entry.depth > 0)) {
    const hopeless = isHopeless(crawling);
    // What may not be read any more leaves the index, which takes no request.
    if (hopeless && frontier.firstOutcome() !== 'disallowed') return conclude(crawling);
    const address = toPageAddress(frontier.lastOfFirst()?.url ?? state.url);
    if (!hopeless && state.maxDepth > 0 && address !== null) await seedSitemaps(crawling, address.url);
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
  const { deps, hold, run, frontier } = crawling;
  await settle(crawling);
  if (isPointless(crawling)) return conclude(crawling);
  const entry = frontier.next(run.clock.now().toISOString(), isFull(crawling));
  const prepared = await prepare(crawling, entry);
  if (prepared !== null) return prepared === 'prepared' ? null : prepared;
  if (entry === null) return null;
  const renewed = await deps.work.renew(hold, entry.hash);
  if (renewed === null) return lost;
  crawling.state = renewed;
  const waitMs = await takeTurnSoon(crawling, new URL(entry.url).host);
  if (waitMs > 0) return again(waitMs);
  return (await visitInTurn(crawling, entry)) ? null : lost;
};

const stepWhileHeld = async (crawling: Crawling): Promise<TurnEnd | null> => {
  try {
    return await step(crawling);
  } catch (error) {
    if (error instanceof HoldLost) return lost;
    throw error;
  }
};

/** Some pages, in order, one at a time. */
const readPages = async (crawling: Crawling): Promise<TurnEnd> => {
  for (let visits = 0; visits < visitsPerTurn; visits += 1) {
    if (crawling.run.remainingMs() < visitMs) break;
    const end = await stepWhileHeld(crawling);
    if (end !== null) return end;
  }
  return again(0);
};

/** The same, with a report of what has been left out so far, also where the plan or the index ends the crawl. */
const readOn = async (crawling: Crawling): Promise<TurnEnd> => {
  try {
    const end = await readPages(crawling);
    if (end.kind === 'again') await reportSkipped(crawling);
    return end;
  } catch (error) {
    // Why it stopped says more than that the report could not be written.
    await reportSkipped(crawling).catch(() => undefined);
    throw error;
  }
};

/**
 * Counts the attempt of a run that died during it, so that a page which kills every run stops no crawl. Returns whether
 * there was one.
 */
const countDeath = async (crawling: Crawling): Promise<boolean> => {
  const { visiting } = crawling.state;
  const entry = visiting === null ? null : crawling.frontier.get(visiting);
  if (entry === null || entry.outcome !== null) return false;
  await applyVisit(crawling, entry, attemptThatDied(entry));
  return true;
};

/** One run's part of a crawl. */
export const crawlSite = async (working: Working, state: CrawlState): Promise<TurnEnd> => {
  const start = toPageAddress(state.url);
  if (start === null) return endCrawl(working, 'failed', 'The address is too long');
  const crawling = await open(working, state);
  // The next message has all its attempts again.
  if (await countDeath(crawling)) return leave(crawling, again(0));
  await crawling.frontier.add([{ address: start, kind: 'page', depth: 0 }]);
  return leave(crawling, await readOn(crawling));
};

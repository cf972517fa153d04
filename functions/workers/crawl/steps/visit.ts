import type { Ending, FrontierEntry } from '../../../../shared/crawls/index.ts';
import { crawlMessageOf, singleSlashed, siteOf, toPageAddress } from '../../../../shared/crawls/index.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import { isPassingStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import { forbidsIndex } from '../../../../shared/platform/crawl/robots-directives.ts';
import { UnreadableContent } from '../../../../shared/platform/crawl/site-reader.ts';
import { endlessRedirect, leadOn, maxHops } from './lead-on.ts';
import { robotsOf } from './read-site-rules.ts';
import { asksNotToBeIndexed, limitBytes, readAnswer, readUnchanged, webPageBytes } from './read-answer.ts';
import { listSitemap, sitemapLimitBytes } from './list-sitemap.ts';
import { type Crawling, isFull, isOfAll, memoryOf, ownSite } from './working.ts';

/** What an attempt came to: an ending, a later attempt, or an end of the whole crawl in words. */
export type Visit =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'later'; readonly afterMs: number; readonly wholeHost: boolean }
  | { readonly kind: 'moved'; readonly url: string };

const ended = (outcome: Ending['outcome'], why: Pick<Ending, 'reason' | 'detail'> = {}): Visit => ({
  kind: 'ended',
  ending: { outcome, textHash: null, ...why },
});

const second = 1000;

/** Waits before the second, third and fourth request for a page that could not be read. */
const backoffMs = [5 * second, 30 * second, 120 * second] as const;
const longestRetryMs = hourMs;

/** @param why What is reported of the address if this was the last attempt. */
const later = (
  entry: FrontierEntry,
  askedMs: number,
  wholeHost: boolean,
  why: Pick<Ending, 'reason' | 'detail'>,
): Visit => {
  const base = backoffMs[entry.attempts];
  if (base === undefined) return ended('failed', why);
  return { kind: 'later', afterMs: Math.min(longestRetryMs, Math.max(base, askedMs)), wholeHost };
};

/** Where a page was moved to: read as an address of its own, unless it is but another spelling of this one. */
const followRedirect = async (
  crawling: Crawling,
  entry: FrontierEntry,
  { status, location, setCookies }: PageAnswer,
): Promise<Visit> => {
  const target = location === null ? null : toPageAddress(location, entry.url);
  if (target === null) return ended('refused', { detail: String(status) });
  // A page that sets a cookie and leads to itself looks whether it comes back.
  const isAsBefore = target.url === entry.url && setCookies.length === 0;
  if (entry.hops >= maxHops || isAsBefore)
    return { kind: 'ended', ending: await endlessRedirect(crawling, entry, target) };
  if (target.hash === entry.hash) return { kind: 'moved', url: target.url };
  return { kind: 'ended', ending: await leadOn(crawling, entry, target) };
};

const judge = async (crawling: Crawling, entry: FrontierEntry, answer: PageAnswer): Promise<Visit> => {
  const { status, retryAfter } = answer;
  const why = { reason: 'http_status', detail: String(status) } as const;
  if (status === 429 || status === 503)
    return later(entry, (retryAfterSeconds(retryAfter, crawling.run.clock.now()) ?? 0) * 1000, true, why);
  if (isPassingStatus(status)) return later(entry, 0, false, why);
  const plain = singleSlashed(entry.url);
  // It has a slash too many; the last hop is left for a site that leads back, whose refusal then counts.
  if (status >= 400 && plain !== entry.url && entry.hops + 1 < maxHops) return { kind: 'moved', url: plain };
  if (status === 404 || status === 410) return ended('gone', why);
  if (isFull(crawling)) return ended((await asksNotToBeIndexed(crawling, entry, answer)) ? 'noindex' : 'unasked');
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  // Where the site has moved, what stays behind is no page of it, and nothing that has gone either.
  if (!isRedirect && siteOf(entry.url) !== crawling.state.site) return ended('refused', { reason: 'out_of_scope' });
  if (status === 304 && forbidsIndex(answer.robotsTag)) return ended('noindex');
  if (status === 304) return { kind: 'ended', ending: await readUnchanged(crawling, entry) };
  if (isRedirect) return followRedirect(crawling, entry, answer);
  if (status < 200 || status >= 300) return ended('refused', why);
  return {
    kind: 'ended',
    ending: await (entry.kind === 'sitemap' ? listSitemap : readAnswer)(crawling, entry, answer),
  };
};

const fetchOnce = async (crawling: Crawling, entry: FrontierEntry): Promise<Visit> => {
  const { deps, hold } = crawling;
  const robots = await robotsOf(crawling, entry.url);
  if ('waitMs' in robots)
    return later(entry, robots.waitMs, robots.waitMs > 0, {
      reason: 'robots_txt',
      detail: 'robots.txt could not be read',
    });
  // Most sites take doubled slashes for one, whose rules then mean both.
  const isAllowed = [entry.url, singleSlashed(entry.url)].every((url) => robots.isAllowed(url));
  if (entry.kind === 'page' && !isAllowed) return ended('disallowed');
  const remembered =
    entry.kind === 'page' ? await deps.work.remembered(memoryOf(hold.address, ownSite(entry)), entry.hash) : null;
  const answer = await deps.web.fetch({
    url: entry.url,
    etag: remembered?.etag ?? null,
    lastModified: remembered?.lastModified ?? null,
    cookie: crawling.cookies.headerFor(entry.url),
    limitBytes: isFull(crawling) ? webPageBytes : entry.kind === 'sitemap' ? sitemapLimitBytes : limitBytes,
    keepsBeginning: entry.kind === 'sitemap',
  });
  if (!('failure' in answer)) {
    const isChanged = crawling.cookies.take(entry.url, answer.setCookies);
    if (isChanged) await deps.work.keepCookies(hold.address.crawlId, crawling.cookies.all());
    return judge(crawling, entry, answer);
  }
  const { failure } = answer;
  return failure === 'address_not_allowed' ? ended('not_public') : later(entry, 0, false, { detail: failure });
};

/** The attempt of a run that died during it; the next one begins at once, before pages that it has led to. */
export const attemptThatDied = (entry: FrontierEntry): Visit => {
  const result = later(entry, 0, false, { reason: 'unreadable' });
  return result.kind === 'later' ? { ...result, afterMs: 0 } : result;
};

/**
 * Fetches one address, whose host's turn has been taken, and does what its answer asks for. A page whose
 * content cannot be handled is tried again as if it had given no answer, so that it stops no crawl. One that exceeds the
 * bounds of its parser would do so again.
 */
export const visit = async (crawling: Crawling, entry: FrontierEntry): Promise<Visit> => {
  try {
    return await fetchOnce(crawling, entry);
  } catch (error) {
    if (isOfAll(error)) throw error;
    if (error instanceof UnreadableContent) return ended('unreadable');
    const about = crawlMessageOf(crawling.hold.address);
    crawling.run.log.error('a page could not be handled', { ...about, url: entry.url, error });
    return later(entry, 0, false, { reason: 'unreadable' });
  }
};

import type { Ending, FrontierEntry } from '../../../../shared/crawls/index.ts';
import { crawlMessageOf, singleSlashed, siteOf, toPageAddress } from '../../../../shared/crawls/index.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import { isTransientStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import { forbidsIndex } from '../../../../shared/platform/crawl/robots-directives.ts';
import { UnreadableContent } from '../../../../shared/platform/crawl/site-reader.ts';
import { endRedirectLoop, followTarget, maxRedirects } from './redirects.ts';
import { loadRobotsPolicy } from './robots-policy.ts';
import { hasNoindex, maxBytesOf, readResponse, storeUnchanged, maxWebPageBytes } from './read-response.ts';
import { listSitemap, maxSitemapBytes } from './read-sitemap.ts';
import { type SiteCrawl, isFull, concernsWholeCrawl, memoryOf, ownSite } from './crawl-context.ts';

/** What an attempt came to: an ending, a later attempt, or an end of the whole crawl in words. */
export type FetchResult =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'later'; readonly afterMs: number; readonly wholeHost: boolean }
  | { readonly kind: 'moved'; readonly url: string };

const ended = (outcome: Ending['outcome'], why: Pick<Ending, 'reason' | 'detail'> = {}): FetchResult => ({
  kind: 'ended',
  ending: { outcome, textHash: null, ...why },
});

const second = 1000;

/** Waits before the second, third and fourth request for a page that could not be read. */
const backoffMs = [5 * second, 30 * second, 120 * second] as const;
const maxRetryMs = hourMs;

/** @param why What is reported of the address if this was the last attempt. */
const retryLater = (
  entry: FrontierEntry,
  askedMs: number,
  wholeHost: boolean,
  why: Pick<Ending, 'reason' | 'detail'>,
): FetchResult => {
  const base = backoffMs[entry.attempts];
  if (base === undefined) return ended('failed', why);
  return { kind: 'later', afterMs: Math.min(maxRetryMs, Math.max(base, askedMs)), wholeHost };
};

/** Where a page was moved to: read as an address of its own, unless it is but another spelling of this one. */
const followRedirect = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  { status, location, setCookies }: PageResponse,
): Promise<FetchResult> => {
  const target = location === null ? null : toPageAddress(location, entry.url);
  if (target === null) return ended('refused', { detail: String(status) });
  // A page that sets a cookie and leads to itself looks whether it comes back.
  const isAsBefore = target.url === entry.url && setCookies.length === 0;
  if (entry.redirects >= maxRedirects || isAsBefore)
    return { kind: 'ended', ending: await endRedirectLoop(crawl, entry, target) };
  if (target.hash === entry.hash) return { kind: 'moved', url: target.url };
  return { kind: 'ended', ending: await followTarget(crawl, entry, target) };
};

const handleResponse = async (crawl: SiteCrawl, entry: FrontierEntry, answer: PageResponse): Promise<FetchResult> => {
  const { status, retryAfter } = answer;
  const why = { reason: 'http_status', detail: String(status) } as const;
  if (status === 429 || status === 503)
    return retryLater(entry, (retryAfterSeconds(retryAfter, crawl.run.clock.now()) ?? 0) * 1000, true, why);
  if (isTransientStatus(status)) return retryLater(entry, 0, false, why);
  const plain = singleSlashed(entry.url);
  // It has a slash too many; the last hop is left for a site that leads back, whose refusal then counts.
  if (status >= 400 && plain !== entry.url && entry.redirects + 1 < maxRedirects) return { kind: 'moved', url: plain };
  if (status === 404 || status === 410) return ended('gone', why);
  if (isFull(crawl)) return ended((await hasNoindex(crawl, entry, answer)) ? 'noindex' : 'unasked');
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  // Where the site has moved, what stays behind is no page of it, and nothing that has gone either.
  if (!isRedirect && siteOf(entry.url) !== crawl.state.site) return ended('refused', { reason: 'out_of_scope' });
  if (status === 304 && forbidsIndex(answer.robotsTag)) return ended('noindex');
  if (status === 304) return { kind: 'ended', ending: await storeUnchanged(crawl, entry) };
  if (isRedirect) return followRedirect(crawl, entry, answer);
  if (status < 200 || status >= 300) return ended('refused', why);
  return {
    kind: 'ended',
    ending: await (entry.kind === 'sitemap' ? listSitemap : readResponse)(crawl, entry, answer),
  };
};

const fetchOnce = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<FetchResult> => {
  const { deps, lease } = crawl;
  const robots = await loadRobotsPolicy(crawl, entry.url);
  if ('waitMs' in robots)
    return retryLater(entry, robots.waitMs, robots.waitMs > 0, {
      reason: 'robots_txt',
      detail: 'robots.txt could not be read',
    });
  // Most sites take doubled slashes for one, whose rules then mean both.
  const isAllowed = [entry.url, singleSlashed(entry.url)].every((url) => robots.isAllowed(url));
  if (entry.kind === 'page' && !isAllowed) return ended('disallowed');
  const remembered =
    entry.kind === 'page' ? await deps.store.remembered(memoryOf(lease.address, ownSite(entry)), entry.hash) : null;
  const answer = await deps.web.fetch({
    url: entry.url,
    etag: remembered?.etag ?? null,
    lastModified: remembered?.lastModified ?? null,
    cookie: crawl.cookies.headerFor(entry.url),
    limitBytes: isFull(crawl) ? maxWebPageBytes : entry.kind === 'sitemap' ? maxSitemapBytes : maxBytesOf,
    keepsBeginning: entry.kind === 'sitemap',
  });
  if (!('failure' in answer)) {
    const isChanged = crawl.cookies.take(entry.url, answer.setCookies);
    if (isChanged) await deps.store.saveCookies(lease.address.crawlId, crawl.cookies.all());
    return handleResponse(crawl, entry, answer);
  }
  const { failure } = answer;
  return failure === 'address_not_allowed' ? ended('not_public') : retryLater(entry, 0, false, { detail: failure });
};

/** The attempt of a run that died during it; the next one begins at once, before pages that it has led to. */
export const crashedAttempt = (entry: FrontierEntry): FetchResult => {
  const result = retryLater(entry, 0, false, { reason: 'unreadable' });
  return result.kind === 'later' ? { ...result, afterMs: 0 } : result;
};

/**
 * Fetches one address, whose host's turn has been taken, and does what its answer asks for. A page whose
 * content cannot be handled is tried again as if it had given no answer, so that it stops no crawl. One that exceeds the
 * bounds of its parser would do so again.
 */
export const fetchPage = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<FetchResult> => {
  try {
    return await fetchOnce(crawl, entry);
  } catch (error) {
    if (concernsWholeCrawl(error)) throw error;
    if (error instanceof UnreadableContent) return ended('unreadable');
    const about = crawlMessageOf(crawl.lease.address);
    crawl.run.log.error('a page could not be handled', { ...about, url: entry.url, error });
    return retryLater(entry, 0, false, { reason: 'unreadable' });
  }
};

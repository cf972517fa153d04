import type { Ending, FrontierEntry, RememberedPage } from '../../../../shared/crawls/index.ts';
import { crawlMessageOf, singleSlashed, siteOf, toPageAddress } from '../../../../shared/crawls/index.ts';
import { dayMs, hourMs } from '../../../../shared/kernel/durations.ts';
import { isTransientStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import { forbidsIndex } from '../../../../shared/platform/crawl/robots-directives.ts';
import { UnreadableContent } from '../../../../shared/platform/crawl/site-reader.ts';
import { endRedirectLoop, followTarget, maxRedirects } from './redirects.ts';
import { loadRobotsPolicy } from './robots-policy.ts';
import { hasNoindex, maxBytesOf, readResponse, storeUnchanged, maxWebPageBytes } from './read-response.ts';
import { listSitemap, maxSitemapBytes } from './read-sitemap.ts';
import {
  type SiteCrawl,
  isFull,
  isIncluded,
  concernsWholeCrawl,
  memoryOf,
  ownSite,
  requestTo,
} from './crawl-context.ts';

/** Result of an attempt: an ending, a later retry, or the same page at another address. */
export type FetchResult =
  /** `isRequested`: false if the site was not asked, so that the next page follows without a pause. */
  | { readonly kind: 'ended'; readonly ending: Ending; readonly isRequested?: false }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly wholeHost: boolean }
  | { readonly kind: 'moved'; readonly url: string };

const ended = (outcome: Ending['outcome'], why: Pick<Ending, 'reason' | 'detail'> = {}): FetchResult => ({
  kind: 'ended',
  ending: { outcome, textHash: null, ...why },
});

const second = 1000;

/** Pauses before the second, third and fourth attempt. */
const backoffMs = [5 * second, 30 * second, 120 * second] as const;
const maxRetryMs = hourMs;

/** @param why Reason that is reported if this was the last attempt. */
const retryLater = (
  entry: FrontierEntry,
  askedMs: number,
  wholeHost: boolean,
  why: Pick<Ending, 'reason' | 'detail'>,
): FetchResult => {
  const base = backoffMs[entry.attempts];
  if (base === undefined) return ended('failed', why);
  return { kind: 'retry', afterMs: Math.min(maxRetryMs, Math.max(base, askedMs)), wholeHost };
};

/** Follows a redirect. A target that is another spelling of the same address is fetched in its place. */
const followRedirect = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  { status, location, setCookies }: PageResponse,
): Promise<FetchResult> => {
  const target = location === null ? null : toPageAddress(location, entry.url);
  if (target === null) return ended('refused', { detail: String(status) });
  // A page that sets a cookie and redirects to itself checks whether the cookie is sent.
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
  // The address has doubled slashes. The last redirect is left for a site that redirects back, whose refusal then
  // counts.
  if (status >= 400 && plain !== entry.url && entry.redirects + 1 < maxRedirects) return { kind: 'moved', url: plain };
  if (status === 404 || status === 410) return ended('gone', why);
  if (isFull(crawl)) return ended((await hasNoindex(crawl, entry, answer)) ? 'noindex' : 'unasked');
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  // If the site has moved, a page on the old host neither belongs to it nor is gone.
  if (!isRedirect && siteOf(entry.url) !== crawl.state.site) return ended('refused', { reason: 'out_of_scope' });
  if (status === 304 && forbidsIndex(answer.robotsTag)) return ended('noindex');
  if (status === 304) return { kind: 'ended', ending: await storeUnchanged(crawl, entry, { isRequested: true }) };
  if (isRedirect) return followRedirect(crawl, entry, answer);
  if (status < 200 || status >= 300) return ended('refused', why);
  return {
    kind: 'ended',
    ending: await (entry.kind === 'sitemap' ? listSitemap : readResponse)(crawl, entry, answer),
  };
};

/** Time after which a page is requested although its sitemap says that it has not changed. */
const maxTrustMs = 7 * dayMs;

/** Whether the sitemap says that a page has not changed since it was last requested. */
const isUnchangedBySitemap = (
  crawl: SiteCrawl,
  { modifiedAt }: FrontierEntry,
  { checkedAt = null }: RememberedPage,
): boolean => {
  if (modifiedAt === undefined || checkedAt === null || isFull(crawl)) return false;
  const ageMs = crawl.run.clock.now().getTime() - Date.parse(checkedAt);
  return modifiedAt < checkedAt && ageMs < maxTrustMs;
};

const fetchOnce = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<FetchResult> => {
  // Such as the target of a redirect. Pages of crawls with other paths stay in the index.
  if (entry.kind === 'page' && entry.depth > 0 && !isIncluded(crawl, entry.url)) return ended('excluded');
  const { deps, lease } = crawl;
  const robots = await loadRobotsPolicy(crawl, entry.url);
  if ('waitMs' in robots)
    return retryLater(entry, robots.waitMs, robots.waitMs > 0, {
      reason: 'robots_txt',
      detail: 'robots.txt could not be read',
    });
  // Most sites treat doubled slashes as one, so both spellings must be allowed.
  const isAllowed = [entry.url, singleSlashed(entry.url)].every((url) => robots.isAllowed(url));
  if (entry.kind === 'page' && !isAllowed) return ended('disallowed');
  const remembered =
    entry.kind === 'page' ? await deps.store.remembered(memoryOf(lease.address, ownSite(entry)), entry.hash) : null;
  if (remembered !== null && isUnchangedBySitemap(crawl, entry, remembered)) {
    const ending = await storeUnchanged(crawl, entry, { isRequested: false });
    return { kind: 'ended', ending, isRequested: false };
  }
  const answer = await deps.web.fetch({
    ...requestTo(crawl, entry.url),
    etag: remembered?.etag ?? null,
    lastModified: remembered?.lastModified ?? null,
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

/** Result of an attempt whose run crashed. The next attempt follows at once, before pages that this one found. */
export const crashedAttempt = (entry: FrontierEntry): FetchResult => {
  const result = retryLater(entry, 0, false, { reason: 'unreadable' });
  return result.kind === 'retry' ? { ...result, afterMs: 0 } : result;
};

/**
 * Fetches one address, whose host slot the crawl has, and processes the response.
 * A page whose content cannot be processed is retried like one that did not respond, so that it does not stop the
 * crawl.
 * A page that exceeds the limits of its parser is not retried, since it would fail again.
 */
export const fetchPage = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<FetchResult> => {
  try {
    return await fetchOnce(crawl, entry);
  } catch (error) {
    if (concernsWholeCrawl(error)) throw error;
    if (error instanceof UnreadableContent) return ended('unreadable');
    const about = crawlMessageOf(crawl.lease.address);
    crawl.run.log.error('crawl.page.failed', { ...about, url: entry.url, error });
    return retryLater(entry, 0, false, { reason: 'unreadable' });
  }
};

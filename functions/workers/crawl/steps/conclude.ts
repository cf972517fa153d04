import type { Outcome } from '../../../../shared/crawls/index.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import { type SiteCrawl, endWithReport, isFull, type BatchEnd } from './crawl-context.ts';

/** Reasons for a failed crawl without any page, by the outcome of its first page. */
const reasons: Partial<Record<Outcome, string>> = {
  gone: 'The first page does not exist',
  disallowed: "The site's robots.txt does not allow the first page to be read",
  noindex: 'The first page asks not to be indexed',
  offsite: 'The first page redirects to another site',
  redirected: 'The first page redirects without end',
  excluded: 'No page has a path that the crawl reads',
  not_public: 'The first page is not on the public internet',
  refused: 'The site refused the first page',
  unsupported: 'The first page is neither a web page nor a PDF or text file',
  too_large: 'The first page is too large',
  empty: 'The first page has no text',
  duplicate: 'The first page names another page as its original, which could not be read',
  unreadable: 'The first page could not be parsed: it takes too much time or memory',
  failed: 'The site did not respond after several attempts',
};

/** Outcomes of the first page that end a crawl at once, because they say nothing about the rest of the site. */
const hopeless: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'refused', 'disallowed', 'not_public']);

/** Whether the first page could not be read and no other page has been found. */
export const isFirstPageUnreadable = ({ state, frontier }: SiteCrawl): boolean => {
  const outcome = frontier.firstOutcome();
  return state.pagesFound === 0 && outcome !== null && hopeless.has(outcome);
};

/**
 * Maximum duration of a crawl. It is shorter than the 14 days for which addresses are stored.
 * A site with a crawl delay of one minute gets 14,400 requests in that time.
 */
const maxCrawlMs = 10 * dayMs;

export const isPastDeadline = ({ state, run }: SiteCrawl): boolean =>
  run.clock.now().getTime() - Date.parse(state.createdAt) > maxCrawlMs;

const addresses = (count: number): string => `${count} ${count === 1 ? 'address' : 'addresses'}`;

/** Returns what a crawl left out, for its `error`; null if it left out nothing. */
const omissionsOf = (crawl: SiteCrawl): string | null => {
  const { frontier } = crawl;
  const unanswered = frontier.unanswered();
  const failing = frontier.failing();
  const unreadable = frontier.unreadable();
  const waiting = isPastDeadline(crawl) ? frontier.waiting(isFull(crawl)) : 0;
  const patterns = isFull(crawl) ? 0 : frontier.exhaustedPatterns();
  const parts = [
    ...(waiting === 0 ? [] : [`${addresses(waiting)} still waited after ten days`]),
    ...(unanswered === 0 ? [] : [`${addresses(unanswered)} did not respond`]),
    ...(failing === 0 ? [] : [`${addresses(failing)} responded with an error`]),
    ...(unreadable === 0 ? [] : [`${addresses(unreadable)} could not be parsed`]),
    ...(patterns === 0 ? [] : [`${patterns} ${patterns === 1 ? 'pattern' : 'patterns'} of addresses had no end`]),
    ...(isFull(crawl) || !frontier.isFull()
      ? []
      : ['the crawl found more addresses than its page limit lets it store']),
  ];
  return parts.length === 0 ? null : parts.join('; ');
};

/** Ends a crawl that has no more pages to read. */
export const conclude = (crawl: SiteCrawl): Promise<BatchEnd> => {
  const { state, frontier } = crawl;
  if (state.pagesFound > 0) return endWithReport(crawl, 'completed', omissionsOf(crawl));
  const outcome = frontier.firstOutcome();
  const reason = (outcome === null ? undefined : reasons[outcome]) ?? 'The first page could not be read';
  return endWithReport(crawl, 'failed', reason);
};

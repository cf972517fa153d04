import type { Outcome } from '../../../../shared/crawls/index.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import { type SiteCrawl, endWithReport, isFull, type BatchEnd } from './crawl-context.ts';

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
  unreadable: 'The first page could not be parsed: it takes too much time or memory',
  failed: 'The site did not answer, however often it was asked',
};

/** What ends a crawl before it has begun, because nothing can be said of the rest of the site. */
const hopeless: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'refused', 'disallowed', 'not_public']);

/** Whether nothing can be said of the rest of the site: its first page was not read, and nothing has been since. */
export const isFirstPageUnreadable = ({ state, frontier }: SiteCrawl): boolean => {
  const outcome = frontier.firstOutcome();
  return state.pagesFound === 0 && outcome !== null && hopeless.has(outcome);
};

/** Less than addresses are remembered; a site that asks for a minute between requests has 14,400 of them in that time. */
const maxCrawlMs = 10 * dayMs;

export const isPastDeadline = ({ state, run }: SiteCrawl): boolean =>
  run.clock.now().getTime() - Date.parse(state.createdAt) > maxCrawlMs;

const addresses = (count: number): string => `${count} ${count === 1 ? 'address' : 'addresses'}`;

/** What a crawl has left out and nobody could know of; null where that is nothing. */
const omissionsOf = (crawl: SiteCrawl): string | null => {
  const { frontier } = crawl;
  const unanswered = frontier.unanswered();
  const unreadable = frontier.unreadable();
  const waiting = isPastDeadline(crawl) ? frontier.waiting(isFull(crawl)) : 0;
  const kinds = isFull(crawl) ? 0 : frontier.exhaustedPatterns();
  const parts = [
    ...(waiting === 0 ? [] : [`its ten days were over while ${addresses(waiting)} waited`]),
    ...(unanswered === 0 ? [] : [`${addresses(unanswered)} gave no answer`]),
    ...(unreadable === 0 ? [] : [`${addresses(unreadable)} could not be parsed`]),
    ...(kinds === 0 ? [] : [`${kinds} ${kinds === 1 ? 'kind' : 'kinds'} of addresses led on without an end`]),
    ...(isFull(crawl) || !frontier.isFull() ? [] : ['more addresses were found than a crawl of this limit remembers']),
  ];
  return parts.length === 0 ? null : parts.join('; ');
};

/** Ends a crawl that has nothing more to read. */
export const conclude = (crawl: SiteCrawl): Promise<BatchEnd> => {
  const { state, frontier } = crawl;
  if (state.pagesFound > 0) return endWithReport(crawl, 'completed', omissionsOf(crawl));
  const outcome = frontier.firstOutcome();
  const reason = (outcome === null ? undefined : reasons[outcome]) ?? 'The first page could not be read';
  return endWithReport(crawl, 'failed', reason);
};

import { headersTo } from '../../../../shared/crawls/index.ts';
import { isTransientStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import { type Robots, maxRobotsBytes } from '../../../../shared/platform/crawl/robots-txt.ts';
import type { SiteCrawl } from './crawl-context.ts';

const maxRedirects = 5;

/** Maximum time for a robots.txt including redirects, in milliseconds. */
const maxMs = 15_000;

/** robots.txt that is unavailable for now. `waitMs`: the wait that the site requested, 0 for none. */
interface RobotsUnavailable {
  readonly waitMs: number;
}

/** Returns the text of a robots.txt. A line that the size limit cut is dropped. */
const textOf = ({ body, tooLarge }: PageResponse): string => {
  const text = new TextDecoder().decode(body ?? undefined);
  return tooLarge ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
};

/** Fetches robots.txt and follows its redirects. Returns an empty text if the site has none. */
const fetchRobots = async (
  { deps, run, headers, state }: SiteCrawl,
  origin: string,
): Promise<string | RobotsUnavailable> => {
  const startedMs = performance.now();
  let url = `${origin}/robots.txt`;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const leftMs = Math.ceil(maxMs - (performance.now() - startedMs));
    if (leftMs <= 0) return { waitMs: 0 };
    const answer: PageResponse | { readonly failure: string } = await deps.web.fetch({
      url,
      headers: headersTo(url, state, headers),
      limitBytes: () => maxRobotsBytes,
      keepsBeginning: true,
      maxMs: leftMs,
    });
    if ('failure' in answer) return answer.failure === 'address_not_allowed' ? '' : { waitMs: 0 };
    const { status, location, retryAfter } = answer;
    if (isTransientStatus(status)) return { waitMs: (retryAfterSeconds(retryAfter, run.clock.now()) ?? 0) * 1000 };
    if (status >= 200 && status < 300) return textOf(answer);
    if (status < 300 || status >= 400 || location === null || !URL.canParse(location, url)) return '';
    url = new URL(location, url).toString();
  }
  return '';
};

/**
 * Loads the robots.txt policy of a site, once for each crawl.
 * If robots.txt is temporarily unavailable, no page of the site may be fetched. A site without robots.txt allows
 * everything.
 * Source: RFC 9309, section 2.3.1.
 */
export const loadRobotsPolicy = async (crawl: SiteCrawl, url: string): Promise<Robots | RobotsUnavailable> => {
  const { deps, lease, robots } = crawl;
  const { origin } = new URL(url);
  const known = robots.get(origin);
  if (known !== undefined) return known;
  const kept = await deps.store.robots(lease.address.crawlId, origin);
  const text = kept?.text ?? (await fetchRobots(crawl, origin));
  if (typeof text !== 'string') return text;
  const robotsUrl = `${origin}/robots.txt`;
  if (kept === null) await deps.store.saveRobots(lease.address.crawlId, origin, { url: robotsUrl, text });
  const read = await deps.reader.robots(robotsUrl, text);
  robots.set(origin, read);
  return read;
};

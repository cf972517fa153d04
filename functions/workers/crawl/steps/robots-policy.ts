import { isTransientStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import { type Robots, maxRobotsBytes } from '../../../../shared/platform/crawl/robots-txt.ts';
import type { SiteCrawl } from './crawl-context.ts';

const maxRedirects = 5;

/** For a robots.txt with all its redirects; a visit has no more for it beside the page. */
const maxMs = 15_000;

/** The site could not say for now; `waitMs`: how long it asked to be left alone, 0 where it did not. */
interface RobotsUnavailable {
  readonly waitMs: number;
}

/** As much of an answer as is read; a rule that was cut off is none. */
const textOf = ({ body, tooLarge }: PageResponse): string => {
  const text = new TextDecoder().decode(body ?? undefined);
  return tooLarge ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
};

/** Reads a robots.txt where it is or was moved to. */
const fetchRobots = async ({ deps, run }: SiteCrawl, origin: string): Promise<string | RobotsUnavailable> => {
  const startedMs = performance.now();
  let url = `${origin}/robots.txt`;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const leftMs = Math.ceil(maxMs - (performance.now() - startedMs));
    if (leftMs <= 0) return { waitMs: 0 };
    const answer: PageResponse | { readonly failure: string } = await deps.web.fetch({
      url,
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
 * What a site asks of crawlers; read once for each crawl. Where it could not be read for a passing reason, nothing of the
 * site may be. A site that has no robots.txt allows everything. Source: RFC 9309, section 2.3.1.
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

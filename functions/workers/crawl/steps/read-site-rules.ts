import { isPassingStatus } from '../../../../shared/kernel/http-status.ts';
import { retryAfterSeconds } from '../../../../shared/kernel/retry-after.ts';
import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import { type Robots, robotsBytes } from '../../../../shared/platform/crawl/robots.ts';
import type { Crawling } from './working.ts';

const mostHops = 5;

/** For a robots.txt with all its redirects; a visit has no more for it beside the page. */
const longestMs = 15_000;

/** The site could not say for now; `waitMs`: how long it asked to be left alone, 0 where it did not. */
interface Unsaid {
  readonly waitMs: number;
}

/** As much of an answer as is read; a rule that was cut off is none. */
const textOf = ({ body, tooLarge }: PageAnswer): string => {
  const text = new TextDecoder().decode(body ?? undefined);
  return tooLarge ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1) : text;
};

/** Reads a robots.txt where it is or was moved to. */
const fetchRobots = async ({ deps, run }: Crawling, origin: string): Promise<string | Unsaid> => {
  const startedMs = performance.now();
  let url = `${origin}/robots.txt`;
  for (let hops = 0; hops <= mostHops; hops += 1) {
    const leftMs = Math.ceil(longestMs - (performance.now() - startedMs));
    if (leftMs <= 0) return { waitMs: 0 };
    const answer: PageAnswer | { readonly failure: string } = await deps.web.fetch({
      url,
      limitBytes: () => robotsBytes,
      keepsBeginning: true,
      longestMs: leftMs,
    });
    if ('failure' in answer) return answer.failure === 'address_not_allowed' ? '' : { waitMs: 0 };
    const { status, location, retryAfter } = answer;
    if (isPassingStatus(status)) return { waitMs: (retryAfterSeconds(retryAfter, run.clock.now()) ?? 0) * 1000 };
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
export const robotsOf = async (crawling: Crawling, url: string): Promise<Robots | Unsaid> => {
  const { deps, hold, robots } = crawling;
  const { origin } = new URL(url);
  const known = robots.get(origin);
  if (known !== undefined) return known;
  const kept = await deps.work.robots(hold.address.crawlId, origin);
  const text = kept?.text ?? (await fetchRobots(crawling, origin));
  if (typeof text !== 'string') return text;
  const robotsUrl = `${origin}/robots.txt`;
  if (kept === null) await deps.work.keepRobots(hold.address.crawlId, origin, { url: robotsUrl, text });
  const read = await deps.reader.robots(robotsUrl, text);
  robots.set(origin, read);
  return read;
};

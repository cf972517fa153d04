import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import { readRobots, type Robots, robotsBytes } from '../../../../shared/platform/crawl/robots.ts';
import type { Crawling } from './working.ts';

const mostHops = 5;

/** Reads a robots.txt where it is or was moved to. Null where the site could not say, and must be asked again. */
const fetchRobots = async ({ deps }: Crawling, origin: string): Promise<string | null> => {
  let url = `${origin}/robots.txt`;
  for (let hops = 0; hops <= mostHops; hops += 1) {
    const answer: PageAnswer | { readonly failure: string } = await deps.web.fetch({
      url,
      limitBytes: () => robotsBytes,
    });
    if ('failure' in answer) return answer.failure === 'address_not_allowed' ? '' : null;
    const { status, location, body, tooLarge } = answer;
    if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url))
      url = new URL(location, url).toString();
    // What is too long to be read says no more than a file full of rules that do not fit; it is not obeyed blindly.
    else if (tooLarge) return '';
    else if (status >= 500 || status === 429) return null;
    else return status >= 200 && status < 300 ? new TextDecoder().decode(body ?? undefined) : '';
  }
  return '';
};

/**
 * What a site asks of crawlers; read once for each crawl. Null where it could not be read for a passing reason: then
 * nothing of the site may be. A site that has no robots.txt allows everything. Source: RFC 9309, section 2.3.1.
 */
export const robotsOf = async (crawling: Crawling, url: string): Promise<Robots | null> => {
  const { deps, hold, robots } = crawling;
  const { origin } = new URL(url);
  const known = robots.get(origin);
  if (known !== undefined) return known;
  const kept = await deps.work.robots(hold.address.crawlId, origin);
  const text = kept?.text ?? (await fetchRobots(crawling, origin));
  if (text === null) return null;
  const robotsUrl = `${origin}/robots.txt`;
  if (kept === null) await deps.work.keepRobots(hold.address.crawlId, origin, { url: robotsUrl, text });
  const read = readRobots(robotsUrl, text);
  robots.set(origin, read);
  return read;
};

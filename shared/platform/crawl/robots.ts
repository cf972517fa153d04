import robotsModule from 'robots-parser';
import { crawlerToken } from './port.ts';

// The package is CommonJS: its types name a default export, its function is the module itself.
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

/** What a site asks of crawlers. */
export interface Robots {
  isAllowed(url: string): boolean;
  /** Seconds between two requests; null where nothing is said. */
  readonly crawlDelaySeconds: number | null;
  /** As they are listed; not checked. */
  readonly sitemaps: readonly string[];
}

/** Most of a robots.txt that is read, in characters; RFC 9309 asks for 500 KiB at least. */
export const robotsBytes = 512 * 1024;

/**
 * Reads a robots.txt for this crawler: its own group or `*`, the longest matching rule, `*` and `$`, `Crawl-delay` and
 * `Sitemap`. Source: RFC 9309.
 * @param robotsUrl Where it was found: it speaks for that origin alone.
 */
export const readRobots = (robotsUrl: string, text: string): Robots => {
  const parsed = robotsParser(robotsUrl, text.replace(/^\uFEFF/, ''));
  const delay = parsed.getCrawlDelay(crawlerToken);
  return {
    isAllowed: (url) => parsed.isAllowed(url, crawlerToken) ?? true,
    crawlDelaySeconds: delay === undefined || !Number.isFinite(delay) || delay < 0 ? null : delay,
    sitemaps: parsed.getSitemaps(),
  };
};

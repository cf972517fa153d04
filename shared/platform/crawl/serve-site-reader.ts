import { serveGuarded } from '../serve-guarded.ts';
import { readPage } from './read-page.ts';
import { readSitemap } from './read-sitemap.ts';
import { parseRobots } from './robots-txt.ts';
import type { SiteAnswer, SiteRequest } from './site-reader.ts';

const read = (request: SiteRequest, bytes: Uint8Array): unknown => {
  switch (request.task) {
    case 'page':
      return readPage({ ...request.page, bytes });
    case 'sitemap':
      return readSitemap(bytes, request.isCut);
    case 'robots':
      return parseRobots(request.robotsUrl, request.text);
  }
};

/**
 * Serves requests of the parent process until that ends.
 * @param args Unused assets directory, and the maximum memory of the process in megabytes.
 */
export const serveSiteReader = ([, maxMemoryMb = '512']: readonly string[]): void => {
  const answer = async (request: SiteRequest, bytes: Uint8Array): Promise<SiteAnswer> => {
    try {
      return { result: await read(request, bytes) };
    } catch (error) {
      return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  serveGuarded(Number(maxMemoryMb), answer);
};

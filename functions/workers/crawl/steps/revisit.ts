import { type Discovery, hashOf, siteOf, toPageAddress } from '../../../../shared/crawls/index.ts';
import { type SiteCrawl, isFull, isIncluded, memoryOf, startOf } from './crawl-context.ts';

interface Found {
  readonly url: string;
  /** Links from the first page. */
  readonly depth: number;
}

/**
 * Yields pages of earlier crawls from the same first page, on this site and on the one it moved from.
 * The starting position is derived from the crawl's id: successive crawls start at different pages, and a retry keeps
 * the order.
 */
const known = async function* ({ deps, lease, state }: SiteCrawl): AsyncIterable<Found> {
  const start = startOf(state);
  const place = hashOf(state.id);
  const turnOf = (site: string): string => hashOf(`${state.id} ${site}`);
  const sites = [...new Set([state.site, siteOf(state.url)])].toSorted((a, b) => (turnOf(a) < turnOf(b) ? -1 : 1));
  for (const site of sites) {
    for await (const { url, starts } of deps.store.allRemembered(memoryOf(lease.address, { site }), place)) {
      const depth = starts.get(start);
      if (depth !== undefined && depth <= state.maxDepth) yield { url, depth };
    }
  }
};

/**
 * Adds pages of earlier crawls to the frontier, so that pages without a link are checked too.
 * If the page limit is reached, it adds at most `pageLimit` of them, so that removed pages leave the index.
 */
export const revisit = async (crawl: SiteCrawl): Promise<void> => {
  const { state, frontier } = crawl;
  const room = isFull(crawl) ? state.pageLimit : Number.POSITIVE_INFINITY;
  const found: Discovery[] = [];
  for await (const { url, depth } of known(crawl)) {
    if (found.length >= room) break;
    const address = toPageAddress(url);
    if (address === null || !isIncluded(crawl, address.url) || (frontier.get(address.hash)?.outcome ?? null) !== null)
      continue;
    found.push({ address, kind: 'page', depth });
  }
  await frontier.addRemembered(found);
};

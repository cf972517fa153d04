import { type Discovery, hashOf, siteOf, toPageAddress } from '../../../../shared/crawls/index.ts';
import { type SiteCrawl, isFull, memoryOf, startOf } from './crawl-context.ts';

interface Found {
  readonly url: string;
  /** Links from the first page. */
  readonly depth: number;
}

/**
 * The pages that earlier crawls from the same first page have found, on its site and where that has moved to. Where to
 * begin is drawn from the crawl's id, so that each of them has its turn, and a repeat takes them in the same order.
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
 * Adds the pages that earlier crawls have found: what has vanished is not linked any more. Where the limit is reached,
 * as many of them as it allows are looked at nevertheless, so that what is gone does not stay.
 */
export const revisit = async (crawl: SiteCrawl): Promise<void> => {
  const { state, frontier } = crawl;
  const room = isFull(crawl) ? state.pageLimit : Number.POSITIVE_INFINITY;
  const found: Discovery[] = [];
  for await (const { url, depth } of known(crawl)) {
    if (found.length >= room) break;
    const address = toPageAddress(url);
    if (address === null || (frontier.get(address.hash)?.outcome ?? null) !== null) continue;
    found.push({ address, kind: 'page', depth });
  }
  await frontier.addRemembered(found);
};

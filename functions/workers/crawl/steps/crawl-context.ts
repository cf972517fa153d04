import { isDeepStrictEqual } from 'node:util';
import {
  type CrawlAddress,
  type CrawlHeaders,
  type CrawlState,
  type Frontier,
  type FrontierEntry,
  hashOf,
  headersTo,
  type CrawlLease,
  LeaseLost,
  openFrontier,
  siteOf,
  siteSourceId,
  type SkipCounts,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { Source } from '../../../../shared/documents/index.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { timeOf } from '../../../../shared/kernel/ids.ts';
import { isSelected } from '../../../../shared/kernel/wildcard.ts';
import type { Plan } from '../../../../shared/kernel/plans.ts';
import { isTransientSdkError } from '../../../../shared/kernel/sdk-error.ts';
import type { RunContext } from '../../../../shared/pipeline/worker.ts';
import { type CookieJar, openCookieJar } from '../../../../shared/platform/crawl/cookie-jar.ts';
import type { PageRequest } from '../../../../shared/platform/crawl/port.ts';
import type { Robots } from '../../../../shared/platform/crawl/robots-txt.ts';
import type { crawlUses } from '../uses.ts';

/** Context of one batch: its dependencies and the lease of the crawl. */
export interface CrawlContext extends RunContext<typeof crawlUses> {
  readonly lease: CrawlLease;
  readonly plan: Plan;
}

/** A crawl of this deployment's own crawler: its current state and its frontier. */
export interface SiteCrawl extends CrawlContext {
  state: CrawlState;
  readonly frontier: Frontier;
  /** By origin. */
  readonly robots: Map<string, Robots>;
  readonly cookies: CookieJar;
  readonly headers: CrawlHeaders;
}

/** Loads the frontier and cookies of a crawl. */
export const openSiteCrawl = async (
  context: CrawlContext,
  state: CrawlState,
  headers: CrawlHeaders,
): Promise<SiteCrawl> => {
  const frontier = await openFrontier(context.deps.store, context.lease, state.pageLimit);
  const { last } = state;
  const counted = last === null ? null : frontier.get(last.hash);
  // A run crashed after it counted a page and before it stored the ending.
  if (last !== null && counted?.outcome === null) await frontier.finish(counted, last);
  const { deps, lease, run } = context;
  const stored = await deps.store.cookies(lease.address.crawlId);
  const cookies = openCookieJar(stored, () => run.clock.now().getTime());
  return { ...context, state, frontier, robots: new Map(), cookies, headers };
};

/** Result of a batch: the crawl is over, another run has the lease, or another batch follows after a delay. */
export type BatchEnd = { readonly kind: 'over' | 'lost' } | { readonly kind: 'again'; readonly afterMs: number };

export const over: BatchEnd = { kind: 'over' };
export const lost: BatchEnd = { kind: 'lost' };
export const again = (afterMs: number): BatchEnd => ({ kind: 'again', afterMs });

/** Stores the skip counts if they have changed. */
export const reportSkipped = async ({ deps, lease, frontier, state }: SiteCrawl): Promise<void> => {
  const skipped = frontier.skipped(null);
  if (!isDeepStrictEqual(skipped, state.skipped)) await deps.store.update(lease, { skipped });
};

/** Caches the frontier for the next batch, if there is one. */
export const cacheFrontier = ({ deps, lease, frontier }: SiteCrawl, end: BatchEnd): BatchEnd => {
  const known = end.kind === 'again' ? frontier.all() : null;
  if (known !== null) deps.store.cacheEntries(lease, known);
  return end;
};

/** Returns the source of a site's documents. All crawls of an index share it, so that each page is stored once. */
export const sourceOf = ({ lease, plan }: CrawlContext, { site }: Pick<CrawlState, 'site'>): Source => ({
  organizationId: lease.address.organizationId,
  indexId: lease.address.indexId,
  sourceId: siteSourceId(site),
  kind: 'crawl',
  plan,
});

export const memoryOf = ({ organizationId, indexId }: CrawlAddress, { site }: Pick<CrawlState, 'site'>) => ({
  organizationId,
  indexId,
  site,
});

/** Returns the hash of a crawl's first page, also if its address is too long for this deployment's own crawler. */
export const startOf = ({ url }: Pick<CrawlState, 'url'>): string => toPageAddress(url)?.hash ?? hashOf(url);

/** Returns the site of an address: that of the crawl, or the one from which the first page moved. */
export const ownSite = ({ url }: FrontierEntry): Pick<CrawlState, 'site'> => ({ site: siteOf(url) });

/** Returns the cookies and headers of the user for an address. */
export const requestTo = (
  { cookies, headers, state }: SiteCrawl,
  url: string,
): Pick<PageRequest, 'url' | 'cookie' | 'headers'> => ({
  url,
  cookie: cookies.headerFor(url),
  headers: headersTo(url, state, headers),
});

/** Whether a page has a path that the crawl reads. */
export const isIncluded = ({ state }: SiteCrawl, url: string): boolean =>
  isSelected(state.paths, new URL(url).pathname);

/** Whether the page limit is reached. Then only pages of earlier crawls are checked. */
export const isFull = ({ state }: SiteCrawl): boolean => state.pagesFound >= state.pageLimit;

/** Returns the generation of the documents: the creation time of the crawl. */
export const generationOf = ({ id }: CrawlState): number => timeOf(id).getTime();

/** Whether an error concerns the crawl, the index, the plan or a service, and not a single page. */
export const concernsWholeCrawl = (error: unknown): boolean =>
  error instanceof LeaseLost || error instanceof AppError || isTransientSdkError(error);

/** Ends the crawl unless it has ended already. */
export const endCrawl = async (
  { deps, lease }: CrawlContext,
  status: 'completed' | 'failed' | 'cancelled',
  error: string | null = null,
  skipped?: SkipCounts,
): Promise<BatchEnd> => {
  await deps.store.end(lease, { status, error, ...(skipped === undefined ? {} : { skipped }) });
  return over;
};

/** Ends a crawl and stores its skip counts, which include unread addresses if it completed. */
export const endWithReport = (
  crawl: SiteCrawl,
  status: 'completed' | 'failed',
  error: string | null = null,
): Promise<BatchEnd> => {
  const unread = isFull(crawl) ? 'page_limit' : 'unread';
  return endCrawl(crawl, status, error, crawl.frontier.skipped(status === 'completed' ? unread : null));
};

import { isDeepStrictEqual } from 'node:util';
import {
  type CrawlAddress,
  type CrawlState,
  type Frontier,
  type FrontierEntry,
  hashOf,
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
import type { Plan } from '../../../../shared/kernel/plans.ts';
import { isTransientSdkError } from '../../../../shared/kernel/sdk-error.ts';
import type { Turn } from '../../../../shared/pipeline/worker.ts';
import { type CookieJar, openCookieJar } from '../../../../shared/platform/crawl/cookie-jar.ts';
import type { Robots } from '../../../../shared/platform/crawl/robots-txt.ts';
import type { crawlUses } from '../uses.ts';

/** One run's work on one crawl that it holds. */
export interface CrawlContext extends Turn<typeof crawlUses> {
  readonly lease: CrawlLease;
  readonly plan: Plan;
}

/** The crawler of this deployment at work: the crawl as it is now, and all that it knows of. */
export interface SiteCrawl extends CrawlContext {
  state: CrawlState;
  readonly frontier: Frontier;
  /** By origin. */
  readonly robots: Map<string, Robots>;
  readonly cookies: CookieJar;
}

/** Takes up a crawl with all that it knows of. */
export const openSiteCrawl = async (context: CrawlContext, state: CrawlState): Promise<SiteCrawl> => {
  const frontier = await openFrontier(context.deps.store, context.lease, state.pageLimit);
  const { last } = state;
  const counted = last === null ? null : frontier.get(last.hash);
  // A run died between counting a page and writing down that it is done.
  if (last !== null && counted?.outcome === null) await frontier.finish(counted, last);
  const { deps, lease, run } = context;
  const stored = await deps.store.cookies(lease.address.crawlId);
  const cookies = openCookieJar(stored, () => run.clock.now().getTime());
  return { ...context, state, frontier, robots: new Map(), cookies };
};

/** How a run's part of a crawl came out: nothing is left to do, another run has it, or there is more, after a while. */
export type BatchEnd = { readonly kind: 'over' | 'lost' } | { readonly kind: 'again'; readonly afterMs: number };

export const over: BatchEnd = { kind: 'over' };
export const lost: BatchEnd = { kind: 'lost' };
export const again = (afterMs: number): BatchEnd => ({ kind: 'again', afterMs });

/** Writes down what has been left out so far, where that has changed. */
export const reportSkipped = async ({ deps, lease, frontier, state }: SiteCrawl): Promise<void> => {
  const skipped = frontier.skipped(null);
  if (!isDeepStrictEqual(skipped, state.skipped)) await deps.store.update(lease, { skipped });
};

/** Remembers what is known for the next run, where there is one. */
export const cacheFrontier = ({ deps, lease, frontier }: SiteCrawl, end: BatchEnd): BatchEnd => {
  const known = end.kind === 'again' ? frontier.all() : null;
  if (known !== null) deps.store.cacheEntries(lease, known);
  return end;
};

/** What the documents of a site belong to: all crawls of one index share them, so that no page is there twice. */
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

/** What the first page of a crawl is known by, also where its address is too long for our own crawler. */
export const startOf = ({ url }: Pick<CrawlState, 'url'>): string => toPageAddress(url)?.hash ?? hashOf(url);

/** The site that an address is of: that of the crawl, or the one that the first page has moved away from. */
export const ownSite = ({ url }: FrontierEntry): Pick<CrawlState, 'site'> => ({ site: siteOf(url) });

/** Whether all pages that may be kept are; then those that are known from earlier are asked for their sake alone. */
export const isFull = ({ state }: SiteCrawl): boolean => state.pagesFound >= state.pageLimit;

/** Crawls of a later time count as later sweeps of their site. */
export const generationOf = ({ id }: CrawlState): number => timeOf(id).getTime();

/** Whether an error says more of a crawl, an index, a plan or a service than of the page at hand. */
export const concernsWholeCrawl = (error: unknown): boolean =>
  error instanceof LeaseLost || error instanceof AppError || isTransientSdkError(error);

/** Ends the crawl, where it has not ended meanwhile. */
export const endCrawl = async (
  { deps, lease }: CrawlContext,
  status: 'completed' | 'failed' | 'cancelled',
  error: string | null = null,
  skipped?: SkipCounts,
): Promise<BatchEnd> => {
  await deps.store.end(lease, { status, error, ...(skipped === undefined ? {} : { skipped }) });
  return over;
};

/** Ends a crawl that has come to its end, with what it has left out: on completion also what it has not read. */
export const endWithReport = (
  crawl: SiteCrawl,
  status: 'completed' | 'failed',
  error: string | null = null,
): Promise<BatchEnd> => {
  const unread = isFull(crawl) ? 'page_limit' : 'unread';
  return endCrawl(crawl, status, error, crawl.frontier.skipped(status === 'completed' ? unread : null));
};

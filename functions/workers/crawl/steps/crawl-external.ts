import { createHash } from 'node:crypto';
import {
  crawlMessageOf,
  type CrawlState,
  type Discovery,
  type Ending,
  type FrontierEntry,
  type Outcome,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import { putDocument, removeDocument } from '../../../../shared/documents/index.ts';
import { requireFileJob } from '../../../../shared/usage/index.ts';
import { ExternalRefusal, type ExternalPage } from '../../../../shared/platform/crawl/external-crawler.ts';
import { cleanTitle } from '../../../../shared/platform/crawl/page-title.ts';
import {
  again,
  type SiteCrawl,
  endCrawl,
  endWithReport,
  generationOf,
  isIncluded,
  concernsWholeCrawl,
  cacheFrontier,
  lost,
  memoryOf,
  openSiteCrawl,
  sourceOf,
  startOf,
  type BatchEnd,
  type CrawlContext,
} from './crawl-context.ts';

/** Pause between two status requests to the external crawler. */
const pollMs = 10_000;

/** Maximum duration of a crawl at the external crawler. */
const maxCrawlMs = dayMs;

const reserveMs = 30_000;

/** Derives the idempotency key of a crawl: a UUID that every retry derives again. */
const keyOf = (crawlId: string): string => {
  const hex = createHash('sha256').update(crawlId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const begin = async ({ deps, lease, plan, run }: CrawlContext, state: CrawlState): Promise<BatchEnd> => {
  const { url, pageLimit, maxDepth } = state;
  // The service charges for each page, including pages that the plan then rejects.
  await requireFileJob(deps.usage, { organizationId: lease.address.organizationId, plan }, run.clock.now());
  const id = await deps.externalCrawler.start({ key: keyOf(state.id), url, pageLimit, maxDepth });
  if ((await deps.store.update(lease, { providerJobId: id })) === null) {
    // The crawl was cancelled before its id was stored.
    await deps.externalCrawler.cancel(id);
    return lost;
  }
  return again(pollMs);
};

const filename = 'page.md';
const contentType = 'text/markdown; charset=utf-8';

/** Stores a page in the site memory, so that a later crawl from the same first page detects its removal. */
const remember = async (
  { deps, lease, state }: SiteCrawl,
  { hash, url }: FrontierEntry,
  title: string | null,
  textHash: string,
): Promise<void> => {
  const depth = state.maxDepth;
  const starts = new Map([[startOf(state), depth]]);
  const unsaid = { etag: null, lastModified: null, canonical: null, links: [] };
  const page = { ...unsaid, hash, url, depth, starts, title, textHash, filename, contentType };
  await deps.store.remember(memoryOf(lease.address, state), page);
};

/** Stores a page in the index and counts it. Returns false if another run has the lease. */
const store = async (
  crawl: SiteCrawl,
  entry: FrontierEntry,
  title: string | null,
  markdown: string,
): Promise<boolean> => {
  const { deps, lease, run, state, frontier } = crawl;
  const textHash = createHash('sha256').update(markdown).digest('hex');
  const { outcome } = await putDocument(
    deps,
    sourceOf(crawl, state),
    {
      externalId: entry.key,
      version: textHash,
      filename,
      contentType,
      body: new TextEncoder().encode(markdown),
      metadata: { ...state.metadata, url: entry.url, ...(title === null ? {} : { title }) },
      title,
      url: entry.url,
      generation: generationOf(state),
    },
    run.clock,
  );
  if (outcome === 'gone') return true;
  await remember(crawl, entry, title, textHash);
  const ending = { outcome, textHash };
  const counted = await deps.store.countPage(lease, entry.hash, ending);
  if (counted === null) return false;
  crawl.state = counted;
  await frontier.finish(entry, ending);
  return true;
};

/** Outcomes of pages that are gone, and outcomes that a later part of the result may still replace. */
const goneOutcomes: ReadonlySet<Outcome | null> = new Set<Outcome>(['gone', 'disallowed']);
const retryableOutcomes: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'gone']);

/** Returns the ending of a page that the service could not read. */
const endingOf = ({ status, isDisallowed, error }: ExternalPage): Ending => {
  if (status === 404 || status === 410) return { outcome: 'gone', textHash: null, detail: String(status) };
  if (isDisallowed) return { outcome: 'disallowed', textHash: null };
  if (status !== null && status >= 400)
    return { outcome: 'failed', textHash: null, reason: 'http_status', detail: String(status) };
  if (status !== null) return { outcome: 'failed', textHash: null, reason: 'empty' };
  return { outcome: 'failed', textHash: null, ...(error === null ? {} : { detail: error }) };
};

/**
 * Stores one page of the result, once. Returns false if another run has the lease.
 * A page whose content cannot be processed counts as unreadable, so that it does not stop the crawl.
 */
const storeExternalPage = async (crawl: SiteCrawl, page: ExternalPage): Promise<boolean> => {
  const { url, title, markdown } = page;
  const { lease, run, state, frontier } = crawl;
  const address = toPageAddress(url);
  if (address === null || siteOf(address.url) !== state.site || state.pagesFound >= state.pageLimit) return true;
  const found: Discovery = { address, kind: 'page', depth: 0 };
  await frontier.add([found]);
  const entry = frontier.get(address.hash);
  if (entry === null || (entry.outcome !== null && (markdown === null || !retryableOutcomes.has(entry.outcome))))
    return true;
  if (markdown !== null && !isIncluded(crawl, entry.url)) {
    await frontier.finish(entry, { outcome: 'excluded', textHash: null });
    return true;
  }
  try {
    if (markdown !== null) return await store(crawl, entry, cleanTitle(title ?? ''), markdown);
  } catch (error) {
    if (concernsWholeCrawl(error)) throw error;
    run.log.error('crawl.page.failed', { ...crawlMessageOf(lease.address), url: entry.url, error });
    await frontier.finish(entry, { outcome: 'failed', textHash: null, reason: 'unreadable' });
    return true;
  }
  await frontier.finish(entry, endingOf(page));
  return true;
};

/**
 * Removes pages of earlier crawls from the same first page that this crawl did not find.
 * Pages stay if a deeper crawl or another first page may have found them.
 * Returns null when all are removed.
 */
const removeGonePages = async (crawl: SiteCrawl): Promise<BatchEnd | null> => {
  const { deps, lease, run, state, frontier } = crawl;
  if (state.pagesFound >= state.pageLimit) return null;
  const start = startOf(state);
  const memory = memoryOf(lease.address, state);
  for await (const page of deps.store.allRemembered(memory)) {
    const isOurs =
      isIncluded(crawl, page.url) && page.starts.size === 1 && page.starts.has(start) && page.depth <= state.maxDepth;
    const known = frontier.get(page.hash);
    const address = isOurs && (known === null || goneOutcomes.has(known.outcome)) ? toPageAddress(page.url) : null;
    if (address === null) continue;
    if (run.remainingMs() < reserveMs) return again(0);
    if ((await deps.store.renew(lease)) === null) return lost;
    await removeDocument(deps, sourceOf(crawl, state), address.key, run.clock);
    await deps.store.forget(memory, page.hash);
  }
  return null;
};

const complete = async (crawl: SiteCrawl): Promise<BatchEnd> => {
  if (crawl.state.pagesFound === 0)
    return endWithReport(crawl, 'failed', 'The external crawler found no readable page');
  return (await removeGonePages(crawl)) ?? endWithReport(crawl, 'completed');
};

/** Stores the available pages, from the position where the last run stopped. */
const collect = async (crawl: SiteCrawl, id: string): Promise<BatchEnd> => {
  const { deps, lease, run, state } = crawl;
  const deadline = Date.parse(state.startedAt ?? state.createdAt) + maxCrawlMs;
  for (let at = state.externalNext; ;) {
    if (run.clock.now().getTime() > deadline)
      return endWithReport(crawl, 'failed', 'The external crawler did not finish within a day');
    const { status, error, pages, next } = await deps.externalCrawler.status(id, at === '' ? null : at);
    for (const page of pages) {
      if (!(await storeExternalPage(crawl, page))) return lost;
      // Pages that are stored already are skipped when they are returned again.
      if (run.remainingMs() < reserveMs) return again(0);
    }
    const isMore = next !== null && next !== at;
    const held = isMore ? await deps.store.update(lease, { externalNext: next }) : await deps.store.renew(lease);
    if (held === null) return lost;
    if (isMore) at = next;
    else if (status === 'completed') return complete(crawl);
    else if (status === 'cancelled') return endWithReport(crawl, 'failed', 'The external crawler cancelled the crawl');
    else if (status === 'failed') return endWithReport(crawl, 'failed', error ?? 'The external crawler failed');
    else return again(pollMs);
  }
};

/** Runs one batch of a crawl at the external crawler: starts it, or stores the pages that are available. */
export const crawlExternal = async (context: CrawlContext, state: CrawlState): Promise<BatchEnd> => {
  try {
    // Nothing says that the service sends headers to the site alone.
    if (state.headerNames.length > 0) return await endCrawl(context, 'failed', 'The external crawler takes no headers');
    if (state.providerJobId === null) return await begin(context, state);
    const crawl = await openSiteCrawl(context, state, {});
    return cacheFrontier(crawl, await collect(crawl, state.providerJobId));
  } catch (error) {
    if (!(error instanceof ExternalRefusal)) throw error;
    return endCrawl(context, 'failed', error.message);
  }
};

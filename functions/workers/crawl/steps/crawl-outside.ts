import { createHash } from 'node:crypto';
import {
  type CrawlState,
  type Discovery,
  openFrontier,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import { putDocument } from '../../../../shared/documents/index.ts';
import { OutsideRefusal, type OutsidePage } from '../../../../shared/platform/crawl/outside.ts';
import { again, type Crawling, endCrawl, generationOf, lost, sourceOf, type TurnEnd, type Working } from './working.ts';

/** Between two looks at a crawl that is under way elsewhere. */
const pollMs = 10_000;

/** How long an outside crawl may take before it is given up. */
const patienceMs = 24 * 3_600_000;

const turnMs = 30_000;

/** A UUID that every repeat derives again. */
const keyOf = (crawlId: string): string => {
  const hex = createHash('sha256').update(crawlId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const begin = async ({ deps, hold }: Working, state: CrawlState): Promise<TurnEnd> => {
  const { url, pageLimit, maxDepth } = state;
  const id = await deps.outside.start({ key: keyOf(state.id), url, pageLimit, maxDepth });
  if ((await deps.work.note(hold, { providerJobId: id })) === null) {
    // It was cancelled before anybody knew its id.
    await deps.outside.cancel(id);
    return lost;
  }
  return again(pollMs);
};

/** Puts a page into the index and counts it, each once; false where another run has the crawl. */
const keep = async (crawling: Crawling, page: OutsidePage): Promise<boolean> => {
  const { deps, hold, run, state, frontier } = crawling;
  const address = toPageAddress(page.url);
  if (address === null || siteOf(address.url) !== state.site || state.pagesFound >= state.pageLimit) return true;
  const found: Discovery = { address, kind: 'page', depth: 0 };
  await frontier.add([found]);
  const entry = frontier.get(address.hash);
  if (entry === null || entry.outcome !== null) return true;
  const textHash = createHash('sha256').update(page.markdown).digest('hex');
  const result = await putDocument(
    deps,
    sourceOf(crawling, state),
    {
      externalId: address.key,
      version: textHash,
      filename: 'page.md',
      contentType: 'text/markdown; charset=utf-8',
      body: new TextEncoder().encode(page.markdown),
      metadata: { url: address.url, ...(page.title === null ? {} : { title: page.title }) },
      title: page.title,
      url: address.url,
      generation: generationOf(state),
    },
    run.clock,
  );
  if (result === 'gone') return true;
  const ending = { outcome: result, textHash };
  const counted = await deps.work.countPage(hold, entry.hash, ending);
  if (counted === null) return false;
  crawling.state = counted;
  await frontier.finish(entry, ending);
  return true;
};

const collect = async (crawling: Crawling, id: string): Promise<TurnEnd> => {
  const { deps, hold, run, state } = crawling;
  let next: string | null = null;
  for (;;) {
    const { status, error, pages, next: more } = await deps.outside.status(id, next);
    for (const page of pages) if (!(await keep(crawling, page))) return lost;
    if ((await deps.work.note(hold, {})) === null) return lost;
    if (more !== null && more !== next) {
      next = more;
      if (run.remainingMs() < turnMs) return again(0);
      continue;
    }
    if (status === 'completed' && crawling.state.pagesFound === 0)
      return endCrawl(crawling, 'failed', 'The outside crawler found no page that could be read');
    if (status === 'completed') return endCrawl(crawling, 'completed');
    if (status === 'cancelled') return endCrawl(crawling, 'failed', 'The outside crawler stopped the crawl');
    if (status === 'failed') return endCrawl(crawling, 'failed', error ?? 'The outside crawler failed');
    const waitedMs = run.clock.now().getTime() - Date.parse(state.startedAt ?? state.createdAt);
    return waitedMs > patienceMs
      ? endCrawl(crawling, 'failed', 'The outside crawler did not come to an end within a day')
      : again(pollMs);
  }
};

/** One run's part of a crawl that somebody else does: begins it, or takes in what there is by now. */
export const crawlOutside = async (working: Working, state: CrawlState): Promise<TurnEnd> => {
  const { deps, hold } = working;
  try {
    if (state.providerJobId === null) return await begin(working, state);
    const frontier = await openFrontier(deps.work, hold.address.crawlId, state.pageLimit);
    const counted = state.last === null ? null : frontier.get(state.last.hash);
    if (state.last !== null && counted?.outcome === null) await frontier.finish(counted, state.last);
    return await collect({ ...working, state, frontier, robots: new Map() }, state.providerJobId);
  } catch (error) {
    if (!(error instanceof OutsideRefusal)) throw error;
    return endCrawl(working, 'failed', error.message);
  }
};

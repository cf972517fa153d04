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
import { OutsideRefusal, type OutsidePage } from '../../../../shared/platform/crawl/outside.ts';
import { keptTitle } from '../../../../shared/platform/crawl/page-title.ts';
import {
  again,
  type Crawling,
  endCrawl,
  endWithReport,
  generationOf,
  isOfAll,
  leave,
  lost,
  memoryOf,
  open,
  sourceOf,
  startOf,
  type TurnEnd,
  type Working,
} from './working.ts';

/** Between two looks at a crawl that is under way elsewhere. */
const pollMs = 10_000;

/** How long an outside crawl may take before it is given up. */
const patienceMs = dayMs;

const turnMs = 30_000;

/** A UUID that every repeat derives again. */
const keyOf = (crawlId: string): string => {
  const hex = createHash('sha256').update(crawlId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const begin = async ({ deps, hold, plan, run }: Working, state: CrawlState): Promise<TurnEnd> => {
  const { url, pageLimit, maxDepth } = state;
  // It is paid by the page, also by those that the plan then has no room for.
  await requireFileJob(deps.usage, { organizationId: hold.address.organizationId, plan }, run.clock.now());
  const id = await deps.outside.start({ key: keyOf(state.id), url, pageLimit, maxDepth });
  if ((await deps.work.note(hold, { providerJobId: id })) === null) {
    // It was cancelled before anybody knew its id.
    await deps.outside.cancel(id);
    return lost;
  }
  return again(pollMs);
};

const filename = 'page.md';
const contentType = 'text/markdown; charset=utf-8';

/** Keeps in mind what a page was, so that a later crawl from the same first page finds out whether it has gone. */
const remember = async (
  { deps, hold, state }: Crawling,
  { hash, url }: FrontierEntry,
  title: string | null,
  textHash: string,
): Promise<void> => {
  const depth = state.maxDepth;
  const starts = new Map([[startOf(state), depth]]);
  const unsaid = { etag: null, lastModified: null, canonical: null, links: [] };
  const page = { ...unsaid, hash, url, depth, starts, title, textHash, filename, contentType };
  await deps.work.remember(memoryOf(hold.address, state), page);
};

/** Puts a page into the index and counts it; false where another run has the crawl. */
const store = async (
  crawling: Crawling,
  entry: FrontierEntry,
  title: string | null,
  markdown: string,
): Promise<boolean> => {
  const { deps, hold, run, state, frontier } = crawling;
  const textHash = createHash('sha256').update(markdown).digest('hex');
  const { outcome } = await putDocument(
    deps,
    sourceOf(crawling, state),
    {
      externalId: entry.key,
      version: textHash,
      filename,
      contentType,
      body: new TextEncoder().encode(markdown),
      metadata: { url: entry.url, ...(title === null ? {} : { title }) },
      title,
      url: entry.url,
      generation: generationOf(state),
    },
    run.clock,
  );
  if (outcome === 'gone') return true;
  await remember(crawling, entry, title, textHash);
  const ending = { outcome, textHash };
  const counted = await deps.work.countPage(hold, entry.hash, ending);
  if (counted === null) return false;
  crawling.state = counted;
  await frontier.finish(entry, ending);
  return true;
};

/** What became of pages that no crawl has any more, and of those that a later part of the result may hold after all. */
const vanished: ReadonlySet<Outcome | null> = new Set<Outcome>(['gone', 'disallowed']);
const mayComeAgain: ReadonlySet<Outcome> = new Set<Outcome>(['failed', 'gone']);

/** Ending of a page that the service could not read. */
const endingOf = ({ status, isDisallowed, error }: OutsidePage): Ending => {
  if (status === 404 || status === 410) return { outcome: 'gone', textHash: null, detail: String(status) };
  if (isDisallowed) return { outcome: 'disallowed', textHash: null };
  if (status !== null && status >= 400)
    return { outcome: 'failed', textHash: null, reason: 'http_status', detail: String(status) };
  if (status !== null) return { outcome: 'failed', textHash: null, reason: 'empty' };
  return { outcome: 'failed', textHash: null, ...(error === null ? {} : { detail: error }) };
};

/**
 * Takes in a page, each once; false where another run has the crawl. One that cannot be handled, for whatever it holds,
 * counts as one that could not be read, so that it stops no crawl.
 */
const keep = async (crawling: Crawling, page: OutsidePage): Promise<boolean> => {
  const { url, title, markdown } = page;
  const { hold, run, state, frontier } = crawling;
  const address = toPageAddress(url);
  if (address === null || siteOf(address.url) !== state.site || state.pagesFound >= state.pageLimit) return true;
  const found: Discovery = { address, kind: 'page', depth: 0 };
  await frontier.add([found]);
  const entry = frontier.get(address.hash);
  if (entry === null || (entry.outcome !== null && (markdown === null || !mayComeAgain.has(entry.outcome))))
    return true;
  try {
    if (markdown !== null) return await store(crawling, entry, keptTitle(title ?? ''), markdown);
  } catch (error) {
    if (isOfAll(error)) throw error;
    run.log.error('a page could not be handled', { ...crawlMessageOf(hold.address), url: entry.url, error });
    await frontier.finish(entry, { outcome: 'failed', textHash: null, reason: 'unreadable' });
    return true;
  }
  await frontier.finish(entry, endingOf(page));
  return true;
};

/**
 * Removes what earlier crawls from the same first page found and this one did not come to, unless it may have by going
 * further or another first page leads there. Null once that is done.
 */
const dropVanished = async (crawling: Crawling): Promise<TurnEnd | null> => {
  const { deps, hold, run, state, frontier } = crawling;
  if (state.pagesFound >= state.pageLimit) return null;
  const start = startOf(state);
  const memory = memoryOf(hold.address, state);
  for await (const page of deps.work.allRemembered(memory)) {
    const isOurs = page.starts.size === 1 && page.starts.has(start) && page.depth <= state.maxDepth;
    const known = frontier.get(page.hash);
    const address = isOurs && (known === null || vanished.has(known.outcome)) ? toPageAddress(page.url) : null;
    if (address === null) continue;
    if (run.remainingMs() < turnMs) return again(0);
    if ((await deps.work.renew(hold)) === null) return lost;
    await removeDocument(deps, sourceOf(crawling, state), address.key, run.clock);
    await deps.work.forget(memory, page.hash);
  }
  return null;
};

const complete = async (crawling: Crawling): Promise<TurnEnd> => {
  if (crawling.state.pagesFound === 0)
    return endWithReport(crawling, 'failed', 'The outside crawler found no page that could be read');
  return (await dropVanished(crawling)) ?? endWithReport(crawling, 'completed');
};

/** Takes in the pages from where the last run left off, as far as there are any by now. */
const collect = async (crawling: Crawling, id: string): Promise<TurnEnd> => {
  const { deps, hold, run, state } = crawling;
  const patientUntil = Date.parse(state.startedAt ?? state.createdAt) + patienceMs;
  for (let at = state.outsideNext; ;) {
    if (run.clock.now().getTime() > patientUntil)
      return endWithReport(crawling, 'failed', 'The outside crawler did not come to an end within a day');
    const { status, error, pages, next } = await deps.outside.status(id, at === '' ? null : at);
    for (const page of pages) {
      if (!(await keep(crawling, page))) return lost;
      // What is there already is passed over when the pages come again.
      if (run.remainingMs() < turnMs) return again(0);
    }
    const isMore = next !== null && next !== at;
    const held = isMore ? await deps.work.note(hold, { outsideNext: next }) : await deps.work.renew(hold);
    if (held === null) return lost;
    if (isMore) at = next;
    else if (status === 'completed') return complete(crawling);
    else if (status === 'cancelled') return endWithReport(crawling, 'failed', 'The outside crawler stopped the crawl');
    else if (status === 'failed') return endWithReport(crawling, 'failed', error ?? 'The outside crawler failed');
    else return again(pollMs);
  }
};

/** One run's part of a crawl that somebody else does: begins it, or takes in what there is by now. */
export const crawlOutside = async (working: Working, state: CrawlState): Promise<TurnEnd> => {
  try {
    if (state.providerJobId === null) return await begin(working, state);
    const crawling = await open(working, state);
    return leave(crawling, await collect(crawling, state.providerJobId));
  } catch (error) {
    if (!(error instanceof OutsideRefusal)) throw error;
    return endCrawl(working, 'failed', error.message);
  }
};

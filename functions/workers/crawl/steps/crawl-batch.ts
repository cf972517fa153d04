import { randomUUID } from 'node:crypto';
import type { CrawlAddress, CrawlState, CrawlLease } from '../../../../shared/crawls/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { isLive } from '../../../../shared/indexes/index.ts';
import { countCrawl } from '../../../../shared/ledger/index.ts';
import { minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { RunContext } from '../../../../shared/pipeline/worker.ts';
import { maxDelaySeconds } from '../../../../shared/platform/aws/queue.ts';
import { crawlExternal } from './crawl-external.ts';
import { crawlSite } from './crawl-site.ts';
import type { crawlUses } from '../uses.ts';
import { endCrawl, over, type BatchEnd, type CrawlContext } from './crawl-context.ts';

/** Longest delay of a queue message. For a longer wait, the sweep resumes the crawl. */
const maxDelayMs = maxDelaySeconds * 1000;

/** Delay after which the sweep resumes a crawl whose message has not arrived. */
const graceMs = minuteMs;

const finalCodes: ReadonlySet<string> = new Set(['plan_limit_reached', 'index_full', 'not_found', 'conflict']);

/** Whether an error of the index or the plan is permanent. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && finalCodes.has(error.code) && error.headers['retry-after'] === undefined;

const crawlPages = async (context: CrawlContext, state: CrawlState): Promise<BatchEnd> => {
  const { deps, lease } = context;
  const { organizationId, indexId } = lease.address;
  const index = await deps.indexes.get(organizationId, indexId);
  if (!isLive(index)) return endCrawl(context, 'cancelled');
  try {
    const isExternal = state.providerJobId !== null || (await deps.externalCrawler.isUsed());
    return isExternal ? await crawlExternal(context, state) : await crawlSite(context, state);
  } catch (error) {
    if (!isFinal(error)) throw error;
    return endCrawl(context, 'failed', error.message);
  }
};

/** Closes an ended crawl: cancels it at the external crawler and records its usage. */
const close = async ({ deps, lease, run }: CrawlContext, state: CrawlState): Promise<void> => {
  const { organizationId, indexId } = lease.address;
  if (state.status !== 'completed' && state.providerJobId !== null)
    await deps.externalCrawler.cancel(state.providerJobId);
  if (state.headerNames.length > 0 && state.scheduleId === null) await deps.headers.delete(lease.address);
  if (state.pagesFound === 0 || (await deps.indexes.get(organizationId, indexId)) === null)
    await deps.crawls.markCounted(lease.address);
  else await countCrawl(deps, lease.address, run.clock.now().toISOString());
};

const releaseLease = async ({ deps, lease, run }: CrawlContext, region: string, afterMs: number): Promise<void> => {
  const dueAt = laterBy(run.clock.now(), afterMs + (afterMs > maxDelayMs ? 0 : graceMs));
  await deps.store.release(lease, dueAt);
  if (afterMs <= maxDelayMs) await deps.queue.send(region, lease.address, Math.ceil(afterMs / 1000));
};

const runBatch = async (context: CrawlContext, claimed: CrawlState): Promise<void> => {
  const { deps, lease } = context;
  const end = claimed.status === 'running' ? await crawlPages(context, claimed) : over;
  if (end.kind === 'again') {
    await releaseLease(context, claimed.region, end.afterMs);
    return;
  }
  // Another run may have the lease, or the crawl was cancelled during the batch.
  const state = await deps.crawls.state(lease.address);
  const hasEnded = state !== null && state.status !== 'running' && state.status !== 'queued';
  if (hasEnded && !state.counted && state.holder === lease.holder) await close(context, state);
};

/** Runs one batch of a crawl, unless another run has its lease or nothing is left to do. */
export const runCrawlBatch = async (
  { deps, run }: RunContext<typeof crawlUses>,
  address: CrawlAddress,
): Promise<void> => {
  const lease: CrawlLease = { address, holder: `${run.invocationId}-${randomUUID()}` };
  const claimed = await deps.store.claim(lease);
  if (claimed === null) return;
  const context = { deps, run, lease, plan: await planOf(deps.organizations, address.organizationId) };
  try {
    await runBatch(context, claimed);
  } catch (error) {
    // The next run need not wait until the lease expires.
    await deps.store.release(lease, laterBy(run.clock.now(), graceMs)).catch(() => undefined);
    throw error;
  }
};

import { randomUUID } from 'node:crypto';
import type { CrawlAddress, CrawlState, Hold } from '../../../../shared/crawls/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { isLive } from '../../../../shared/indexes/index.ts';
import { minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Turn } from '../../../../shared/pipeline/worker.ts';
import { mostDelaySeconds } from '../../../../shared/platform/aws/queue.ts';
import { crawlOutside } from './crawl-outside.ts';
import { crawlSite } from './crawl-site.ts';
import type { crawlUses } from '../uses.ts';
import { endCrawl, over, type TurnEnd, type Working } from './working.ts';

/** What is to wait longer than a queue holds a message back waits for the sweep. */
const mostDelayMs = mostDelaySeconds * 1000;

/** How long after the time at which its message should have come a crawl is looked after. */
const graceMs = minuteMs;

/** How long the pages of an ended crawl may take to get into the books before that is asked for again. */
const booksMs = 10 * minuteMs;

const finalCodes: ReadonlySet<string> = new Set(['plan_limit_reached', 'not_found', 'conflict']);

/** Whether an index or a plan refuses, and does not ask for a repeat. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && finalCodes.has(error.code) && error.headers['retry-after'] === undefined;

const work = async (working: Working, state: CrawlState): Promise<TurnEnd> => {
  const { deps, hold } = working;
  const { organizationId, indexId } = hold.address;
  const index = await deps.indexes.get(organizationId, indexId);
  if (!isLive(index)) return endCrawl(working, 'cancelled');
  try {
    const outside = state.providerJobId !== null || (await deps.outside.isUsed());
    return outside ? await crawlOutside(working, state) : await crawlSite(working, state);
  } catch (error) {
    if (!isFinal(error)) throw error;
    return endCrawl(working, 'failed', error.message);
  }
};

/** Does what is left to do for a crawl that has ended: its outside crawler stops, its pages go into the books. */
const close = async ({ deps, hold, run }: Working, state: CrawlState): Promise<void> => {
  const { organizationId, indexId, crawlId } = hold.address;
  if (state.status !== 'completed' && state.providerJobId !== null) await deps.outside.cancel(state.providerJobId);
  const index = await deps.indexes.get(organizationId, indexId);
  if (state.pagesFound === 0 || index === null) {
    await deps.crawls.markCounted(hold.address);
    return;
  }
  await deps.log.append(index, { op: 'count_crawl', crawl_id: crawlId }, `count-${crawlId}`);
  await deps.work.release(hold, laterBy(run.clock.now(), booksMs));
};

const letGo = async ({ deps, hold, run }: Working, region: string, afterMs: number): Promise<void> => {
  const dueAt = laterBy(run.clock.now(), afterMs + (afterMs > mostDelayMs ? 0 : graceMs));
  await deps.work.release(hold, dueAt);
  if (afterMs <= mostDelayMs) await deps.queue.send(region, hold.address, Math.ceil(afterMs / 1000));
};

const turn = async (working: Working, claimed: CrawlState): Promise<void> => {
  const { deps, hold } = working;
  const end = claimed.status === 'running' ? await work(working, claimed) : over;
  if (end.kind === 'again') {
    await letGo(working, claimed.region, end.afterMs);
    return;
  }
  // Another run may have it, or it was cancelled in the middle.
  const state = await deps.crawls.state(hold.address);
  const hasEnded = state !== null && state.status !== 'running' && state.status !== 'queued';
  if (hasEnded && !state.counted && state.holder === hold.holder) await close(working, state);
};

/** Works on a crawl for a while, unless another run does or nothing is left to do. */
export const runTurn = async ({ deps, run }: Turn<typeof crawlUses>, address: CrawlAddress): Promise<void> => {
  const hold: Hold = { address, holder: `${run.invocationId}-${randomUUID()}` };
  const claimed = await deps.work.claim(hold);
  if (claimed === null) return;
  const working = { deps, run, hold, plan: await planOf(deps.organizations, address.organizationId) };
  try {
    await turn(working, claimed);
  } catch (error) {
    // Whoever comes next need not wait for the end of the hold.
    await deps.work.release(hold, laterBy(run.clock.now(), graceMs)).catch(() => undefined);
    throw error;
  }
};

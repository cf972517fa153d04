import {
  crawlOfRun,
  crawlSend,
  crawlsWrite,
  crawlStore,
  nextRunAfter,
  type ScheduleRecord,
  schedulesDue,
} from '../../../shared/crawls/index.ts';
import { indexesRead, requireGrowableIndex } from '../../../shared/indexes/index.ts';
import type { Deps } from '../../../shared/kernel/capability.ts';
import type { Clock } from '../../../shared/kernel/clock.ts';
import { AppError } from '../../../shared/kernel/errors.ts';
import { plans } from '../../../shared/kernel/plans.ts';
import { organizationsRead, planOf } from '../../../shared/organizations/index.ts';
import { processBatch, maxBatchItems } from '../../../shared/pipeline/process-batch.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';

const uses = {
  store: crawlStore,
  queue: crawlSend,
  crawls: crawlsWrite,
  schedules: schedulesDue,
  indexes: indexesRead,
  organizations: organizationsRead,
};

/** Returns why the crawl of a schedule cannot start now; null if it can. */
const refusalOf = async (deps: Deps<typeof uses>, schedule: ScheduleRecord): Promise<string | null> => {
  const { organizationId, indexId, lastCrawlId, pageLimit, maxDepth } = schedule;
  const { limits, features } = plans[await planOf(deps.organizations, organizationId)];
  if (!features.crawl) return 'The plan no longer includes crawls';
  if (pageLimit > limits.crawl_pages_per_job || maxDepth > limits.crawl_max_depth)
    return 'The plan no longer allows so many pages or levels';
  const last = lastCrawlId === null ? null : await deps.crawls.get({ organizationId, indexId, crawlId: lastCrawlId });
  if (last?.status === 'queued' || last?.status === 'running') return 'The last crawl was still running';
  try {
    await requireGrowableIndex(deps.indexes, organizationId, indexId);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
};

/** Starts the crawl of a schedule. Its id contains the time, so a repeat after a crash starts no other one. */
const startRun = async (deps: Deps<typeof uses>, schedule: ScheduleRecord, clock: Clock): Promise<void> => {
  const next = nextRunAfter(schedule, clock.now());
  const crawl = crawlOfRun(schedule);
  const address = { ...crawl, crawlId: crawl.id };
  const isStarted = (await deps.crawls.get(address)) !== null;
  const error = isStarted ? null : await refusalOf(deps, schedule);
  if (error !== null) return deps.schedules.advance(schedule, { error, next });
  await deps.crawls.add(crawl);
  await deps.queue.send(crawl.region, address);
  await deps.schedules.advance(schedule, { crawlId: crawl.id, error: null, next });
};

/**
 * Starts the crawls of schedules that are due, and sends a message for each crawl that is overdue. A duplicate message is harmless: the lease of the crawl rejects it.
 */
export const sweepCrawls = schedule({
  id: 'sweep-crawls',
  summary: 'Starts crawls of schedules, and resumes crawls whose message was lost or whose run crashed',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses,
  handle: async ({ deps, run }) => {
    await processBatch(await deps.schedules.due(maxBatchItems), (schedule) => startRun(deps, schedule, run.clock));
    await processBatch(await deps.store.overdue(maxBatchItems), async (address) => {
      const crawl = await deps.store.postpone(address);
      if (crawl !== null) await deps.queue.send(crawl.region, address);
    });
  },
});

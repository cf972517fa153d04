import type * as z from 'zod';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireIndex } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { derivedId } from '../kernel/ids.ts';
import { requireCrawlWithin } from './create.ts';
import type { NewCrawl } from './repository.ts';
import { lowerNames } from './header-schemas.ts';
import { crawlHeadersSeal } from './headers.ts';
import {
  type ScheduleAddress,
  scheduleKey,
  type ScheduleRecord,
  type schedulesRead,
  schedulesWrite,
} from './schedule-record.ts';
import type { CrawlScheduleCreate, CrawlScheduleResponse, CrawlScheduleUpdate } from './schemas.ts';

/** Capabilities that changing schedules needs. */
export const scheduleUses = { indexes: indexesRead, schedules: schedulesWrite };
/** Capabilities that creating a schedule needs. */
export const createScheduleUses = { ...scheduleUses, headers: crawlHeadersSeal };

/** Maximum number of schedules of an index. */
const maxSchedules = 100;

/** Creates a schedule; its first crawl starts within a minute of its time. Throws 402, 404 and 409. */
export const createSchedule = async (
  {
    deps,
    caller,
    idempotency,
  }: {
    readonly deps: Deps<typeof createScheduleUses>;
    readonly caller: Principal;
    readonly idempotency: IdempotencyContext;
  },
  indexId: string,
  body: CrawlScheduleCreate,
): Promise<ScheduleRecord> => {
  const { organizationId } = caller;
  const index = await requireIndex(deps.indexes, organizationId, indexId);
  requireCrawlWithin(caller, body);
  const id = idempotency.id('sched');
  const others = (await deps.schedules.list(organizationId, indexId)).filter((schedule) => schedule.id !== id);
  if (others.length >= maxSchedules)
    throw new AppError('conflict', `An index may have at most ${maxSchedules} schedules of crawls`);
  const headers = lowerNames(body.headers);
  const schedule: ScheduleRecord = {
    id,
    organizationId,
    indexId,
    region: index.region,
    url: body.url,
    pageLimit: body.page_limit,
    maxDepth: body.max_depth,
    paths: { include: body.include_paths, exclude: body.exclude_paths },
    headerNames: Object.keys(headers),
    metadata: body.metadata,
    intervalHours: body.interval_hours,
    paused: false,
    nextRunAt: new Date(body.starts_at ?? idempotency.at).toISOString(),
    lastCrawlId: null,
    error: null,
    createdAt: idempotency.at.toISOString(),
  };
  const key = scheduleKey({ organizationId, indexId, scheduleId: id });
  const isSealed = schedule.headerNames.length > 0;
  const sealed = isSealed ? await deps.headers.seal(key, headers, idempotency.secret(), null) : undefined;
  await deps.schedules.add(schedule, sealed);
  return schedule;
};

/** Returns a schedule of an index. Throws 404. */
export const requireSchedule = async (
  deps: Deps<{ readonly indexes: typeof indexesRead; readonly schedules: typeof schedulesRead }>,
  address: ScheduleAddress,
): Promise<ScheduleRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const schedule = await deps.schedules.get(address);
  if (schedule === null) throw notFound('Schedule');
  return schedule;
};

/** Pauses or resumes a schedule, or changes its interval, which counts from now, its next time or its headers. Throws 404 and 409. */
export const updateSchedule = async (
  deps: Deps<typeof scheduleUses>,
  address: ScheduleAddress,
  { paused, interval_hours: intervalHours, starts_at: startsAt, headers }: CrawlScheduleUpdate,
  { at: now, secret }: Pick<IdempotencyContext, 'at' | 'secret'>,
): Promise<ScheduleRecord> => {
  const sealed = headers === undefined ? {} : { headers: { values: lowerNames(headers), secret: secret() } };
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const changed = await deps.schedules.update(address, (known) => {
    const isPaused = paused ?? known.paused;
    if (isPaused && startsAt !== undefined) throw new AppError('conflict', 'The schedule is paused: resume it first');
    const isNew = intervalHours !== undefined || startsAt !== undefined || isPaused !== known.paused;
    const first =
      startsAt === undefined ? laterBy(now, (intervalHours ?? known.intervalHours) * hourMs) : new Date(startsAt);
    return {
      intervalHours,
      paused: isPaused,
      ...(isNew ? { nextRunAt: isPaused ? null : first } : {}),
      ...sealed,
    };
  });
  if (changed === null) throw notFound('Schedule');
  return changed;
};

/** Returns the crawl of the run that is due. A repeat returns the same, so that a run starts once. */
export const crawlOfRun = (schedule: ScheduleRecord): NewCrawl => {
  const at = new Date(schedule.nextRunAt ?? 0);
  const { id, organizationId, indexId, region, url, pageLimit, maxDepth, paths, headerNames, metadata } = schedule;
  return {
    id: derivedId('crawl', at, id, at.toISOString()),
    organizationId,
    indexId,
    region,
    url,
    pageLimit,
    maxDepth,
    paths,
    headerNames,
    metadata,
    scheduleId: id,
    status: 'queued',
    createdAt: at.toISOString(),
  };
};

/** Returns the next time of a schedule after `now`. Missed times are left out. */
export const nextRunAfter = ({ nextRunAt, intervalHours }: ScheduleRecord, now: Date): Date => {
  const due = Date.parse(nextRunAt ?? now.toISOString());
  const stepMs = intervalHours * hourMs;
  const steps = Math.max(1, Math.floor((now.getTime() - due) / stepMs) + 1);
  return new Date(due + steps * stepMs);
};

/** Returns the API representation of a schedule. */
export const toScheduleResponse = (schedule: ScheduleRecord): z.input<typeof CrawlScheduleResponse> => ({
  id: schedule.id,
  url: schedule.url,
  page_limit: schedule.pageLimit,
  max_depth: schedule.maxDepth,
  include_paths: [...schedule.paths.include],
  exclude_paths: [...schedule.paths.exclude],
  header_names: [...schedule.headerNames],
  metadata: schedule.metadata,
  interval_hours: schedule.intervalHours,
  paused: schedule.paused,
  next_run_at: schedule.nextRunAt,
  last_crawl_id: schedule.lastCrawlId,
  error: schedule.error,
  created_at: schedule.createdAt,
});

import { absent, present } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import { dueAttributes, dueBy, dueTimeOf, whereDueAt } from '../db/due.ts';
import { flagOf, textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Patterns } from '../kernel/wildcard.ts';
import type { CrawlRecord } from './record.ts';

/** Ids that address a schedule. */
export interface ScheduleAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly scheduleId: string;
}

/** A crawl that is repeated. */
export interface ScheduleRecord extends Pick<CrawlRecord, 'url' | 'pageLimit' | 'maxDepth' | 'region' | 'metadata'> {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly paths: Patterns;
  readonly intervalHours: number;
  readonly paused: boolean;
  /** Null: paused. */
  readonly nextRunAt: string | null;
  readonly lastCrawlId: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

export interface ScheduleStore {
  get(address: ScheduleAddress): Promise<ScheduleRecord | null>;
  /** Returns all schedules of an index, newest first. */
  list(organizationId: string, indexId: string): Promise<readonly ScheduleRecord[]>;
  /** Stores a schedule; does nothing if it exists. */
  add(schedule: ScheduleRecord): Promise<void>;
  /** Changes a schedule. Null if it does not exist. `nextRunAt`: absent to keep it, null for never. */
  update(
    address: ScheduleAddress,
    change: { readonly intervalHours?: number; readonly paused?: boolean; readonly nextRunAt?: Date | null },
  ): Promise<ScheduleRecord | null>;
  /** Returns false if there is none. */
  delete(address: ScheduleAddress): Promise<boolean>;
}

/** Schedules as their sweep sees them. */
export interface DueSchedules {
  due(limit: number): Promise<readonly ScheduleRecord[]>;
  /** Records what became of a run, and when the next one is due. No effect if the schedule has changed meanwhile. */
  advance(
    schedule: ScheduleRecord,
    run: { readonly crawlId?: string; readonly error: string | null; readonly next: Date },
  ): Promise<void>;
}

export const schedulePartition = (organizationId: string, indexId: string): string =>
  `SCHEDULES#${organizationId}#${indexId}`;

const scheduleKey = ({ organizationId, indexId, scheduleId }: ScheduleAddress) => ({
  pk: schedulePartition(organizationId, indexId),
  sk: scheduleId,
});

const toScheduleRecord = (item: Item): ScheduleRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  region: item['region'] as string,
  url: item['url'] as string,
  pageLimit: item['page_limit'] as number,
  maxDepth: item['max_depth'] as number,
  paths: item['paths'] as unknown as Patterns,
  metadata: JSON.parse(item['metadata'] as string) as JsonObject,
  intervalHours: item['interval_hours'] as number,
  paused: flagOf(item, 'paused'),
  nextRunAt: dueTimeOf(item),
  lastCrawlId: textOf(item, 'last_crawl_id'),
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
});

const addressOf = ({ organizationId, indexId, id }: ScheduleRecord): ScheduleAddress => ({
  organizationId,
  indexId,
  scheduleId: id,
});

const dueOf = (organizationId: string, at: Date | null) => (at === null ? {} : dueBy('schedules', organizationId, at));

const openScheduleStore = (runtime: Runtime): ScheduleStore => {
  const table = openTable(runtime, 'crawls');
  return {
    get: async (address) => {
      const item = await table.get(scheduleKey(address));
      return item === null ? null : toScheduleRecord(item);
    },
    list: async (organizationId, indexId) => {
      const items = table.all(schedulePartition(organizationId, indexId), { newestFirst: true });
      return (await Array.fromAsync(items)).map(toScheduleRecord);
    },
    add: async (schedule) => {
      const { id, organizationId, indexId, region, url, pageLimit, maxDepth, paths, metadata } = schedule;
      const item = {
        ...scheduleKey({ organizationId, indexId, scheduleId: id }),
        organization_id: organizationId,
        index_id: indexId,
        region,
        url,
        page_limit: pageLimit,
        max_depth: maxDepth,
        paths: { include: [...paths.include], exclude: [...paths.exclude] },
        metadata: JSON.stringify(metadata),
        interval_hours: schedule.intervalHours,
        created_at: schedule.createdAt,
        ...dueOf(organizationId, schedule.nextRunAt === null ? null : new Date(schedule.nextRunAt)),
      };
      await table.put(item, absent);
    },
    update: async (address, { intervalHours, paused, nextRunAt }) => {
      const item = await table.update(scheduleKey(address), {
        set: {
          interval_hours: intervalHours,
          paused,
          ...dueOf(address.organizationId, nextRunAt ?? null),
        },
        remove: nextRunAt === null ? dueAttributes : [],
        condition: present,
      });
      return item === null ? null : toScheduleRecord(item);
    },
    delete: (address) => table.delete(scheduleKey(address), present),
  };
};

const openDueSchedules = (runtime: Runtime): DueSchedules => {
  const table = openTable(runtime, 'crawls');
  return {
    due: async (limit) => {
      const now = runtime.clock.now().toISOString();
      const items = await Promise.all((await table.due('schedules', now, limit)).map((key) => table.get(key)));
      return items
        .flatMap((item) => (item === null ? [] : [toScheduleRecord(item)]))
        .filter(({ nextRunAt }) => nextRunAt !== null && nextRunAt <= now);
    },
    advance: async (schedule, { crawlId, error, next }) => {
      await table.update(scheduleKey(addressOf(schedule)), {
        set: {
          last_crawl_id: crawlId,
          error: error ?? undefined,
          ...dueBy('schedules', schedule.organizationId, next),
        },
        remove: error === null ? ['error'] : [],
        condition: { ...present, ...whereDueAt(schedule.organizationId, schedule.nextRunAt ?? '') },
      });
    },
  };
};

export const schedulesWrite = capability<ScheduleStore>(['crawls.read', 'crawls.write'], openScheduleStore);
export const schedulesRead = capability<Pick<ScheduleStore, 'get' | 'list'>>(['crawls.read'], openScheduleStore);
export const schedulesDue = capability<DueSchedules>(['crawls.read', 'crawls.write'], openDueSchedules);

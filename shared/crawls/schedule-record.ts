import { absent, type Condition, present } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { dueAttributes, dueBy, dueTimeOf, whereDueAt } from '../db/due.ts';
import { flagOf, textOf } from '../db/read-item.ts';
import { deleteSealKeys, replaceSealed, sameSealKey, sealKeysOf } from '../db/sealed-field.ts';
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
  readonly headerNames: readonly string[];
  readonly intervalHours: number;
  readonly paused: boolean;
  /** Null: paused. */
  readonly nextRunAt: string | null;
  readonly lastCrawlId: string | null;
  readonly error: string | null;
  readonly createdAt: string;
}

/** Change of a schedule. Absent fields stay. */
export interface ScheduleChange {
  readonly intervalHours?: number | undefined;
  readonly paused?: boolean;
  /** Null: never. */
  readonly nextRunAt?: Date | null;
  /** New headers, with 32 random bytes as their key. */
  readonly headers?: { readonly values: Readonly<Record<string, string>>; readonly secret: Buffer };
}

export interface ScheduleStore {
  get(address: ScheduleAddress): Promise<ScheduleRecord | null>;
  /** Returns all schedules of an index, newest first. */
  list(organizationId: string, indexId: string): Promise<readonly ScheduleRecord[]>;
  /** Stores a schedule; does nothing if it exists. `headers`: its sealed ones; absent if it has none. */
  add(schedule: ScheduleRecord, headers?: string): Promise<void>;
  /**
   * Changes a schedule by optimistic locking. `decide` gets the current state and runs again if the state has changed
   * before the write. Null if the schedule does not exist.
   */
  update(
    address: ScheduleAddress,
    decide: (schedule: ScheduleRecord) => ScheduleChange,
  ): Promise<ScheduleRecord | null>;
  /** Deletes a schedule, its headers first. Returns false if there is none. */
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

export const scheduleKey = ({ organizationId, indexId, scheduleId }: ScheduleAddress) => ({
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
  headerNames: (item['header_names'] as readonly string[] | undefined) ?? [],
  metadata: JSON.parse(item['metadata'] as string) as JsonObject,
  intervalHours: item['interval_hours'] as number,
  paused: flagOf(item, 'paused'),
  nextRunAt: dueTimeOf(item),
  lastCrawlId: textOf(item, 'last_crawl_id'),
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
});

/** Sealed field of a crawl or schedule with its headers. */
export const headersField = 'headers';

/** Deletes a schedule, the keys of its headers first. Returns false if another call has deleted it. */
export const removeSchedule = async (table: Table, secrets: Table, item: Item): Promise<boolean> => {
  const key = { pk: item.pk, sk: item.sk };
  for (let known: Item | null = item; known !== null; known = await table.get(key)) {
    await deleteSealKeys(secrets, sealKeysOf(known, headersField));
    if (await table.delete(key, { ...present, ...sameSealKey(known, headersField) })) return true;
  }
  return false;
};

const addressOf = ({ organizationId, indexId, id }: ScheduleRecord): ScheduleAddress => ({
  organizationId,
  indexId,
  scheduleId: id,
});

const dueOf = (organizationId: string, at: Date | null) => (at === null ? {} : dueBy('schedules', organizationId, at));

/** Returns the item of a new schedule. `headers`: its sealed ones. */
const newItem = (schedule: ScheduleRecord, headers: string | undefined): Item => {
  const { id, organizationId, indexId, region, url, pageLimit, maxDepth, paths, metadata } = schedule;
  return {
    ...scheduleKey({ organizationId, indexId, scheduleId: id }),
    organization_id: organizationId,
    index_id: indexId,
    region,
    url,
    page_limit: pageLimit,
    max_depth: maxDepth,
    paths: { include: [...paths.include], exclude: [...paths.exclude] },
    ...(headers === undefined ? {} : { header_names: [...schedule.headerNames], [headersField]: headers }),
    metadata: JSON.stringify(metadata),
    interval_hours: schedule.intervalHours,
    created_at: schedule.createdAt,
    ...dueOf(organizationId, schedule.nextRunAt === null ? null : new Date(schedule.nextRunAt)),
  };
};

/** Condition: a schedule has neither been changed nor run since it was read. */
const unchanged = ({ organizationId, intervalHours, nextRunAt, paused }: ScheduleRecord): Condition => ({
  ...present,
  interval_hours: { eq: intervalHours },
  paused: paused ? { eq: true } : { ne: true },
  ...(nextRunAt === null ? { due_at: { exists: false } } : whereDueAt(organizationId, nextRunAt)),
});

/** Returns the changed item; null if the schedule was changed meanwhile. */
const changeSchedule = async (
  runtime: Runtime,
  schedule: ScheduleRecord,
  { intervalHours, paused, nextRunAt, headers }: ScheduleChange,
): Promise<Item | null> => {
  const { organizationId } = schedule;
  const key = scheduleKey(addressOf(schedule));
  const names = headers === undefined ? {} : { header_names: Object.keys(headers.values) };
  const change = {
    set: { interval_hours: intervalHours, paused, ...dueOf(organizationId, nextRunAt ?? null), ...names },
    remove: nextRunAt === null ? dueAttributes : [],
    condition: unchanged(schedule),
  };
  if (headers === undefined) return await openTable(runtime, 'crawls').update(key, change);
  const { values: value, secret } = headers;
  return await replaceSealed(
    runtime,
    { table: 'crawls', key },
    { field: headersField, value, secret, isThere: present },
    change,
  );
};

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
    add: async (schedule, headers) => {
      await table.put(newItem(schedule, headers), absent);
    },
    update: async (address, decide) => {
      const key = scheduleKey(address);
      for (let known = await table.get(key); known !== null; known = await table.get(key)) {
        const schedule = toScheduleRecord(known);
        const changed = await changeSchedule(runtime, schedule, decide(schedule));
        if (changed !== null) return toScheduleRecord(changed);
      }
      return null;
    },
    delete: async (address) => {
      const item = await table.get(scheduleKey(address));
      return item !== null && removeSchedule(table, openTable(runtime, 'secrets'), item);
    },
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

export const schedulesWrite = capability<ScheduleStore>(
  ['crawls.read', 'crawls.write', 'secrets.write'],
  openScheduleStore,
);
export const schedulesRead = capability<Pick<ScheduleStore, 'get' | 'list'>>(['crawls.read'], openScheduleStore);
export const schedulesDue = capability<DueSchedules>(['crawls.read', 'crawls.write'], openDueSchedules);

import { textOf } from '../db/read-item.ts';
import { absent, type Condition, present } from '../db/condition.ts';
import type { Item, Page, Table } from '../db/contracts.ts';
import { dueAttributes, dueBy, epochSeconds } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { daySeconds } from '../kernel/durations.ts';
import { newId } from '../kernel/ids.ts';
import { withoutText } from './truncate-envelope.ts';
import { countOlder } from './count-older.ts';
import type { Envelope, EventType } from './event-data.ts';
import type { EventRef, EventStatus } from './schemas.ts';
import type { NewEvent } from './build.ts';

/** Event of the history, without its body. */
export interface EventRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly type: EventType;
  readonly status: EventStatus;
  readonly createdAt: string;
  readonly indexId: string | null;
  readonly jobId: string | null;
}

export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly status?: EventStatus | undefined;
}

export interface EventRange {
  readonly from: Date;
  readonly to: Date;
  /** Null: every type. */
  readonly types: readonly EventType[] | null;
}

export interface EventReader {
  /** Returns an event of the history; null if it has expired. */
  get(organizationId: string, eventId: string): Promise<EventRecord | null>;
  /** Returns the envelope as JSON; null if it has expired. */
  body(organizationId: string, eventId: string): Promise<string | null>;
  /** Returns the events from `offset` on, newest first, and the number of all that match. */
  page(
    organizationId: string,
    filter: EventFilter,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly events: readonly EventRecord[]; readonly total: number }>;
  /**
   * Returns the events from `from` (inclusive) to `to` (exclusive), oldest first.
   * @param after Id of the event to continue after, instead of `from`.
   */
  between(organizationId: string, range: EventRange, after?: string): AsyncIterable<EventRecord>;
  /** Returns events whose relay is overdue, fairly among organizations. */
  overdue(until: Date, limit: number): Promise<readonly EventRef[]>;
}

export interface EventWriter extends EventReader {
  /** Stores an event. Idempotent. */
  record(event: NewEvent, retentionDays: number): Promise<void>;
  /** Removes the text of a file from a recorded event. Returns whether it had any. */
  forgetText(organizationId: string, eventId: string): Promise<boolean>;
  /** Deletes the events of some jobs, and removes the texts from those of others. Returns the number of changed events. */
  forgetJobs(
    organizationId: string,
    jobs: { readonly gone: ReadonlySet<string>; readonly kept: ReadonlySet<string> },
  ): Promise<number>;
  /** Sets the final status of a recorded event, unless it has one. */
  finish(organizationId: string, eventId: string, status: 'dispatched' | 'failed'): Promise<void>;
  /** Postpones the relay of a recorded event, unless its status is final. */
  defer(organizationId: string, eventId: string, until: Date): Promise<void>;
}

const relayGraceSeconds = 60;

/** Bodies are separate items, so counting and paging read a few hundred bytes per event instead of its payload. */
const rowKey = (organizationId: string, eventId: string) => ({ pk: `ORG#${organizationId}`, sk: eventId });
const bodyKey = (organizationId: string, eventId: string) => ({
  pk: `ORG#${organizationId}#EVENT#${eventId}`,
  sk: 'BODY',
});

/** Returns a sort key before every event at a time, and after every earlier event. */
const startOf = (at: Date): string => newId('evt', new Date(Math.max(0, at.getTime()))).slice(0, 'evt_'.length + 10);

const toRecord = (item: Item): EventRecord => ({
  id: item.sk,
  organizationId: item.pk.slice('ORG#'.length),
  type: item['event_type'] as EventType,
  status: item['status'] as EventStatus,
  createdAt: item['created_at'] as string,
  indexId: textOf(item, 'index_id'),
  jobId: textOf(item, 'job_id'),
});

export const openEventReader = (runtime: Runtime): EventReader => {
  const table = openTable(runtime, 'events');
  // DynamoDB deletes expired items with a delay, so reads filter them out.
  const unexpired = (): Condition => ({ expires_at_epoch: { gt: epochSeconds(runtime.clock.now()) } });
  const hasExpired = (item: Item): boolean => (item['expires_at_epoch'] as number) <= epochSeconds(runtime.clock.now());
  return {
    get: async (organizationId, eventId) => {
      const item = await table.get(rowKey(organizationId, eventId));
      return item === null || hasExpired(item) ? null : toRecord(item);
    },
    body: async (organizationId, eventId) => textOf(await table.get(bodyKey(organizationId, eventId)), 'body'),
    page: async (organizationId, { type, status }, { offset, limit }) => {
      const where: Condition = {
        ...unexpired(),
        ...(type === undefined ? {} : { event_type: { eq: type } }),
        ...(status === undefined ? {} : { status: { eq: status } }),
      };
      const pk = `ORG#${organizationId}`;
      const listing = { prefix: 'evt_', newestFirst: true, where };
      const events: EventRecord[] = [];
      let total = 0;
      let after: string | null = null;
      do {
        const read: Page = await table.query(pk, { ...listing, after });
        const shown = read.items.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total));
        events.push(...shown.map(toRecord));
        total += read.items.length;
        after = read.next;
      } while (after !== null && total < offset + limit);
      if (after !== null) total += await countOlder(table, pk, where, { after, now: runtime.clock.now() });
      return { events, total };
    },
    between: async function* (organizationId, { from, to, types }, after = startOf(from)) {
      const end = startOf(to);
      const where: Condition = {
        ...unexpired(),
        ...(types === null ? {} : { event_type: { in: types } }),
      };
      for await (const item of table.all(`ORG#${organizationId}`, { prefix: 'evt_', after, where })) {
        if (item.sk >= end) return;
        yield toRecord(item);
      }
    },
    overdue: async (until, limit) => {
      const keys = await table.due('relay', until.toISOString(), limit);
      return keys.map(({ pk, sk }) => ({ organization_id: pk.slice('ORG#'.length), event_id: sk }));
    },
  };
};

const relayStateOf = (table: Table): Pick<EventWriter, 'finish' | 'defer'> => ({
  finish: async (organizationId, eventId, status) => {
    await table.update(rowKey(organizationId, eventId), {
      set: { status },
      remove: dueAttributes,
      condition: { status: { eq: 'recorded' } },
    });
  },
  defer: async (organizationId, eventId, until) => {
    await table.update(rowKey(organizationId, eventId), {
      set: dueBy('relay', organizationId, until),
      condition: { status: { eq: 'recorded' } },
    });
  },
});

const removalsOf = (table: Table, reader: EventReader): Pick<EventWriter, 'forgetText' | 'forgetJobs'> => {
  const forgetText: EventWriter['forgetText'] = async (organizationId, eventId) => {
    const body = await reader.body(organizationId, eventId);
    if (body === null) return false;
    const rest = JSON.stringify(withoutText(JSON.parse(body) as Envelope));
    if (rest === body) return false;
    await table.update(bodyKey(organizationId, eventId), { set: { body: rest }, condition: present });
    return true;
  };
  return {
    forgetText,
    forgetJobs: async (organizationId, { gone, kept }) => {
      let changed = 0;
      if (gone.size + kept.size === 0) return changed;
      const listing = { prefix: 'evt_', where: { job_id: { exists: true } }, only: ['job_id'] };
      for await (const { pk, sk, job_id: id } of table.all(`ORG#${organizationId}`, listing)) {
        const jobId = id as string;
        if (gone.has(jobId)) {
          // The body first, because the row leads to it.
          await table.delete(bodyKey(organizationId, sk));
          await table.delete({ pk, sk });
        }
        if (gone.has(jobId) || (kept.has(jobId) && (await forgetText(organizationId, sk)))) changed += 1;
      }
      return changed;
    },
  };
};

export const openEventWriter = (runtime: Runtime): EventWriter => {
  const table = openTable(runtime, 'events');
  const reader = openEventReader(runtime);
  return {
    ...reader,
    record: async (event, retentionDays) => {
      const now = runtime.clock.now();
      const expiresAt = epochSeconds(new Date(event.createdAt)) + retentionDays * daySeconds;
      // The body is stored first and expires last, so a listed event always has a body.
      await table.put(
        { ...bodyKey(event.organizationId, event.id), body: event.body, expires_at_epoch: expiresAt + daySeconds },
        absent,
      );
      await table.put(
        {
          ...rowKey(event.organizationId, event.id),
          event_type: event.type,
          status: 'recorded',
          created_at: event.createdAt,
          ...(event.indexId === null ? {} : { index_id: event.indexId }),
          ...(event.jobId === null ? {} : { job_id: event.jobId }),
          expires_at_epoch: expiresAt,
          ...dueBy('relay', event.organizationId, laterBy(now, relayGraceSeconds * 1000)),
        },
        absent,
      );
    },
    ...removalsOf(table, reader),
    ...relayStateOf(table),
  };
};

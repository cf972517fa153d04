import { textOf } from '../db/read-item.ts';
import { absent, type Condition, present } from '../db/condition.ts';
import type { Item, Page, Table } from '../db/contracts.ts';
import { dueAttributes, dueBy, epochSeconds } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { daySeconds } from '../kernel/durations.ts';
import { newId } from '../kernel/ids.ts';
import { withoutText } from './compact.ts';
import { countOlder } from './count-older.ts';
import type { Envelope, EventType } from './event-data.ts';
import type { EventRef, EventStatus } from './schemas.ts';
import type { NewEvent } from './build.ts';

/** An event as the history lists it. */
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
  /** An event of the history; null where it is past its retention. */
  get(organizationId: string, eventId: string): Promise<EventRecord | null>;
  /** The envelope as JSON; null where it is past its retention. */
  body(organizationId: string, eventId: string): Promise<string | null>;
  /** The events from `offset` on, newest first, and how many match in all: those behind the page are only counted. */
  page(
    organizationId: string,
    filter: EventFilter,
    window: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly events: readonly EventRecord[]; readonly total: number }>;
  /**
   * Events of the time from `from` on and before `to`, oldest first, of some types or all (null).
   * @param after An event to go on after, in place of `from`.
   */
  between(organizationId: string, range: EventRange, after?: string): AsyncIterable<EventRecord>;
  /** Events that should have been handed over, of every organization in turn. */
  overdue(until: Date, limit: number): Promise<readonly EventRef[]>;
}

export interface EventWriter extends EventReader {
  /** Keeps an event, once however often it is called. */
  record(event: NewEvent, retentionDays: number): Promise<void>;
  /** Takes the text of a file out of a recorded event for good; nothing where there is none. May be repeated. */
  forgetText(organizationId: string, eventId: string): Promise<void>;
  /** Ends the way out of a recorded event; does nothing where it has ended. */
  settle(organizationId: string, eventId: string, status: 'dispatched' | 'failed'): Promise<void>;
  /** Keeps a recorded event from the sweep until a later time; does nothing where its way out has ended. */
  putOff(organizationId: string, eventId: string, until: Date): Promise<void>;
}

const relayGraceSeconds = 60;

/** Bodies lie apart from the listing, so that counting and paging read a few hundred bytes an event, not its payload. */
const rowKey = (organizationId: string, eventId: string) => ({ pk: `ORG#${organizationId}`, sk: eventId });
const bodyKey = (organizationId: string, eventId: string) => ({
  pk: `ORG#${organizationId}#EVENT#${eventId}`,
  sk: 'BODY',
});

/** Sorts before every event of the moment and after every earlier one. */
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
  // The table drops expired items in its own time; callers see them leave on time.
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

const wayOutOf = (table: Table): Pick<EventWriter, 'settle' | 'putOff'> => ({
  settle: async (organizationId, eventId, status) => {
    await table.update(rowKey(organizationId, eventId), {
      set: { status },
      remove: dueAttributes,
      condition: { status: { eq: 'recorded' } },
    });
  },
  putOff: async (organizationId, eventId, until) => {
    await table.update(rowKey(organizationId, eventId), {
      set: dueBy('relay', organizationId, until),
      condition: { status: { eq: 'recorded' } },
    });
  },
});

export const openEventWriter = (runtime: Runtime): EventWriter => {
  const table = openTable(runtime, 'events');
  const reader = openEventReader(runtime);
  return {
    ...reader,
    record: async (event, retentionDays) => {
      const now = runtime.clock.now();
      const expiresAt = epochSeconds(new Date(event.createdAt)) + retentionDays * daySeconds;
      // The body first and gone last: whoever sees the event finds what it says.
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
    forgetText: async (organizationId, eventId) => {
      const body = await reader.body(organizationId, eventId);
      if (body === null) return;
      const rest = JSON.stringify(withoutText(JSON.parse(body) as Envelope));
      if (rest === body) return;
      await table.update(bodyKey(organizationId, eventId), {
        set: { body: rest },
        condition: present,
      });
    },
    ...wayOutOf(table),
  };
};

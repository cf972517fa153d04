import * as z from 'zod';
import { absent } from '../db/condition.ts';
import type { Condition } from '../db/condition.ts';
import type { Item, Page } from '../db/contracts.ts';
import { epochSeconds, epochSecondsAfter } from '../db/due.ts';
import { textOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import type { AuditActor, AuditLog, AuditRecord } from '../http/audit.ts';
import type { AuditAction } from '../http/audit-actions.ts';
import { laterBy } from '../kernel/clock.ts';
import type { Runtime } from '../kernel/capability.ts';
import { dayMs } from '../kernel/durations.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import type { Json } from '../kernel/json.ts';

const retentionDays = 365;

/** Outcome of a change: that it succeeded, or that its request ended without a known result. */
export type AuditOutcome = 'succeeded' | 'unknown';

export interface StoredAuditRecord extends AuditRecord {
  readonly outcome: AuditOutcome;
}

/** Selection of records. Absent fields select all. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  /** Id or e-mail address of the actor or of one of its creators. */
  readonly actor?: string | undefined;
  /** Id of the resource, or of its index. */
  readonly resourceId?: string | undefined;
  /** Start (inclusive) and end (exclusive) of the time. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface AuditReader {
  /** Returns a page of records, newest first. `after` is the id of the last record of the previous page. */
  page(
    organizationId: string,
    filter: AuditFilter,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly records: readonly StoredAuditRecord[]; readonly next: string | null }>;
  get(organizationId: string, id: string): Promise<StoredAuditRecord | null>;
}

/** Month of a time, such as `2026-11`. */
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

const partitionOf = (organizationId: string, month: string): string => `ORG#${organizationId}#${month}`;

const keyOf = (organizationId: string, id: string) => ({
  pk: partitionOf(organizationId, monthOf(timeOf(id))),
  sk: id,
});

/** Returns the months from `from` to `to`, newest first. */
const monthsBetween = (from: Date, to: Date): readonly string[] => {
  const months: string[] = [];
  const first = monthOf(from);
  for (let at = to; monthOf(at) >= first; at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0)))
    months.push(monthOf(at));
  return months;
};

/** Returns a sort key before every record at a time, and after every earlier record. */
const startOf = (at: Date): string => newId('audit', at).slice(0, 'audit_'.length + 10);

/** Outcome in the table. The record of a refused request has expired. */
type StoredOutcome = AuditOutcome | 'refused';

const toItem = (record: AuditRecord, outcome: StoredOutcome, expiresAtEpoch: number): Item => {
  const { id, organizationId, at, action, actor, resource, indexId, sourceIp, userAgent, requestId, details } = record;
  return {
    ...keyOf(organizationId, id),
    at,
    action,
    outcome,
    actor: { kind: actor.kind, id: actor.id, email: actor.email, creators: [...actor.creators] },
    resource: { ...resource },
    // A filter matches these as a whole.
    actor_keys: [actor.id, ...actor.creators, ...(actor.email === null ? [] : [actor.email])],
    resource_keys: [resource.id, indexId].filter((key) => key !== null),
    ...(indexId === null ? {} : { index_id: indexId }),
    ...(sourceIp === null ? {} : { source_ip: sourceIp }),
    ...(userAgent === null ? {} : { user_agent: userAgent }),
    request_id: requestId,
    // As text, since DynamoDB has no numbers beyond 10^±125.
    details: JSON.stringify(details),
    expires_at_epoch: expiresAtEpoch,
  };
};

const organizationIn = ({ pk }: Item): string => pk.split('#')[1] ?? '';

const toRecord = (item: Item): StoredAuditRecord => ({
  id: item.sk,
  organizationId: organizationIn(item),
  at: item['at'] as string,
  action: item['action'] as AuditAction,
  outcome: item['outcome'] as AuditOutcome,
  actor: item['actor'] as unknown as AuditActor,
  resource: item['resource'] as unknown as AuditRecord['resource'],
  indexId: textOf(item, 'index_id'),
  sourceIp: textOf(item, 'source_ip'),
  userAgent: textOf(item, 'user_agent'),
  requestId: item['request_id'] as string,
  details: JSON.parse(item['details'] as string) as Readonly<Record<string, Json>>,
});

const whereOf = ({ action, actor, resourceId, from }: AuditFilter, now: Date): Condition => ({
  expires_at_epoch: { gt: epochSeconds(now) },
  ...(action === undefined ? {} : { action: { eq: action } }),
  ...(actor === undefined ? {} : { actor_keys: { contains: actor } }),
  ...(resourceId === undefined ? {} : { resource_keys: { contains: resourceId } }),
  ...(from === undefined ? {} : { at: { gte: from.toISOString() } }),
});

/** Opens the log for its reader. */
export const openAuditReader = (runtime: Runtime): AuditReader => {
  const table = openTable(runtime, 'audit');
  return {
    get: async (organizationId, id) => {
      const item = await table.get(keyOf(organizationId, id));
      const isShown = item !== null && (item['expires_at_epoch'] as number) > epochSeconds(runtime.clock.now());
      return isShown ? toRecord(item) : null;
    },
    page: async (organizationId, filter, { limit, after }) => {
      const now = runtime.clock.now();
      const oldest = laterBy(now, -retentionDays * dayMs);
      const end = filter.to === undefined || filter.to > now ? null : startOf(filter.to);
      const months = monthsBetween(
        filter.from === undefined || filter.from < oldest ? oldest : filter.from,
        after !== null ? timeOf(after) : end === null ? now : (filter.to ?? now),
      );
      const where = whereOf(filter, now);
      const items: Item[] = [];
      for (const [at, month] of months.entries()) {
        const read: Page = await table.query(partitionOf(organizationId, month), {
          newestFirst: true,
          after: at === 0 ? (after ?? end) : null,
          // One more shows whether there is a next page.
          limit: limit + 1 - items.length,
          where,
        });
        items.push(...read.items);
        if (items.length > limit)
          return { records: items.slice(0, limit).map(toRecord), next: items[limit - 1]?.sk ?? null };
        if (read.next !== null) return { records: items.map(toRecord), next: read.next };
      }
      return { records: items.map(toRecord), next: null };
    },
  };
};

/** Reference to a record; also the queue message that relays it to webhook endpoints. */
export const AuditRef = z.object({ organization_id: z.string(), audit_id: z.string() });
export type AuditRef = z.infer<typeof AuditRef>;

/** Delay of that message, by which the record has most often succeeded. */
const relayDelaySeconds = 1;

const notSucceeded = { outcome: { either: [[{ exists: false }], [{ ne: 'succeeded' }]] } } as const satisfies Condition;

/**
 * Opens the log for its writer, which only puts items. A record begins with an unknown outcome, and its success or its
 * refusal replaces that. Nothing replaces a success.
 */
export const openAuditLog = (runtime: Runtime): AuditLog => {
  const table = openTable(runtime, 'audit');
  const expiryOf = ({ at }: AuditRecord): number => epochSecondsAfter(laterBy(at, retentionDays * dayMs));
  return {
    begin: async (record) => {
      const item = toItem(record, 'unknown', expiryOf(record));
      if (await table.put(item, absent)) return;
      // A repeat of a refused request begins again.
      await table.put(item, { outcome: { eq: 'refused' } });
    },
    succeed: async (record) => {
      // Sent before the record has succeeded: the relay repeats a message whose record has not, so no event is lost.
      const ref: AuditRef = { organization_id: record.organizationId, audit_id: record.id };
      const { sendMessage } = await import('../platform/aws/queue.ts');
      await sendMessage(runtime, 'relay', runtime.config.homeRegion, ref, { delaySeconds: relayDelaySeconds });
      await table.put(toItem(record, 'succeeded', expiryOf(record)), notSucceeded);
    },
    refuse: async (record) => {
      const item = toItem(record, 'refused', epochSeconds(runtime.clock.now()));
      await table.put(item, { outcome: { eq: 'unknown' }, request_id: { eq: record.requestId } });
    },
  };
};

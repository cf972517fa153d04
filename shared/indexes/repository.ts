import { numberOf, textOf } from '../db/read-item.ts';
import { absent, present } from '../db/condition.ts';
import { epochSeconds } from '../db/due.ts';
import type { Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { defaultMaxIndexBytes, defaultMaxIndexNumbers } from '../kernel/config.ts';
import { dayMs } from '../kernel/durations.ts';
import type { Attributes, Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { deleteWithEvents } from '../events/index.ts';
import type { IndexReader, IndexWriter, VersionConflict } from './contracts.ts';
import {
  containsText,
  counting,
  firstReadable,
  type IndexRecord,
  indexKey,
  isLive,
  live,
  toIndexRecord,
} from './record.ts';
import { expiryNotes, laterMaintenance } from './later-maintenance.ts';
import { additions, countIndexes, names, removals } from './lifecycle.ts';
import { reconciliations } from './reconciliation.ts';
import { settingsAttributes, stateAttributes } from './to-item.ts';
import type { UsageCounters, VectorQuota } from '../usage/index.ts';

const receiptKey = (organizationId: string, indexId: string, receiptId: string) => ({
  pk: `RECEIPTS#${organizationId}#${indexId}`,
  sk: receiptId,
});

export const countersAttributes = ({ revision, totals, base, start, ...usage }: UsageCounters) => ({
  usage: { ...usage, totals: { ...totals }, base: { ...base }, start: { ...start } },
  usage_revision: revision,
});

/** Condition that the stored counters are those on which new ones are based. */
export const unchangedCounters = ({ revision }: UsageCounters) => ({
  usage_revision: revision === 1 ? { exists: false } : { eq: revision - 1 },
});

const changed = (item: Item | null): IndexRecord | null => (item === null ? null : toIndexRecord(item));

const readsOf = ({ config }: Runtime, table: Table): IndexReader => {
  return {
    limits: {
      numbers: config.maxIndexNumbers ?? defaultMaxIndexNumbers,
      bytes: config.maxIndexBytes ?? defaultMaxIndexBytes,
    },
    get: async (organizationId, indexId) => {
      const item = await table.get(indexKey(organizationId, indexId));
      return item === null ? null : toIndexRecord(item);
    },
    list: async (organizationId, { limit, after, newestFirst = true, nameContains }) => {
      const pk = `ORG#${organizationId}`;
      const query = { ...counting, newestFirst, after };
      if (nameContains === undefined) {
        const page = await table.query(pk, { ...query, limit });
        return { indexes: page.items.map(toIndexRecord), next: page.next };
      }
      const ids: string[] = [];
      // Names alone, because the records of 10,000 indexes have many megabytes.
      for await (const { sk, name } of table.all(pk, { ...query, only: ['name'] })) {
        if (containsText(name as string, nameContains)) ids.push(sk);
        if (ids.length > limit) break;
      }
      const items = await Promise.all(ids.slice(0, limit).map((sk) => table.get({ pk, sk })));
      const indexes = items.flatMap((item) => (item === null ? [] : [toIndexRecord(item)])).filter(isLive);
      return { indexes, next: ids.length > limit ? (ids[limit - 1] ?? null) : null };
    },
    count: (organizationId) => countIndexes(table, organizationId),
    receipt: async (organizationId, indexId, receiptId) => {
      const item = await table.get(receiptKey(organizationId, indexId, receiptId));
      if (item === null) return null;
      return {
        written: item['written'] as number,
        deleted: item['deleted'] as number,
        error: textOf(item, 'error'),
        ...(item['conflicts'] === undefined ? {} : { conflicts: item['conflicts'] as readonly VersionConflict[] }),
        ...(item['left_out'] === undefined ? {} : { leftOut: item['left_out'] as number }),
        ...(item['missing'] === undefined ? {} : { missing: item['missing'] as readonly string[] }),
        ...(item['room'] === undefined ? {} : { quota: item['room'] as unknown as VectorQuota }),
      };
    },
  };
};

const creating = { ...present, status: { eq: 'creating' } } as const;

/** Condition that all slots of an event are free. */
const freeSlots = (event: Attributes) => {
  const slots = Object.keys(event).filter((attribute) => attribute.startsWith('outbox_'));
  return Object.fromEntries(slots.map((slot) => [slot, { exists: false }]));
};

const callerChanges = (table: Table): Pick<IndexWriter, 'item' | 'update'> => ({
  item: (organizationId, indexId) => table.get(indexKey(organizationId, indexId)),
  update: (former, { name, searchDefaults, usageKey, ttlSeconds, versionDays, queryLog }, event) =>
    table.update(indexKey(former.organizationId, former.id), {
      // As text, because the names in a filter may be any.
      set: {
        name,
        search_defaults: searchDefaults === null ? '' : JSON.stringify(searchDefaults),
        usage_key: usageKey ?? undefined,
        ttl_seconds: ttlSeconds ?? undefined,
        version_days: versionDays,
        query_log: queryLog === null ? '' : JSON.stringify(queryLog),
        ...event,
      },
      remove: [...(usageKey === null ? ['usage_key'] : []), ...(ttlSeconds === null ? ['ttl_seconds'] : [])],
      ...(former.status === 'creating' ? { setOnce: { created_name: former.name } } : {}),
      condition: { name: { eq: former.name }, status: { eq: former.status }, ...freeSlots(event) },
    }),
});

const lifeChanges = (table: Table): Pick<IndexWriter, 'markReady' | 'markBranchReady' | 'remove'> => ({
  markReady: ({ organizationId, id, name }, state, event) =>
    table.update(indexKey(organizationId, id), {
      set: { status: 'ready', ...stateAttributes(state), ...event },
      condition: { ...creating, name: { eq: name } },
    }),
  markBranchReady: async (organizationId, indexId, parent, { state, usage }) => {
    const set = {
      status: 'ready',
      ancestors: parent.layers.map(({ table: name, version }) => ({ table: name, version })),
      ...settingsAttributes(parent),
      ...(parent.expiresFrom === null ? {} : { expires_from: parent.expiresFrom }),
      ...stateAttributes(state),
      ...countersAttributes(usage),
    };
    await table.update(indexKey(organizationId, indexId), { set, condition: creating });
  },
  remove: async (organizationId, indexId, events) => {
    await deleteWithEvents(table, events, organizationId, indexKey(organizationId, indexId));
  },
});

const commits = (table: Table): Pick<IndexWriter, 'saveState' | 'saveUsage' | 'saveExpiry'> => ({
  saveState: async (organizationId, indexId, state, commit, event = {}) => {
    const set = {
      ...stateAttributes(state),
      last_written_at: commit.at,
      ...countersAttributes(commit.usage),
      ...(commit.room === null ? {} : { room: { ...commit.room } }),
      ...(commit.expiresFrom === null ? {} : { expires_from: commit.expiresFrom }),
      ...(commit.erasedFrom === null ? {} : { erased_from: { ...commit.erasedFrom } }),
      ...event,
    };
    const unchanged = { version: { lte: state.version }, ...unchangedCounters(commit.usage) } as const;
    const condition = { ...present, ...unchanged, ...freeSlots(event) };
    return changed(await table.update(indexKey(organizationId, indexId), { set, condition }));
  },
  saveExpiry: async ({ organizationId, id }, from) => {
    await table.update(indexKey(organizationId, id), { set: { expires_from: from }, condition: present });
  },
  saveUsage: async ({ organizationId, id }, usage) => {
    const change = { set: countersAttributes(usage), condition: { ...present, ...unchangedCounters(usage) } };
    return changed(await table.update(indexKey(organizationId, id), change));
  },
});

const erasures = (table: Table): Pick<IndexWriter, 'raiseFirstReadable' | 'detach'> => ({
  raiseFirstReadable: async (index, version) => {
    if (version <= firstReadable(index)) return;
    const [{ table: name }] = index.layers;
    await table.update(indexKey(index.organizationId, index.id), {
      set: { erased_from: { table: name, version } },
      condition: present,
    });
  },
  detach: async ({ organizationId, id }) => {
    await table.update(indexKey(organizationId, id), { set: { ancestors: [] }, condition: present });
  },
});

const logChanges = (table: Table): Pick<IndexWriter, 'changeDependents' | 'removeTable' | 'addReceipt'> => ({
  removeTable: async (organizationId, indexId, otherTable) => {
    const change = { exclude: { other_tables: [otherTable] }, condition: present };
    await table.update(indexKey(organizationId, indexId), change);
  },
  changeDependents: async (organizationId, indexId, { include, exclude }) => {
    const item = await table.update(indexKey(organizationId, indexId), {
      include: { dependents: include === undefined ? [] : [include] },
      exclude: { dependents: exclude === undefined ? [] : [exclude] },
      condition: present,
    });
    return item === null ? null : toIndexRecord(item);
  },
  addReceipt: async (organizationId, indexId, receiptId, receipt, expiresAt) => {
    await table.put(
      {
        ...receiptKey(organizationId, indexId, receiptId),
        written: receipt.written,
        deleted: receipt.deleted,
        ...(receipt.error === null ? {} : { error: receipt.error }),
        ...(receipt.conflicts === undefined
          ? {}
          : { conflicts: receipt.conflicts.map((conflict) => ({ ...conflict })) }),
        ...(receipt.leftOut === undefined ? {} : { left_out: receipt.leftOut }),
        ...(receipt.missing === undefined ? {} : { missing: [...receipt.missing] }),
        ...(receipt.quota === undefined ? {} : { room: { ...receipt.quota } }),
        expires_at_epoch: epochSeconds(expiresAt),
      },
      absent,
    );
  },
});

const maintenance = (table: Table): Pick<IndexWriter, 'leaseMaintenance' | 'endMaintenance' | 'failMaintenance'> => ({
  leaseMaintenance: async ({ organizationId, id, maintenanceLease: former }, lease) =>
    changed(
      await table.update(indexKey(organizationId, id), {
        set: { maintenance_lease: { ...lease } },
        condition: {
          ...live,
          maintenance_lease: former === null ? { exists: false } : { eq: { ...former } },
        },
      }),
    ),
  endMaintenance: async ({ organizationId, id, layers: [{ table: maintained }] }, leaseId, state) => {
    const key = indexKey(organizationId, id);
    for (;;) {
      const item = await table.get(key);
      if (item === null) return null;
      const index = toIndexRecord(item);
      const [{ table: name, version }] = index.layers;
      // A rebuild has replaced the table meanwhile.
      if (name !== maintained) return index;
      // A commit that is not recorded yet is recorded by its run, with its usage.
      const isNext = version >= state.commitVersion && version < state.version;
      const saved = await table.update(key, {
        set: { maintained_version: state.version, ...(isNext ? stateAttributes(state) : {}) },
        remove: ['maintenance_failures', ...(index.maintenanceLease?.id === leaseId ? ['maintenance_lease'] : [])],
        condition: { ...present, version: { eq: version } },
      });
      if (saved !== null) return toIndexRecord(saved);
    }
  },
  failMaintenance: async ({ organizationId, id }, failures, pause) => {
    await table.update(indexKey(organizationId, id), {
      set: { maintenance_failures: { ...failures }, maintenance_lease: { ...pause } },
      condition: present,
    });
  },
});

const retries = (table: Table): Pick<IndexWriter, 'countRetry' | 'noteFailedRetry'> => ({
  countRetry: async ({ organizationId, id }, messageId, now) => {
    const item = await table.update(receiptKey(organizationId, id, `retries-${messageId}`), {
      add: { begun: 1 },
      setOnce: { since: now.toISOString() },
      set: { expires_at_epoch: epochSeconds(laterBy(now, dayMs)) },
    });
    if (item === null) throw new Error('a retry could not be counted');
    const since = new Date(textOf(item, 'since') ?? now);
    return { begun: numberOf(item, 'begun'), failed: numberOf(item, 'failed'), since };
  },
  noteFailedRetry: async ({ organizationId, id }, messageId) => {
    const change = { add: { failed: 1 }, condition: present };
    await table.update(receiptKey(organizationId, id, `retries-${messageId}`), change);
  },
});

export const openIndexReader = (runtime: Runtime): IndexReader => readsOf(runtime, openTable(runtime, 'indexes'));

export const openIndexWriter = (runtime: Runtime): IndexWriter => {
  const table = openTable(runtime, 'indexes');
  return {
    ...readsOf(runtime, table),
    ...callerChanges(table),
    ...lifeChanges(table),
    ...commits(table),
    ...erasures(table),
    ...logChanges(table),
    ...maintenance(table),
    ...retries(table),
    ...additions(table),
    ...names(table),
    ...removals(table),
    ...laterMaintenance(table),
    ...expiryNotes(table),
    ...reconciliations(table),
  };
};

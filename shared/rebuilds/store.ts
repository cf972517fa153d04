import { present } from '../db/condition.ts';
import type { Attributes, Key, Table } from '../db/contracts.ts';
import { membersOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import {
  deleteWithEvents,
  type EventRecorder,
  fillSlot,
  rebuildCompleted,
  rebuildFailed,
  recordEvents,
} from '../events/index.ts';
import {
  type Content,
  contentOf,
  countersAttributes,
  dependentOf,
  indexKey,
  type IndexRecord,
  live,
  otherTableOf,
  settingsAttributes,
  stateAttributes,
  toIndexRecord,
  unchangedCounters,
} from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import type { UsageCounters } from '../usage/index.ts';
import {
  addressOfRebuild,
  fillingStatuses,
  hasTakenOver,
  type RebuildAddress,
  rebuildKey,
  rebuildNoteKey,
  rebuildPartition,
  type RebuildRecord,
  type RebuildStatus,
  rollbackEnd,
  toRebuildRecord,
} from './record.ts';
import { rebuildDue } from './rebuild-due.ts';

/** Lease of the run that works on a rebuild. Until then no other run does. */
export interface RebuildLease {
  readonly id: string;
  readonly until: string;
}

/** Attributes that a step changes. Null removes one. */
export type RebuildStep = Partial<
  Pick<
    RebuildRecord,
    | 'status'
    | 'other'
    | 'followed'
    | 'target'
    | 'figures'
    | 'counted'
    | 'switches'
    | 'evaluationId'
    | 'isProved'
    | 'purgedAt'
  >
>;

/** Rebuilds as seen by their worker, the writer of the log and the sweep. */
export interface RebuildStore {
  find(address: RebuildAddress): Promise<RebuildRecord | null>;
  /** Leases a rebuild to a run. Returns null if another run has it, or if it is gone. */
  lease(address: RebuildAddress, lease: RebuildLease, at: string): Promise<RebuildRecord | null>;
  /** Stores a step of the run with the lease. Returns null if the status has changed meanwhile, or the lease is lost. */
  save(current: RebuildRecord, leaseId: string, step: RebuildStep): Promise<RebuildRecord | null>;
  release(address: RebuildAddress, leaseId: string): Promise<void>;
  /** Marks the figures as counted in the usage of the index. */
  markCounted(current: RebuildRecord): Promise<void>;
  /** Ends a rebuild that has not taken over, with `index.rebuild.failed`. Returns null if it has ended. */
  fail(current: RebuildRecord, error: string, at: string): Promise<RebuildRecord | null>;
  /** Stores that the log could not switch yet, because too much has changed. The worker goes on. */
  resume(address: RebuildAddress): Promise<void>;
  /** Stores why a takeover cannot be undone. */
  refuseRollback(address: RebuildAddress, error: string): Promise<void>;
  /**
   * Makes the other content that of the index, in one write with the usage of the index and the end of the rebuild.
   * Returns the changed index; null if its version or counters have changed, or if the rebuild is not about to switch.
   */
  switchContent(
    index: IndexRecord,
    rebuild: RebuildRecord,
    next: Content,
    commit: { readonly at: string; readonly usage: UsageCounters },
  ): Promise<IndexRecord | null>;
  /** Records the event of a rebuild. A failure is left to the sweep. */
  recordEvent(address: RebuildAddress): Promise<void>;
  /**
   * Stores that nothing is left to do for a rebuild.
   * @param dropped Member of `otherTables` that was dropped; null if branches still read it.
   */
  end(current: RebuildRecord, dropped: string | null, at: string): Promise<void>;
  /** Keys of rebuilds that are due. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next look. Returns the rebuild; null if it is gone or has ended. */
  postpone(address: RebuildAddress, at: Date): Promise<RebuildRecord | null>;
  /** Deletes the records of the rebuilds of an index. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
}

const rebuildEvents = recordEvents('indexes');

const attributesOf = ({ status, switches, evaluationId, isProved, purgedAt, ...rest }: RebuildStep) => {
  const set: Record<string, Attributes[string]> = {};
  const remove: string[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (value === null) remove.push(name);
    else if (value !== undefined) set[name] = JSON.stringify(value);
  }
  if (status !== undefined) set['status'] = status;
  if (switches !== undefined) set['switches'] = switches;
  if (evaluationId != null) set['evaluation_id'] = evaluationId;
  if (isProved === true) set['proved'] = true;
  if (purgedAt != null) set['purged_at'] = purgedAt;
  return { set, remove };
};

/** Statuses between which the log switches. */
const switchEnds: Readonly<Partial<Record<RebuildStatus, RebuildStatus>>> = {
  switching: 'completed',
  switching_back: 'rolled_back',
};

const leasesOf = (table: Table): Pick<RebuildStore, 'lease' | 'save' | 'release'> => ({
  lease: async (address, { id, until }, at) => {
    const key = rebuildKey(address);
    const set = { lease_id: id, lease_until: until };
    const isFree = { lease_until: { either: [[{ exists: false }], [{ lt: at }]] } } as const;
    const item =
      (await table.update(key, { set, condition: { ...present, ...isFree } })) ??
      (await table.update(key, { set, condition: { ...present, lease_id: { eq: id } } }));
    return item === null ? null : toRebuildRecord(item);
  },
  save: async (current, leaseId, step) => {
    const item = await table.update(rebuildKey(addressOfRebuild(current)), {
      ...attributesOf(step),
      condition: { ...present, status: { eq: current.status }, lease_id: { eq: leaseId } },
    });
    return item === null ? null : toRebuildRecord(item);
  },
  release: async (address, leaseId) => {
    const change = { remove: ['lease_id', 'lease_until'], condition: { ...present, lease_id: { eq: leaseId } } };
    await table.update(rebuildKey(address), change);
  },
});

/** Returns the change of the record of an index whose content becomes another. */
const switchedIndex = (index: IndexRecord, rebuild: RebuildRecord, next: Content, usage: UsageCounters) => {
  const [{ table, version }] = index.layers;
  const followed = rebuild.followed === null ? [] : [dependentOf(rebuild.id, rebuild.followed)];
  return {
    set: {
      table: next.table,
      ...settingsAttributes(next),
      ...stateAttributes(next.state),
      maintained_version: next.state.version,
      ...countersAttributes(usage),
    },
    remove: ['maintenance_lease', 'maintenance_failures', 'room'],
    include: {
      other_tables: [otherTableOf(contentOf(index))],
      dependents: [dependentOf(rebuild.id, { table: next.table, version: next.state.version })],
    },
    condition: {
      ...live,
      version: { eq: version },
      rebuild_id: { eq: rebuild.id },
      ...unchangedCounters(usage),
      table: table === index.id ? { either: [[{ exists: false }], [{ eq: table }]] } : { eq: table },
    },
    released: { other_tables: [otherTableOf(next)], dependents: followed },
  } as const;
};

type Find = RebuildStore['find'];

const outcomesOf = (
  table: Table,
  find: Find,
): Pick<RebuildStore, 'markCounted' | 'fail' | 'resume' | 'refuseRollback'> => ({
  markCounted: async (current) => {
    const set = { counted: JSON.stringify(current.figures) };
    await table.update(rebuildKey(addressOfRebuild(current)), { set, condition: present });
  },
  fail: async (current, error, at) => {
    const { organizationId, indexId: index_id, id } = current;
    const event = rebuildFailed({ organizationId, at: new Date(at), rebuild: { id, index_id, error } });
    const item = await table.update(rebuildKey(addressOfRebuild(current)), {
      set: { status: 'failed', error, completed_at: at, ...fillSlot('terminal', event) },
      condition: { ...present, status: { in: [...fillingStatuses, 'switching'] } },
    });
    return item === null ? null : toRebuildRecord(item);
  },
  resume: async (address) => {
    const found = await find(address);
    if (found === null || switchEnds[found.status] === undefined) return;
    await table.update(rebuildKey(address), {
      set: { status: hasTakenOver(found) ? 'rolling_back' : 'running' },
      condition: { ...present, status: { eq: found.status } },
    });
  },
  refuseRollback: async (address, error) => {
    const change = { set: { status: 'completed', error }, condition: { status: { eq: 'switching_back' } } } as const;
    await table.update(rebuildKey(address), change);
  },
});

const switchesOf = (table: Table): Pick<RebuildStore, 'switchContent'> => ({
  switchContent: async (index, rebuild, next, { at, usage }) => {
    const { released, ...change } = switchedIndex(index, rebuild, next, usage);
    const { organizationId, indexId, id } = rebuild;
    const isTakeover = rebuild.status === 'switching';
    const { from, to, figures } = rebuild;
    // Of files that were cut again, another number of rows says nothing.
    const isCounted = !isTakeover || !isSameChunking(from.chunking, to.chunking);
    const leftOut = isCounted ? figures.leftOut : Math.max(0, index.state.rows - next.state.rows);
    const event = rebuildCompleted({
      organizationId,
      at: new Date(at),
      rebuild: {
        id,
        index_id: indexId,
        vectors: next.state.rows,
        left_out: leftOut,
        rollback_until: rollbackEnd(at, rebuild),
      },
    });
    const failed = await table.transact([
      { update: indexKey(organizationId, index.id), change },
      {
        update: rebuildKey(addressOfRebuild(rebuild)),
        change: {
          set: {
            status: switchEnds[rebuild.status],
            other: JSON.stringify(contentOf(index)),
            followed: JSON.stringify({ table: next.table, version: next.state.version }),
            figures: JSON.stringify({ ...figures, leftOut }),
            ...(isTakeover
              ? { completed_at: at, rollback_until: rollbackEnd(at, rebuild), ...fillSlot('terminal', event) }
              : {}),
          },
          remove: ['target'],
          condition: { ...present, status: { eq: rebuild.status } },
        },
      },
    ]);
    if (failed.length > 0) return null;
    // Members that are left here are superfluous, and the end of the rebuild removes them too.
    const item = await table.update(indexKey(organizationId, index.id), { exclude: released, condition: present });
    return item === null ? null : toIndexRecord(item);
  },
});

const endsOf = (
  table: Table,
  find: Find,
  events: EventRecorder,
): Pick<RebuildStore, 'recordEvent' | 'end' | 'overdue' | 'postpone' | 'removeAll'> => ({
  recordEvent: async (address) => {
    const item = await table.get(rebuildKey(address));
    if (item !== null) await events.flush(address.organizationId, item);
  },
  end: async (current, dropped, at) => {
    const address = addressOfRebuild(current);
    const { organizationId, indexId, id } = current;
    const index = await table.get(indexKey(organizationId, indexId));
    // A run that died after it switched may have left the table of the content among the others.
    const own = index === null ? [] : [otherTableOf(contentOf(toIndexRecord(index)))];
    if (index !== null)
      await table.update(indexKey(organizationId, indexId), {
        remove: ['rebuild_id'],
        exclude: {
          dependents: [...membersOf(index, 'dependents')].filter((member) => member.startsWith(`${id}@`)),
          other_tables: dropped === null ? own : [...own, dropped],
        },
        condition: { ...present, rebuild_id: { eq: id } },
      });
    await table.update(rebuildKey(address), { set: { ended_at: at }, condition: present });
    await table.delete(rebuildNoteKey(address));
  },
  overdue: (until, limit) => table.due('rebuilds', until.toISOString(), limit),
  postpone: async (address, at) => {
    const found = await find(address);
    if (found === null || found.endedAt !== null) {
      await table.delete(rebuildNoteKey(address));
      return null;
    }
    await table.update(rebuildNoteKey(address), {
      set: rebuildDue(address.organizationId, at),
      condition: present,
    });
    return found;
  },
  removeAll: async (organizationId, indexId) => {
    for await (const item of table.all(rebuildPartition(organizationId), { prefix: `${indexId}#` })) {
      const { id } = toRebuildRecord(item);
      await deleteWithEvents(table, events, organizationId, item);
      await table.delete(rebuildNoteKey({ organizationId, indexId, rebuildId: id }));
    }
  },
});

const openRebuildStore = (runtime: Runtime): RebuildStore => {
  const table = openTable(runtime, 'indexes');
  const find: Find = async (address) => {
    const item = await table.get(rebuildKey(address));
    return item === null ? null : toRebuildRecord(item);
  };
  return {
    find,
    ...leasesOf(table),
    ...outcomesOf(table, find),
    ...switchesOf(table),
    ...endsOf(table, find, rebuildEvents.make(runtime)),
  };
};

export const rebuildStore = capability<RebuildStore>(['indexes.read', ...rebuildEvents.needs], openRebuildStore);

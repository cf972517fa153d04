import { absent, present } from '../db/condition.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { type IndexRecord, indexKey, live, otherTableOf, tableOfRebuild } from '../indexes/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import {
  addressOfRebuild,
  fillingStatuses,
  type NewRebuild,
  type RebuildAddress,
  rebuildKey,
  rebuildNoteKey,
  rebuildPartition,
  type RebuildRecord,
  toRebuildRecord,
} from './record.ts';
import { rebuildDue } from './rebuild-due.ts';

export interface RebuildReader {
  find(address: RebuildAddress): Promise<RebuildRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly rebuilds: readonly RebuildRecord[]; readonly next: string | null }>;
}

export interface RebuildWriter extends RebuildReader {
  /** Returns the rebuilds of an organization that fill a successor. */
  countRunning(organizationId: string): Promise<number>;
  /** Stores a rebuild of an index that has none. Returns false if it has one, or is being deleted. */
  add(created: NewRebuild, index: IndexRecord): Promise<boolean>;
  /** Ends a rebuild that has not taken over. Returns null if it has, or is about to. */
  cancel(address: RebuildAddress): Promise<RebuildRecord | null>;
  /** Begins to make the former content that of the index again. Returns null if the time for that has passed. */
  rollBack(address: RebuildAddress, at: string): Promise<RebuildRecord | null>;
  /** Ends the time in which a takeover can be undone. Returns null if it cannot be undone anyway. */
  endWindow(address: RebuildAddress, at: string): Promise<RebuildRecord | null>;
}

const readerOf = (table: Table): RebuildReader => ({
  find: async (address) => {
    const item = await table.get(rebuildKey(address));
    return item === null ? null : toRebuildRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(rebuildPartition(organizationId), {
      prefix: `${indexId}#`,
      newestFirst: true,
      limit,
      after: after === null ? null : `${indexId}#${after}`,
    });
    return { rebuilds: page.items.map(toRebuildRecord), next: page.next?.split('#')[1] ?? null };
  },
});

const openRebuildReader = (runtime: Runtime): RebuildReader => readerOf(openTable(runtime, 'indexes'));

const additionsTo = (table: Table): Pick<RebuildWriter, 'countRunning' | 'add'> => ({
  countRunning: (organizationId) =>
    table.count(rebuildPartition(organizationId), {
      where: { status: { in: [...fillingStatuses, 'switching'] } },
    }),
  add: async (created, index) => {
    const { organizationId, id, indexId } = created;
    const address = addressOfRebuild(created);
    const successor = { engine: created.to.engine, table: tableOfRebuild(indexId, id) };
    const item = {
      ...rebuildKey(address),
      region: created.region,
      settings: JSON.stringify({ from: created.from, to: created.to }),
      foreign_vectors: created.foreignVectors,
      window_hours: created.windowHours,
      ...(created.proof === null ? {} : { proof: JSON.stringify(created.proof) }),
      created_at: created.createdAt,
      created_by: created.createdBy,
      status: 'queued',
    };
    const failed = await table.transact([
      { put: item, condition: absent },
      {
        update: indexKey(organizationId, indexId),
        change: {
          set: { rebuild_id: id },
          include: { other_tables: [otherTableOf(successor)] },
          condition: { ...live, rebuild_id: { exists: false }, engine: { eq: index.engine } },
        },
      },
      {
        update: rebuildNoteKey(address),
        change: { set: rebuildDue(organizationId, new Date(created.createdAt)) },
      },
    ]);
    return failed.length === 0;
  },
});

const openRebuildWriter = (runtime: Runtime): RebuildWriter => {
  const table = openTable(runtime, 'indexes');
  const change = async (address: RebuildAddress, ...[key, update]: Parameters<Table['update']>) => {
    const item = await table.update(key, update);
    if (item === null) return null;
    await table.update(rebuildNoteKey(address), { set: rebuildDue(address.organizationId, runtime.clock.now()) });
    return toRebuildRecord(item);
  };
  return {
    ...readerOf(table),
    ...additionsTo(table),
    cancel: (address) =>
      change(address, rebuildKey(address), {
        set: { status: 'cancelled' },
        condition: { ...present, status: { in: fillingStatuses } },
      }),
    rollBack: (address, at) =>
      change(address, rebuildKey(address), {
        set: { status: 'rolling_back' },
        condition: { ...present, status: { eq: 'completed' }, rollback_until: { gt: at } },
      }),
    endWindow: (address, at) =>
      change(address, rebuildKey(address), {
        set: { rollback_until: at },
        condition: { ...present, status: { eq: 'completed' }, rollback_until: { gt: at } },
      }),
  };
};

export const rebuildsRead = capability<RebuildReader>(['indexes.read'], openRebuildReader);
export const rebuildsWrite = capability<RebuildWriter>(['indexes.read', 'indexes.write'], openRebuildWriter);

import { absent, present } from '../db/condition.ts';
import type { Key, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { deleteWithEvents, type EventRecorder, fillSlot, indexErased, recordEvents } from '../events/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import {
  addressOfErasure,
  type ErasureAddress,
  erasureDue,
  erasureKey,
  erasurePartition,
  type ErasureRecord,
  type ErasureStep,
  type NewErasure,
  type SignedReceipt,
  stepAttributes,
  toErasureRecord,
} from './record.ts';

export interface ErasureReader {
  find(address: ErasureAddress): Promise<ErasureRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly erasures: readonly ErasureRecord[]; readonly next: string | null }>;
}

export interface ErasureWriter extends ErasureReader {
  /** Returns the erasures of an organization that have not ended. */
  countOpen(organizationId: string): Promise<number>;
  /** Stores an erasure; does nothing if it exists. */
  add(created: NewErasure): Promise<void>;
  /** Deletes an erasure whose request was refused. */
  withdraw(address: ErasureAddress): Promise<void>;
}

/** Erasures as seen by their worker and the sweep. */
export interface ErasureStore extends ErasureReader {
  /** Stores what a run has found. Returns null if another run has stored a step. */
  save(current: ErasureRecord, step: ErasureStep, at: Date): Promise<ErasureRecord | null>;
  /** Stores the receipt with `index.erased`, and forgets what was erased. Returns null as `save`. */
  complete(current: ErasureRecord, step: ErasureStep, receipt: SignedReceipt, at: Date): Promise<ErasureRecord | null>;
  /** Keys of erasures that are due. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next look. Returns the erasure; null if it is gone or has ended. */
  postpone(address: ErasureAddress, at: Date): Promise<ErasureRecord | null>;
  /** Deletes the erasures of an index. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
}

const readerOf = (table: Table): ErasureReader => ({
  find: async (address) => {
    const item = await table.get(erasureKey(address));
    return item === null ? null : toErasureRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(erasurePartition(organizationId), {
      prefix: `${indexId}#`,
      newestFirst: true,
      limit,
      after: after === null ? null : `${indexId}#${after}`,
    });
    return { erasures: page.items.map(toErasureRecord), next: page.next?.split('#')[1] ?? null };
  },
});

const openErasureReader = (runtime: Runtime): ErasureReader => readerOf(openTable(runtime, 'indexes'));

const openErasureWriter = (runtime: Runtime): ErasureWriter => {
  const table = openTable(runtime, 'indexes');
  return {
    ...readerOf(table),
    countOpen: (organizationId) =>
      table.count(erasurePartition(organizationId), { where: { completed_at: { exists: false } } }),
    add: async (created) => {
      const item = {
        ...erasureKey(addressOfErasure(created)),
        region: created.region,
        selected_by: created.by,
        selection: created.selection,
        created_at: created.createdAt,
        created_by: created.createdBy,
        revision: 0,
        ...erasureDue(created.organizationId, new Date(created.createdAt), false),
      };
      await table.put(item, absent);
    },
    withdraw: async (address) => {
      await table.delete(erasureKey(address), { erased_at: { exists: false } });
    },
  };
};

const erasureEvents = recordEvents('indexes');

const stepsOf = (table: Table, events: EventRecorder): Pick<ErasureStore, 'save' | 'complete'> => {
  const unchanged = ({ revision }: ErasureRecord) => ({ ...present, revision: { eq: revision } });
  return {
    save: async (current, step, at) => {
      const item = await table.update(erasureKey(addressOfErasure(current)), {
        set: {
          ...stepAttributes(step),
          revision: current.revision + 1,
          ...erasureDue(current.organizationId, at, step.erasedAt !== null),
        },
        condition: unchanged(current),
      });
      return item === null ? null : toErasureRecord(item);
    },
    complete: async (current, step, receipt, at) => {
      const { organizationId, indexId, id } = current;
      const completedAt = at.toISOString();
      const event = indexErased({ at, organizationId, erasure: { id, index_id: indexId } });
      const item = await table.update(erasureKey(addressOfErasure(current)), {
        set: {
          ...stepAttributes({ ...step, receipt, completedAt }),
          revision: current.revision + 1,
          ...fillSlot('terminal', event),
        },
        remove: ['selection'],
        condition: unchanged(current),
      });
      if (item === null) return null;
      await events.flush(organizationId, item);
      return toErasureRecord(item);
    },
  };
};

const openErasureStore = (runtime: Runtime): ErasureStore => {
  const table = openTable(runtime, 'indexes');
  const events = erasureEvents.make(runtime);
  const reader = readerOf(table);
  return {
    ...reader,
    ...stepsOf(table, events),
    overdue: (until, limit) => table.due('erasures', until.toISOString(), limit),
    postpone: async (address, at) => {
      const found = await reader.find(address);
      // The event of one that has ended is due by itself.
      if (found === null || found.completedAt !== null) return null;
      const item = await table.update(erasureKey(address), {
        set: erasureDue(address.organizationId, at, found.erasedAt !== null),
        condition: { ...present, completed_at: { exists: false } },
      });
      return item === null ? null : found;
    },
    removeAll: async (organizationId, indexId) => {
      for await (const item of table.all(erasurePartition(organizationId), { prefix: `${indexId}#` }))
        await deleteWithEvents(table, events, organizationId, item);
    },
  };
};

export const erasuresRead = capability<ErasureReader>(['indexes.read'], openErasureReader);
export const erasuresWrite = capability<ErasureWriter>(['indexes.read', 'indexes.write'], openErasureWriter);
export const erasureStore = capability<ErasureStore>(['indexes.read', ...erasureEvents.needs], openErasureStore);

import { absent, present } from '../db/condition.ts';
import type { Attributes, Key, Table } from '../db/contracts.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import {
  deleteWithEvents,
  exportCompleted,
  exportFailed,
  fillSlot,
  type NewEvent,
  recordEvents,
} from '../events/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { Layer } from '../platform/engine/port.ts';
import {
  addressOfExport,
  exportKey,
  exportPartition,
  type ExportAddress,
  type ExportPart,
  type ExportRecord,
  type NewExport,
  expiryOf,
  overdueExport,
  sizeOf,
  toExportRecord,
} from './record.ts';

export interface ExportReader {
  /** Returns null for an export that does not exist or is being deleted. */
  get(address: ExportAddress): Promise<ExportRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly exports: readonly ExportRecord[]; readonly next: string | null }>;
}

export interface ExportWriter extends ExportReader {
  /** Counts the exports of an organization: those that have files or will have them, and those that run. */
  count(organizationId: string): Promise<{ readonly stored: number; readonly running: number }>;
  /** Stores a new export; does nothing if it exists. */
  add(created: NewExport): Promise<void>;
  /** Hides an export whose files the worker is to delete. Returns null if there is none. */
  markDeleting(address: ExportAddress, at: string): Promise<ExportRecord | null>;
  /** Deletes an export that has no message and no files. */
  withdraw(address: ExportAddress): Promise<void>;
}

/** Result of a step. */
interface Step {
  readonly parts: readonly ExportPart[];
  readonly after: string | null;
  readonly at: string;
}

/** Exports as seen by their worker and its sweep. */
export interface ExportStore {
  /** Returns an export in any status. */
  find(address: ExportAddress): Promise<ExportRecord | null>;
  /** Stores what is read, and counts the export as running. Returns null if another run has stored a step. */
  begin(current: ExportRecord, layers: readonly Layer[], at: string): Promise<ExportRecord | null>;
  /** Stores the parts so far. Returns null if another run has stored a step. */
  advance(current: ExportRecord, step: Step): Promise<ExportRecord | null>;
  /** Stores the last parts and `export.completed`. Returns null if another run has stored a step. */
  complete(current: ExportRecord, step: Step): Promise<ExportRecord | null>;
  /** Ends an export that has not ended, with `export.failed`. Returns null if it has. */
  fail(address: ExportAddress, error: string, at: string): Promise<ExportRecord | null>;
  /** Records the event of an export that has ended. A failure is left to the sweep. */
  recordEvent(address: ExportAddress): Promise<void>;
  /** Deletes an export after its event is recorded. Throws 503 if it cannot be recorded now. */
  delete(address: ExportAddress): Promise<void>;
  /** Keys of exports without a step in time. */
  overdue(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next check. Returns null if the export is gone. */
  postpone(address: ExportAddress, at: string): Promise<ExportRecord | null>;
}

const exportEvents = recordEvents('exports');

const open = ['queued', 'running'] as const;

/** Attributes of an end with its event. The event makes the item due until it is recorded. */
const ended = (status: 'completed' | 'failed', at: string, event: NewEvent): Attributes => ({
  status,
  completed_at: at,
  expires_at_epoch: epochSecondsAfter(expiryOf(at)),
  ...fillSlot('terminal', event),
});

const readerOf = (table: Table): ExportReader => ({
  get: async (address) => {
    const item = await table.get(exportKey(address));
    return item === null || item['status'] === 'deleting' ? null : toExportRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(exportPartition(organizationId), {
      prefix: `${indexId}#`,
      newestFirst: true,
      limit,
      where: { status: { ne: 'deleting' } },
      after: after === null ? null : `${indexId}#${after}`,
    });
    return { exports: page.items.map(toExportRecord), next: page.next?.split('#')[1] ?? null };
  },
});

const openExportReader = (runtime: Runtime): ExportReader => readerOf(openTable(runtime, 'exports'));

const openExportWriter = (runtime: Runtime): ExportWriter => {
  const table = openTable(runtime, 'exports');
  return {
    ...readerOf(table),
    count: async (organizationId) => {
      const [stored, running] = await Promise.all([
        table.count(exportPartition(organizationId)),
        table.count(exportPartition(organizationId), { where: { status: { in: open } } }),
      ]);
      return { stored, running };
    },
    add: async (created) => {
      const item = {
        ...exportKey(addressOfExport(created)),
        region: created.region,
        format: created.format,
        created_at: created.createdAt,
        status: 'queued',
        revision: 0,
        ...overdueExport(created.organizationId, created.createdAt),
      };
      await table.put(item, absent);
    },
    markDeleting: async (address, at) => {
      const set = { status: 'deleting', ...overdueExport(address.organizationId, at) };
      const change = {
        set,
        remove: ['expires_at_epoch'],
        condition: { ...present, status: { ne: 'deleting' } },
      } as const;
      const item = await table.update(exportKey(address), change);
      return item === null ? null : toExportRecord(item);
    },
    withdraw: async (address) => {
      await table.delete(exportKey(address), { status: { eq: 'queued' } });
    },
  };
};

const stepsOf = (table: Table): Pick<ExportStore, 'begin' | 'advance' | 'complete'> => {
  const update = async (current: ExportRecord, set: Attributes) => {
    const item = await table.update(exportKey(addressOfExport(current)), {
      set: { ...set, revision: current.revision + 1 },
      condition: { ...present, status: { in: open }, revision: { eq: current.revision } },
    });
    return item === null ? null : toExportRecord(item);
  };
  const stepAttributes = ({ parts, after }: Step): Attributes => ({
    parts: JSON.stringify(parts),
    ...(after === null ? {} : { after }),
  });
  return {
    begin: (current, layers, at) =>
      update(current, {
        status: 'running',
        started_at: current.startedAt ?? at,
        layers: JSON.stringify(layers),
        ...overdueExport(current.organizationId, at),
      }),
    advance: (current, step) =>
      update(current, { ...stepAttributes(step), ...overdueExport(current.organizationId, step.at) }),
    complete: (current, step) => {
      const { organizationId, id, indexId } = current;
      const event = exportCompleted({
        organizationId,
        at: new Date(step.at),
        export: { id, index_id: indexId, ...sizeOf(step.parts), expires_at: expiryOf(step.at).toISOString() },
      });
      return update(current, { ...stepAttributes(step), ...ended('completed', step.at, event) });
    },
  };
};

const openExportStore = (runtime: Runtime): ExportStore => {
  const table = openTable(runtime, 'exports');
  const events = exportEvents.make(runtime);
  return {
    ...stepsOf(table),
    find: async (address) => {
      const item = await table.get(exportKey(address));
      return item === null ? null : toExportRecord(item);
    },
    fail: async (address, error, at) => {
      const { organizationId, indexId: index_id, exportId: id } = address;
      const event = exportFailed({ organizationId, at: new Date(at), export: { id, index_id, error } });
      const item = await table.update(exportKey(address), {
        set: { ...ended('failed', at, event), error },
        condition: { ...present, status: { in: open } },
      });
      return item === null ? null : toExportRecord(item);
    },
    recordEvent: async ({ organizationId, ...address }) => {
      const item = await table.get(exportKey({ organizationId, ...address }));
      if (item !== null) await events.flush(organizationId, item);
    },
    delete: async (address) => {
      await deleteWithEvents(table, events, address.organizationId, exportKey(address));
    },
    overdue: (until, limit) => table.due('exports', until.toISOString(), limit),
    postpone: async (address, at) => {
      const condition = { ...present, status: { in: [...open, 'deleting'] } };
      const item = await table.update(exportKey(address), {
        set: overdueExport(address.organizationId, at),
        condition,
      });
      return item === null ? null : toExportRecord(item);
    },
  };
};

export const exportsRead = capability<ExportReader>(['exports.read'], openExportReader);
export const exportsWrite = capability<ExportWriter>(['exports.read', 'exports.write'], openExportWriter);
export const exportStore = capability<ExportStore>(['exports.read', ...exportEvents.needs], openExportStore);

import { present } from '../db/condition.ts';
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
import type { Layer } from '#engine';
import {
  addressOfExport,
  type ExportAddress,
  exportKey,
  type ExportPart,
  type ExportRecord,
  expiryOf,
  openStatuses,
  overdueExport,
  sizeOf,
  toExportRecord,
} from './record.ts';

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
  begin(
    current: ExportRecord,
    pinned: { readonly layers: readonly Layer[]; readonly view: number },
    at: string,
  ): Promise<ExportRecord | null>;
  /** Drops the parts so far. Returns null if another run has stored a step. */
  restart(current: ExportRecord): Promise<ExportRecord | null>;
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

/** Attributes of an end with its event. The event makes the item due until it is recorded. */
const ended = (status: 'completed' | 'failed', at: string, event: NewEvent): Attributes => ({
  status,
  completed_at: at,
  expires_at_epoch: epochSecondsAfter(expiryOf(at)),
  ...fillSlot('terminal', event),
});

const stepsOf = (table: Table): Pick<ExportStore, 'begin' | 'restart' | 'advance' | 'complete'> => {
  const update = async (current: ExportRecord, set: Attributes, remove: readonly string[] = []) => {
    const item = await table.update(exportKey(addressOfExport(current)), {
      set: { ...set, revision: current.revision + 1 },
      remove,
      condition: { ...present, status: { in: openStatuses }, revision: { eq: current.revision } },
    });
    return item === null ? null : toExportRecord(item);
  };
  const stepAttributes = ({ parts, after }: Step): Attributes => ({
    parts: JSON.stringify(parts),
    ...(after === null ? {} : { after }),
  });
  return {
    restart: (current) => update(current, { restarts: current.restarts + 1 }, ['parts', 'after']),
    begin: (current, { layers, view }, at) =>
      update(current, {
        status: 'running',
        started_at: current.startedAt ?? at,
        layers: JSON.stringify(layers),
        view,
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
        condition: { ...present, status: { in: openStatuses } },
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
      const condition = { ...present, status: { in: [...openStatuses, 'deleting'] } };
      const item = await table.update(exportKey(address), {
        set: overdueExport(address.organizationId, at),
        condition,
      });
      return item === null ? null : toExportRecord(item);
    },
  };
};

export const exportStore = capability<ExportStore>(['exports.read', ...exportEvents.needs], openExportStore);

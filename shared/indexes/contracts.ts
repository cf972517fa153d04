import type { Attributes, Item, Key } from '../db/contracts.ts';
import type { Added } from '../db/limited-set.ts';
import type { EventRecorder } from '../events/index.ts';
import type { RetryCount } from '../pipeline/worker.ts';
import type { TableState } from '#engine';
import type { MaintenanceWork } from './build-queue.ts';
import type { IndexLimits } from './capacity.ts';
import type { LogMessage } from './index-log.ts';
import type { IndexRecord, MaintenanceFailures, MaintenanceLease } from './record.ts';
import type { Room, UsageCounters, VectorQuota } from '../usage/index.ts';

/** Row whose version differs from the expected one. `version` is null if the row was deleted. */
export interface VersionConflict {
  readonly [key: string]: string | null;
  readonly id: string;
  readonly version: string | null;
}

/** Receipt of a log message: how its change ended. */
export interface Receipt {
  readonly written: number;
  readonly deleted: number;
  /** Reason for the caller if the change was refused, else null. */
  readonly error: string | null;
  /** First hundred rows whose version was not the expected one, with their version. */
  readonly conflicts?: readonly VersionConflict[];
  /** First hundred ids without a row to change. */
  readonly missing?: readonly string[];
  /** Rows of a restored version that stay away, because their files are gone. */
  readonly leftOut?: number;
  /** Vector quota of the plan, if it was too small. */
  readonly quota?: VectorQuota;
}

/** Address of an index. */
export type IndexAddress = Pick<IndexRecord, 'organizationId' | 'id'>;

export interface IndexPage {
  readonly indexes: readonly IndexRecord[];
  readonly next: string | null;
}

/** Maintenance of an index that a sweep requests. */
export interface LaterMaintenance extends IndexAddress {
  readonly work: Exclude<MaintenanceWork, 'due'> | 'expiry';
}

export interface IndexReader {
  readonly limits: IndexLimits;
  /** Returns the index, also while it is being deleted; null if the organization has none with this id. */
  get(organizationId: string, indexId: string): Promise<IndexRecord | null>;
  /**
   * Lists indexes, newest first by default, without those that are being deleted.
   * @param page `nameContains`: text that the names contain, in any case. All names are read until the page is full.
   */
  list(
    organizationId: string,
    page: {
      readonly limit: number;
      readonly after: string | null;
      readonly newestFirst?: boolean;
      readonly nameContains?: string | undefined;
    },
  ): Promise<IndexPage>;
  /** Returns the number of indexes that count against the plan. */
  count(organizationId: string): Promise<number>;
  receipt(organizationId: string, indexId: string, receiptId: string): Promise<Receipt | null>;
}

/** Claim of a name by the creation of an index that shall be the only one of its name. */
export interface NameClaim {
  readonly name: string;
  /** Index of the claim that it replaces; null if there was none. */
  readonly former: string | null;
}

export interface IndexWriter extends IndexReader {
  /**
   * Stores an index, with a note for the sweep, unless there are as many as the limit.
   * @param claim Claim of its name, in the same transaction. If another one has replaced the former, the index is not stored.
   */
  add(index: IndexRecord, limit: number, claim?: NameClaim | null): Promise<Added>;
  /** Returns the oldest index of a name, and the index of the last claim of the name. It reads all names if it has to. */
  named(
    organizationId: string,
    name: string,
  ): Promise<{ readonly index: IndexRecord | null; readonly claimed: string | null }>;
  /**
   * Changes an index at the request of a caller. Returns the changed item; null if name or status differ from `former`, or if an earlier event occupies
   * one of the slots of `event`.
   */
  update(
    former: IndexRecord,
    changes: Pick<IndexRecord, 'name' | 'searchDefaults' | 'usageKey' | 'ttlSeconds' | 'versionDays' | 'queryLog'>,
    event: Attributes,
  ): Promise<Item | null>;
  /** Changes `creating` to `ready`, with the event in the same write. Returns null if status or name differ. */
  markReady(
    index: IndexAddress & Pick<IndexRecord, 'name'>,
    state: TableState,
    event: Attributes,
  ): Promise<Item | null>;
  /** Changes a branch of `parent` from `creating` to `ready`. Does nothing if it is not `creating`. */
  markBranchReady(
    organizationId: string,
    indexId: string,
    parent: IndexRecord,
    made: { readonly state: TableState; readonly usage: UsageCounters },
  ): Promise<void>;
  /**
   * Records a commit and its usage, with the attributes of an event. Returns null if the index is gone, if its counters or
   * its version have changed meanwhile, or if the slot of the event is not free.
   */
  saveState(
    organizationId: string,
    indexId: string,
    state: TableState,
    commit: {
      readonly at: string;
      readonly usage: UsageCounters;
      readonly room: Room | null;
      readonly expiresFrom: string | null;
      /** First version that may be read, if rows were erased. */
      readonly erasedFrom: IndexRecord['erasedFrom'];
    },
    event?: Attributes,
  ): Promise<IndexRecord | null>;
  /** Sets the first version of an index that may be read, unless it is a later one. */
  raiseFirstReadable(index: IndexRecord, version: number): Promise<void>;
  /** Stores that a branch reads nothing of its parent any more. */
  detach(index: IndexRecord): Promise<void>;
  /** Leases the maintenance of an index to a message. Returns the changed record; null if another message has it. */
  leaseMaintenance(index: IndexRecord, lease: MaintenanceLease): Promise<IndexRecord | null>;
  /**
   * Ends the lease of a message, and records the state that maintenance has reached, unless a commit of it is not
   * recorded yet, or another table has become the content. Returns the changed record; null if the index is gone.
   */
  endMaintenance(
    index: IndexAddress & Pick<IndexRecord, 'layers'>,
    leaseId: string,
    state: TableState,
  ): Promise<IndexRecord | null>;
  /** Records failures of maintenance, and a pause until the next. */
  failMaintenance(index: IndexAddress, failures: MaintenanceFailures, pause: MaintenanceLease): Promise<void>;
  /** Records usage besides commits. Returns null if the index is gone, or if its counters have changed meanwhile. */
  saveUsage(index: IndexAddress, usage: UsageCounters): Promise<IndexRecord | null>;
  /** Marks an index as deleted. Returns false if it was already. Writes a note for the sweep first. */
  markDeleting(organizationId: string, indexId: string, at: string): Promise<boolean>;
  /** Deletes an index whose creation failed. Writes a note for the sweep first. */
  deleteFailed(organizationId: string, indexId: string, at: string): Promise<void>;
  /** Deletes the record of an index whose table is gone, after its events. Throws 503 if they cannot be recorded now. */
  remove(organizationId: string, indexId: string, events: EventRecorder): Promise<void>;
  /** Adds or removes a branch that reads the table of an index. Returns the changed record; null if it is gone. */
  changeDependents(
    organizationId: string,
    indexId: string,
    change: { readonly include?: string; readonly exclude?: string },
  ): Promise<IndexRecord | null>;
  /** Removes one of the other tables of an index, once it is dropped. */
  removeTable(organizationId: string, indexId: string, otherTable: string): Promise<void>;
  /** Stores the receipt of a message. A second receipt changes nothing. */
  addReceipt(
    organizationId: string,
    indexId: string,
    receiptId: string,
    receipt: Receipt,
    expiresAt: Date,
  ): Promise<void>;
  /** Counts a run that begins for one message of the log alone. The count is stored for a day. */
  countRetry(address: IndexAddress, messageId: string, now: Date): Promise<RetryCount>;
  /** Records that a counted run failed, and was not killed. */
  noteFailedRetry(address: IndexAddress, messageId: string): Promise<void>;
  /** Notes a poison message that could not be looked up. Does nothing if it is noted. */
  noteReconciliation(message: LogMessage, at: string): Promise<void>;
  /** Returns keys of noted messages that are due by `until`, longest waiting first. */
  dueReconciliations(until: Date, limit: number): Promise<readonly Key[]>;
  /** Postpones the next look at a noted message. Returns it with the time of its note; null if the note is gone. */
  postponeReconciliation(key: Key, at: string): Promise<{ readonly message: unknown; readonly since: string } | null>;
  /** Deletes the note of a message. */
  endReconciliation(message: Omit<LogMessage, 'change'>): Promise<void>;
  item(organizationId: string, indexId: string): Promise<Item | null>;
  /** Returns indexes whose creation or deletion is to be checked by `until`, longest waiting first. */
  overdue(until: Date, limit: number): Promise<readonly IndexAddress[]>;
  /** Postpones the next check of an index. Returns false if it has no note. */
  postponeCheck(index: IndexAddress, at: string): Promise<boolean>;
  /** Ends the checks of an index, unless it was noted again since the check was postponed at that time. */
  endChecks(index: IndexAddress, at: string): Promise<void>;
  /** Notes that rows of an index expire from a time on. The sweep then requests their removal. */
  noteExpiry(organizationId: string, indexId: string, at: string): Promise<void>;
  /** Ends the note, since no row of the index expires. */
  endExpiry(index: IndexAddress): Promise<void>;
  /** Stores from when rows of an index may have expired, after those that had are removed. */
  saveExpiry(index: IndexAddress, from: string): Promise<void>;
  /** Notes that an index has deleted content, which its table contains until maintenance has run several times. */
  notePendingCleanup(index: IndexAddress & Pick<IndexRecord, 'versionDays'>, at: string): Promise<void>;
  /** Notes that rows of an index in segments are worth a fold once writes pause. Puts off an earlier note. */
  noteFold(organizationId: string, indexId: string, at: string): Promise<void>;
  /** Ends the note of a fold, unless it was put off. */
  endFold(index: IndexAddress, at: string): Promise<void>;
  /** Returns indexes whose cleanup or fold is due by `until`, longest waiting first. */
  dueMaintenance(until: Date, limit: number): Promise<readonly LaterMaintenance[]>;
  /** Postpones the next cleanup of an index. Returns the remaining number; null if another sweep has just claimed it. */
  claimCleanup(index: IndexAddress, at: string): Promise<number | null>;
  /** Ends the cleanups of an index, unless it has deleted more. */
  endCleanups(index: IndexAddress): Promise<void>;
}

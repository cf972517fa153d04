import type { Attributes, Item } from '../db/contracts.ts';
import type { ReservationCount } from '../db/reservation.ts';
import type { EventRecorder } from '../events/index.ts';
import type { RetryCount } from '../pipeline/worker.ts';
import type { Layer, TableState } from '../platform/engine/port.ts';
import type { IndexFold, IndexRecord, MaintenanceFailures } from './record.ts';
import type { Account, VectorRoom } from '../usage/index.ts';

/** A row that somebody else has changed; `version` null: it is gone. */
export interface VersionConflict {
  readonly [key: string]: string | null;
  readonly id: string;
  readonly version: string | null;
}

/** How one log message ended. */
export interface Receipt {
  readonly written: number;
  readonly deleted: number;
  /** Set where the change could not be applied; shown to the caller. */
  readonly error: string | null;
  /** Rows whose version was not the expected one, the first hundred, with the version that they have. */
  readonly conflicts?: readonly VersionConflict[];
  /** Ids that have no row to change, the first hundred. */
  readonly missing?: readonly string[];
  /** What the plan had room for, where that was too little. */
  readonly room?: VectorRoom;
}

/** Where an index is kept. */
export type IndexAddress = Pick<IndexRecord, 'organizationId' | 'id'>;

export interface IndexPage {
  readonly indexes: readonly IndexRecord[];
  readonly next: string | null;
}

export interface IndexReader {
  /** Bytes of vectors and texts from which on an index takes no further content. */
  readonly maxIndexBytes: number;
  /** The index, also while it is being deleted; null where the organization has none of this id. */
  get(organizationId: string, indexId: string): Promise<IndexRecord | null>;
  /** Newest first, without those that are being deleted. */
  list(organizationId: string, page: { readonly limit: number; readonly after: string | null }): Promise<IndexPage>;
  /** Number of indexes that count against the plan. */
  count(organizationId: string): Promise<number>;
  receipt(organizationId: string, indexId: string, receiptId: string): Promise<Receipt | null>;
}

export interface IndexWriter extends IndexReader {
  /** The indexes that count against the plan, told apart by whether they are kept yet. */
  tally(organizationId: string): Promise<ReservationCount>;
  /**
   * Stores an index by an attempt that is still to be kept. The attempt by which it is there tentatively; null where it is
   * kept already. Leaves a note for the sweep first.
   */
  add(index: IndexRecord, attempt: string): Promise<string | null>;
  /** Keeps what an attempt stored. True also where it is kept already, false where it has been taken back. */
  keep(index: IndexAddress, attempt: string): Promise<boolean>;
  /** Takes back what an attempt stored. False where it is kept. */
  withdraw(index: IndexAddress, attempt: string): Promise<boolean>;
  /** Takes back an index whose attempt has ended without a decision; false where there is no such one. */
  dropUnkept(index: IndexAddress): Promise<boolean>;
  /**
   * Gives another name to an index as it was read. The item after the change; null where name or status is another by now,
   * or an earlier event still waits in one of the slots of `event`.
   */
  rename(former: IndexRecord, name: string, event: Attributes): Promise<Item | null>;
  /** `creating` → `ready`, with the event in the same change; null where it was not `creating` or has another name by now. */
  markReady(
    index: IndexAddress & Pick<IndexRecord, 'name'>,
    state: TableState,
    event: Attributes,
  ): Promise<Item | null>;
  /** `creating` → `ready` for a branch, with the layers on which it stands; nothing where it is not `creating`. */
  markBranchReady(
    organizationId: string,
    indexId: string,
    ancestors: readonly Layer[],
    made: { readonly state: TableState; readonly usage: Account },
  ): Promise<void>;
  /** Notes what goes on with the folding of a branch, unless it is being deleted. */
  noteFold(branch: IndexAddress, fold: IndexFold): Promise<void>;
  /** A branch that reads no table but its own any more: its layers behind are gone; null where the index is. */
  markFolded(organizationId: string, indexId: string, state: TableState): Promise<IndexRecord | null>;
  /** Records a commit and what it used; null where the index is gone. */
  saveState(
    organizationId: string,
    indexId: string,
    state: TableState,
    commit: { readonly at: string; readonly usage: Account } | null,
  ): Promise<IndexRecord | null>;
  /** Records what maintenance left, and what becomes of the vector index. */
  saveMaintenance(
    index: IndexRecord,
    state: TableState,
    vectorIndex: Pick<IndexRecord, 'build' | 'builtRows' | 'maintenanceFailures'>,
  ): Promise<void>;
  /** Records failures of maintenance. */
  saveMaintenanceFailures(index: IndexAddress, failures: MaintenanceFailures): Promise<void>;
  /** Records what was used besides commits; null where the index is gone. */
  saveUsage(organizationId: string, indexId: string, usage: Account): Promise<IndexRecord | null>;
  /** False where it is gone already. Leaves a note for the sweep first. */
  markDeleting(organizationId: string, indexId: string, at: string): Promise<boolean>;
  /** Takes back an index that its log could not make. Leaves a note for the sweep first. */
  takeBack(organizationId: string, indexId: string, at: string): Promise<void>;
  /** Takes the record away once its table is gone, after its events. Throws 503 where they cannot be recorded now. */
  remove(organizationId: string, indexId: string, events: EventRecorder): Promise<void>;
  /** Notes or releases branches that read an index's table; the record after the change, null where it is gone. */
  changeDependents(
    organizationId: string,
    indexId: string,
    change: { readonly include?: string; readonly exclude?: string },
  ): Promise<IndexRecord | null>;
  /** The first receipt of a message stands. */
  addReceipt(
    organizationId: string,
    indexId: string,
    receiptId: string,
    receipt: Receipt,
    expiresAt: Date,
  ): Promise<void>;
  /** Counts a run that begins for one message of the log alone; the count is kept for a day. */
  countRetry(address: IndexAddress, messageId: string, now: Date): Promise<RetryCount>;
  /** Notes that the run which was counted as this one failed transiently. */
  noteTransientRetry(address: IndexAddress, messageId: string, begun: number): Promise<void>;
  item(organizationId: string, indexId: string): Promise<Item | null>;
  /** Indexes that should have been created or removed by `until`, longest waiting first; some of them have been. */
  overdue(until: Date, limit: number): Promise<readonly IndexAddress[]>;
  /** Puts off the next look at such an index; false where nobody looks at it. */
  remind(index: IndexAddress, at: string): Promise<boolean>;
  /** Ends the looks at it, unless somebody has noted it anew since `remind` at that time. */
  forget(index: IndexAddress, at: string): Promise<void>;
  /** Notes that an index has let go of content, which its table holds until maintenance has run some times. */
  noteLeftovers(organizationId: string, indexId: string, at: string): Promise<void>;
  /** Indexes that maintenance is to be run for by `until`, longest waiting first. */
  leftovers(until: Date, limit: number): Promise<readonly IndexAddress[]>;
  /** Puts off the next look at such an index. How many are left with it; null where somebody else has just looked. */
  lookAtLeftovers(index: IndexAddress, at: string): Promise<number | null>;
  /** Ends the looks at it, unless it has let go of more. */
  forgetLeftovers(index: IndexAddress): Promise<void>;
}

import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import {
  hasRoom,
  remainingQuotaOf,
  type Room,
  vectorLimitReached,
  type VectorQuota,
} from '../../../../shared/usage/index.ts';
import { failTask } from './fail-task.ts';
import { refuse } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Room of an index for the rows of a commit. */
export interface Admission {
  /** Quota of the plan; null if the rows fit into leased room, or if no row is added. */
  readonly quota: VectorQuota | null;
  /** Maximum total rows of the index. */
  readonly maxRows: number;
  /** New lease, which the commit saves; null if there is none. */
  readonly room: Room | null;
}

/** Admission of changes that need no quota. */
export const unlimited: Admission = { quota: null, maxRows: Infinity, room: null };

/**
 * Admits changes to an index: within its leased room, or by the quota of its organization, with a new lease. The items of
 * all indexes of the organization are read only in the second case.
 * @param added Maximum rows that the changes add; Infinity if unknown.
 */
export const admit = async ({ deps, run }: Writing, index: IndexRecord, added: number): Promise<Admission> => {
  const now = run.clock.now();
  if (added === 0 || hasRoom(index.room, index.state.rows + added, now)) return unlimited;
  const { organizationId, id } = index;
  const holder = { organizationId, plan: await planOf(deps.organizations, organizationId) };
  return remainingQuotaOf(deps.usage, holder, id, now);
};

/** Returns the maximum rows that changes add; Infinity for a promotion, whose rows are not known before. */
export const addedBy = (changes: readonly Change[]): number =>
  changes.reduce(
    (sum, change) => sum + (change.kind === 'promote' ? Infinity : 'rows' in change ? change.rows.length : 0),
    0,
  );

/** Fails the job of a message that exceeds the quota. Returns false if the message is of no job. */
export const failOverQuota = async (writing: Writing, message: LogMessage, quota: VectorQuota): Promise<boolean> => {
  const { message: error } = vectorLimitReached(quota);
  if (!(await failTask(writing, message, error))) return false;
  await refuse(writing, message, error);
  return true;
};

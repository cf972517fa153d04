import type { IndexRecord } from '../indexes/index.ts';
import { planOf } from '../organizations/index.ts';
import { hasRoom, remainingQuotaOf, type Room, type VectorQuota } from '../usage/index.ts';
import type { LedgerContext } from './context.ts';

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
const unlimited: Admission = { quota: null, maxRows: Infinity, room: null };

/**
 * Admits changes to an index: within its leased room, or by the quota of its organization, with a new lease. The items of
 * all indexes of the organization are read only in the second case.
 * @param added Maximum rows that the changes add; Infinity if unknown.
 */
export const admit = async ({ deps, run }: LedgerContext, index: IndexRecord, added: number): Promise<Admission> => {
  const now = run.clock.now();
  if (added === 0 || hasRoom(index.room, index.state.rows + added, now)) return unlimited;
  const { organizationId, id } = index;
  const holder = { organizationId, plan: await planOf(deps.organizations, organizationId) };
  return remainingQuotaOf(deps.usage, holder, id, now);
};
